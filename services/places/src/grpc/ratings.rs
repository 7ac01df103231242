//! gRPC methods for readers' votes.

use chassis::{call::Caller, instant};
use cityguide_proto::saved::v1::{GetStampsRequest, GetStampsResponse};
use places_proto::v1::{
    self as proto, ChangeRatingRequest, DecideBurstRequest, DecideBurstResponse,
    DeleteRatingRequest, DeleteRatingResponse, GetRatingMapRequest, GetRatingRequest,
    ListBurstsRequest, ListBurstsResponse, ListRatingsRequest, ListRatingsResponse, PlaceRating,
    RateRequest, RatedListing, RatingMap, RatingMapEntry, RatingRecord, ratings_server::Ratings,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, answers};
use crate::{
    domain::{Burst, Origin, Rated, Rating, Stars, describe},
    usecases::{
        bursts::{decide_burst, list_bursts},
        rate::{change_rating, delete_rating, rate},
        read_ratings::{get_rating, list_ratings, map_ratings},
    },
};

#[async_trait]
impl Ratings for Api {
    async fn rate(&self, request: Request<RateRequest>) -> Result<Response<RatingRecord>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let RateRequest {
            listing_id,
            rating,
            origin,
        } = request.into_inner();
        let stars = Stars::parse(rating)?;
        let origin = origin.unwrap_or_default();
        let created = origin.account_created.as_ref();
        let origin = Origin::new(&origin.network, created.and_then(instant::from_proto));
        let rated = rate(&self.context, reader, listing_id, stars, &origin).await?;
        Ok(Response::new(record(&rated)))
    }

    async fn change_rating(
        &self,
        request: Request<ChangeRatingRequest>,
    ) -> Result<Response<RatingRecord>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ChangeRatingRequest { id, rating } = request.into_inner();
        let stars = Stars::parse(rating)?;
        let rated = change_rating(&self.context, reader, id, stars).await?;
        Ok(Response::new(record(&rated)))
    }

    async fn delete_rating(
        &self,
        request: Request<DeleteRatingRequest>,
    ) -> Result<Response<DeleteRatingResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let stamp = delete_rating(&self.context, reader, request.get_ref().id).await?;
        Ok(Response::new(DeleteRatingResponse {
            stamp: Some(instant::to_proto(stamp.at)),
            previous_stamp: stamp.previous.map(instant::to_proto),
        }))
    }

    async fn get_rating(
        &self,
        request: Request<GetRatingRequest>,
    ) -> Result<Response<PlaceRating>, Status> {
        let reader = Caller::from_request(&request).reader().ok();
        let found = get_rating(&self.context, reader, request.get_ref().listing_id).await?;
        Ok(Response::new(PlaceRating {
            own: found.own.as_ref().map(rating),
            average: found.votes.average(),
            voters: found.votes.count,
        }))
    }

    async fn list_ratings(
        &self,
        request: Request<ListRatingsRequest>,
    ) -> Result<Response<ListRatingsResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let page = request.get_ref().page.as_ref();
        let (listed, page) = list_ratings(&self.context, reader, page).await?;
        let ratings = listed.into_iter().map(|rated| RatedListing {
            rating: Some(rating(&rated.rating)),
            listing: rated.listing.map(answers::listing),
            listing_name: rated.name,
        });
        Ok(Response::new(ListRatingsResponse {
            ratings: ratings.collect(),
            page: Some(page),
        }))
    }

    async fn get_rating_map(
        &self,
        request: Request<GetRatingMapRequest>,
    ) -> Result<Response<RatingMap>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let (entries, as_of) = map_ratings(&self.context, reader).await?;
        let entries = entries.into_iter().map(|entry| RatingMapEntry {
            id: entry.id,
            listing_id: entry.listing_id,
            rating: entry.stars.into(),
        });
        Ok(Response::new(RatingMap {
            entries: entries.collect(),
            as_of: Some(instant::to_proto(as_of)),
        }))
    }

    async fn get_stamps(
        &self,
        request: Request<GetStampsRequest>,
    ) -> Result<Response<GetStampsResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        Ok(Response::new(self.context.stamps.answer(reader).await?))
    }

    async fn list_bursts(
        &self,
        request: Request<ListBurstsRequest>,
    ) -> Result<Response<ListBurstsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let bursts = list_bursts(&self.context).await?;
        let bursts = bursts.into_iter().map(|one| self.burst(one));
        Ok(Response::new(ListBurstsResponse {
            bursts: bursts.collect(),
        }))
    }

    async fn decide_burst(
        &self,
        request: Request<DecideBurstRequest>,
    ) -> Result<Response<DecideBurstResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let DecideBurstRequest { id, accept } = request.into_inner();
        let votes = decide_burst(&self.context, id, accept).await?;
        Ok(Response::new(DecideBurstResponse { votes }))
    }
}

impl Api {
    fn burst(&self, burst: Burst) -> proto::Burst {
        let counts = burst.begun_at + self.context.bursts.wait;
        proto::Burst {
            id: burst.id,
            listing_id: burst.listing_id,
            listing_name: burst.listing_name,
            source: describe(&burst.kind, &burst.source),
            votes: burst.votes,
            average: burst.average,
            begun: Some(instant::to_proto(burst.begun_at)),
            counts: Some(instant::to_proto(counts)),
        }
    }
}

fn rating(rating: &Rating) -> proto::Rating {
    proto::Rating {
        id: rating.id,
        listing_id: rating.listing_id,
        rating: rating.stars.into(),
        date_created: Some(instant::to_proto(rating.date_created)),
    }
}

fn record(rated: &Rated) -> RatingRecord {
    RatingRecord {
        rating: Some(rating(&rated.rating)),
        created: rated.is_new,
        stamp: Some(instant::to_proto(rated.stamp.at)),
        previous_stamp: rated.stamp.previous.map(instant::to_proto),
    }
}
