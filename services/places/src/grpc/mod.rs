//! Conversions between protobuf and domain types.

mod answers;
mod inspections;
mod intake;
mod matches;
mod ratings;
mod readers;

use chassis::{call::Caller, intake::import};
use cityguide_proto::{
    intake::v1::Report,
    paging::v1::{Addresses, Blocks},
};
use places_proto::v1::{
    Basemap, BestOfDetail, FindPlacesRequest, FindPlacesResponse, FindSourcesRequest,
    FindSourcesResponse, GetBasemapRequest, GetBestOfRequest, GetListingRequest,
    GetListingsRequest, GetListingsResponse, GetNeighbourhoodRequest, ImportRequest,
    ListAddressesRequest, ListBestOfRequest, ListBestOfResponse, ListBlocksRequest,
    ListListingsRequest, ListListingsResponse, ListNeighbourhoodsRequest,
    ListNeighbourhoodsResponse, ListOpenRequest, ListOpenResponse, ListSimilarRequest,
    ListSimilarResponse, ListTextsRequest, ListTextsResponse, ListTypesRequest, ListTypesResponse,
    ListingDetail, ListingText, MatchPlacesRequest, MatchPlacesResponse, NeighbourhoodDetail,
    ResolveRequest, ResolveResponse, Source, places_server::Places,
};
use tonic::{Request, Response, Status, Streaming, async_trait};

use crate::{
    context::Context,
    usecases::{
        compute_open_periods::compute_imported,
        get_basemap::get_basemap,
        get_listing::{
            find_places, find_sources, get_listing, get_listings, list_similar, list_texts,
        },
        get_neighbourhood::get_neighbourhood,
        import::PlacesIntake,
        list_addresses::{list_addresses, list_blocks},
        list_best_of::{get_best_of, list_best_of},
        list_listings::list_listings,
        list_neighbourhoods::list_neighbourhoods,
        list_open::list_open,
        list_types::list_types,
        match_places::match_places,
        resolve::resolve,
    },
};

#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) context: Context,
    /// Context for imports.
    pub(crate) background: Context,
}

#[async_trait]
impl Places for Api {
    async fn list_listings(
        &self,
        request: Request<ListListingsRequest>,
    ) -> Result<Response<ListListingsResponse>, Status> {
        let (listings, page) = list_listings(&self.context, request.get_ref()).await?;
        let listings = listings.into_iter().map(answers::found).collect();
        Ok(Response::new(ListListingsResponse {
            listings,
            page: Some(page),
        }))
    }

    async fn get_listing(
        &self,
        request: Request<GetListingRequest>,
    ) -> Result<Response<ListingDetail>, Status> {
        let whole = get_listing(&self.context, request.get_ref()).await?;
        Ok(Response::new(answers::whole(whole)))
    }

    async fn get_listings(
        &self,
        request: Request<GetListingsRequest>,
    ) -> Result<Response<GetListingsResponse>, Status> {
        let listings = get_listings(&self.context, &request.get_ref().ids).await?;
        let listings = listings.into_iter().map(answers::listing).collect();
        Ok(Response::new(GetListingsResponse { listings }))
    }

    async fn list_open(
        &self,
        request: Request<ListOpenRequest>,
    ) -> Result<Response<ListOpenResponse>, Status> {
        let places = list_open(&self.context, request.get_ref()).await?;
        let places = places.into_iter().map(answers::open).collect();
        Ok(Response::new(ListOpenResponse { places }))
    }

    async fn list_texts(
        &self,
        request: Request<ListTextsRequest>,
    ) -> Result<Response<ListTextsResponse>, Status> {
        let texts = list_texts(&self.context, &request.get_ref().ids).await?;
        let texts = texts
            .into_iter()
            .map(|(listing_id, body_html)| ListingText {
                listing_id,
                body_html,
            });
        Ok(Response::new(ListTextsResponse {
            texts: texts.collect(),
        }))
    }

    async fn list_similar(
        &self,
        request: Request<ListSimilarRequest>,
    ) -> Result<Response<ListSimilarResponse>, Status> {
        let listings = list_similar(&self.context, request.get_ref().id).await?;
        let listings = listings.into_iter().map(answers::listing).collect();
        Ok(Response::new(ListSimilarResponse { listings }))
    }

    async fn list_types(
        &self,
        _: Request<ListTypesRequest>,
    ) -> Result<Response<ListTypesResponse>, Status> {
        let types = list_types(&self.context).await?;
        let types = types.into_iter().map(answers::listing_type).collect();
        Ok(Response::new(ListTypesResponse { types }))
    }

    async fn list_neighbourhoods(
        &self,
        _: Request<ListNeighbourhoodsRequest>,
    ) -> Result<Response<ListNeighbourhoodsResponse>, Status> {
        let all = list_neighbourhoods(&self.context).await?;
        let neighbourhoods = all.into_iter().map(answers::neighbourhood).collect();
        Ok(Response::new(ListNeighbourhoodsResponse { neighbourhoods }))
    }

    async fn get_neighbourhood(
        &self,
        request: Request<GetNeighbourhoodRequest>,
    ) -> Result<Response<NeighbourhoodDetail>, Status> {
        let (found, best) = get_neighbourhood(&self.context, &request.get_ref().slug).await?;
        Ok(Response::new(NeighbourhoodDetail {
            neighbourhood: Some(answers::neighbourhood(found.area)),
            boundary_geojson: found.boundary.to_string(),
            intro_html: found.intro_html,
            best: best.into_iter().map(answers::listing).collect(),
        }))
    }

    async fn get_basemap(
        &self,
        _: Request<GetBasemapRequest>,
    ) -> Result<Response<Basemap>, Status> {
        let map = get_basemap(&self.context).await?;
        Ok(Response::new(Basemap {
            geojson: map.geojson,
            credit: map.credit,
        }))
    }

    async fn list_best_of(
        &self,
        request: Request<ListBestOfRequest>,
    ) -> Result<Response<ListBestOfResponse>, Status> {
        let (lists, page) = list_best_of(&self.context, request.get_ref()).await?;
        Ok(Response::new(ListBestOfResponse {
            lists: lists.into_iter().map(answers::best_of_list).collect(),
            page: Some(page),
        }))
    }

    async fn get_best_of(
        &self,
        request: Request<GetBestOfRequest>,
    ) -> Result<Response<BestOfDetail>, Status> {
        let (list, entries) = get_best_of(&self.context, &request.get_ref().slug).await?;
        Ok(Response::new(BestOfDetail {
            list: Some(answers::best_of_list(list)),
            entries: entries.into_iter().map(answers::best_of_entry).collect(),
        }))
    }

    async fn list_blocks(
        &self,
        request: Request<ListBlocksRequest>,
    ) -> Result<Response<Blocks>, Status> {
        let numbers = list_blocks(&self.context, request.get_ref().size).await?;
        Ok(Response::new(Blocks { numbers }))
    }

    async fn list_addresses(
        &self,
        request: Request<ListAddressesRequest>,
    ) -> Result<Response<Addresses>, Status> {
        let block = request.get_ref().block.as_ref();
        let addresses = list_addresses(&self.context, block).await?;
        Ok(Response::new(Addresses { addresses }))
    }

    async fn resolve(
        &self,
        request: Request<ResolveRequest>,
    ) -> Result<Response<ResolveResponse>, Status> {
        let resolved = resolve(&self.context, &request.get_ref().path).await?;
        Ok(Response::new(answers::resolved(&resolved)))
    }

    async fn find_sources(
        &self,
        request: Request<FindSourcesRequest>,
    ) -> Result<Response<FindSourcesResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let found = find_sources(&self.context, &request.get_ref().source_ids).await?;
        let listings = found.into_iter();
        let listings = listings.map(|(source_id, id)| Source { source_id, id });
        Ok(Response::new(FindSourcesResponse {
            listings: listings.collect(),
        }))
    }

    async fn find_places(
        &self,
        request: Request<FindPlacesRequest>,
    ) -> Result<Response<FindPlacesResponse>, Status> {
        let FindPlacesRequest { slugs, names } = request.get_ref();
        let found = find_places(&self.context, slugs, names).await?;
        Ok(Response::new(FindPlacesResponse {
            listings: found.into_iter().map(answers::listing).collect(),
        }))
    }

    async fn match_places(
        &self,
        request: Request<MatchPlacesRequest>,
    ) -> Result<Response<MatchPlacesResponse>, Status> {
        let listed = matches::listed(request.into_inner())?;
        let (found, places) = match_places(&self.context, listed).await?;
        Ok(Response::new(MatchPlacesResponse {
            matches: found.into_iter().map(matches::matched).collect(),
            places: places.into_iter().map(matches::place).collect(),
        }))
    }

    async fn import(
        &self,
        request: Request<Streaming<ImportRequest>>,
    ) -> Result<Response<Report>, Status> {
        Caller::from_request(&request).operator()?;
        let Context { pool, outbox, .. } = &self.background;
        let intake = PlacesIntake::new(&self.background);
        let messages = request.into_inner();
        let report = import(pool, outbox, intake, messages, intake::read).await?;
        if report.applied {
            compute_imported(&self.background).await;
        }
        Ok(Response::new(report))
    }
}
