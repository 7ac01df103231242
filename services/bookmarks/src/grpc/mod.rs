//! Protobuf to domain and back, nothing else.

use chassis::{call::Caller, instant};
use cityguide_proto::bookmarks::v1::{
    self as proto, CreateFavouriteRequest, CreateFavouriteResponse, DeleteFavouriteRequest,
    DeleteFavouriteResponse, FavouriteMap, FavouriteMapEntry, GetFavouriteMapRequest,
    GetStampsRequest, GetStampsResponse, ListFavouritesRequest, ListFavouritesResponse,
    bookmarks_server::Bookmarks,
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    domain::{Favourite, Stamp},
    usecases::{
        create_favourite::create_favourite, delete_favourite::delete_favourite,
        list_favourites::list_favourites, map_favourites::map_favourites, read_stamps::read_stamps,
    },
};

pub(crate) struct BookmarksApi {
    context: Context,
}

impl BookmarksApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Bookmarks for BookmarksApi {
    async fn list_favourites(
        &self,
        request: Request<ListFavouritesRequest>,
    ) -> Result<Response<ListFavouritesResponse>, Status> {
        let reader = Caller::of(&request).reader()?;
        let (favourites, page) =
            list_favourites(&self.context, reader, request.get_ref().page.as_ref()).await?;
        let favourites = favourites.into_iter().map(favourite).collect();
        Ok(Response::new(ListFavouritesResponse {
            favourites,
            page: Some(page),
        }))
    }

    async fn get_favourite_map(
        &self,
        request: Request<GetFavouriteMapRequest>,
    ) -> Result<Response<FavouriteMap>, Status> {
        let reader = Caller::of(&request).reader()?;
        let (entries, as_of) = map_favourites(&self.context, reader).await?;
        let entries = entries
            .into_iter()
            .map(|entry| FavouriteMapEntry {
                id: entry.id,
                listing_id: entry.listing_id,
            })
            .collect();
        Ok(Response::new(FavouriteMap {
            entries,
            as_of: Some(instant::to_proto(as_of)),
        }))
    }

    async fn create_favourite(
        &self,
        request: Request<CreateFavouriteRequest>,
    ) -> Result<Response<CreateFavouriteResponse>, Status> {
        let reader = Caller::of(&request).reader()?;
        let listing_id = request.get_ref().listing_id;
        let kept = create_favourite(&self.context, reader, listing_id).await?;
        Ok(Response::new(CreateFavouriteResponse {
            id: kept.id,
            listing_id,
            date_created: Some(instant::to_proto(kept.created_at)),
            created: kept.is_new,
            stamp: Some(instant::to_proto(kept.stamp.at)),
            previous_stamp: kept.stamp.previous.map(instant::to_proto),
        }))
    }

    async fn delete_favourite(
        &self,
        request: Request<DeleteFavouriteRequest>,
    ) -> Result<Response<DeleteFavouriteResponse>, Status> {
        let reader = Caller::of(&request).reader()?;
        let touched = delete_favourite(&self.context, reader, request.get_ref().id).await?;
        Ok(Response::new(DeleteFavouriteResponse {
            stamp: Some(instant::to_proto(touched.at)),
            previous_stamp: touched.previous.map(instant::to_proto),
        }))
    }

    async fn get_stamps(
        &self,
        request: Request<GetStampsRequest>,
    ) -> Result<Response<GetStampsResponse>, Status> {
        let reader = Caller::of(&request).reader()?;
        let stamps = read_stamps(&self.context, reader).await?;
        Ok(Response::new(GetStampsResponse {
            stamps: stamps.into_iter().map(stamp).collect(),
        }))
    }
}

fn favourite(favourite: Favourite) -> proto::Favourite {
    proto::Favourite {
        id: favourite.id,
        listing_id: favourite.listing_id,
        date_created: Some(instant::to_proto(favourite.created_at)),
        listing_name: favourite.listing_name,
        is_available: favourite.is_available,
    }
}

fn stamp(stamp: Stamp) -> proto::Stamp {
    proto::Stamp {
        kind: stamp.kind,
        at: Some(instant::to_proto(stamp.at)),
        count: stamp.count,
    }
}
