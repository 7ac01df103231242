//! Protobuf to domain and back, nothing else.

mod answers;
mod intake;

use chassis::call::Caller;
use cityguide_proto::places::v1::{
    GetListingRequest, GetListingsRequest, GetListingsResponse, ImportRequest, ImportResponse,
    ListListingsRequest, ListListingsResponse, ListNeighbourhoodsRequest,
    ListNeighbourhoodsResponse, ListTypesRequest, ListTypesResponse, ListingDetail, ResolveRequest,
    ResolveResponse, places_server::Places,
};
use tonic::{Request, Response, Status, Streaming, async_trait};

use crate::{
    context::Context,
    error::Error,
    usecases::{
        get_listing::{get_listing, get_listings},
        import::Import,
        list_listings::list_listings,
        list_neighbourhoods::list_neighbourhoods,
        list_types::list_types,
        resolve::resolve,
    },
};

pub(crate) struct PlacesApi {
    context: Context,
}

impl PlacesApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Places for PlacesApi {
    async fn list_listings(
        &self,
        request: Request<ListListingsRequest>,
    ) -> Result<Response<ListListingsResponse>, Status> {
        let (listings, page) = list_listings(&self.context, request.get_ref()).await?;
        let listings = listings.into_iter().map(answers::listing).collect();
        Ok(Response::new(ListListingsResponse {
            listings,
            page: Some(page),
        }))
    }

    async fn get_listing(
        &self,
        request: Request<GetListingRequest>,
    ) -> Result<Response<ListingDetail>, Status> {
        let GetListingRequest { id, zone } = request.into_inner();
        let (detail, is_open_now) = get_listing(&self.context, id, &zone).await?;
        Ok(Response::new(answers::detail(detail, is_open_now)))
    }

    async fn get_listings(
        &self,
        request: Request<GetListingsRequest>,
    ) -> Result<Response<GetListingsResponse>, Status> {
        let listings = get_listings(&self.context, &request.get_ref().ids).await?;
        let listings = listings.into_iter().map(answers::listing).collect();
        Ok(Response::new(GetListingsResponse { listings }))
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

    async fn resolve(
        &self,
        request: Request<ResolveRequest>,
    ) -> Result<Response<ResolveResponse>, Status> {
        let resolved = resolve(&self.context, &request.get_ref().path).await?;
        Ok(Response::new(answers::resolved(&resolved)))
    }

    async fn import(
        &self,
        request: Request<Streaming<ImportRequest>>,
    ) -> Result<Response<ImportResponse>, Status> {
        Caller::of(&request).operator()?;
        let mut stream = request.into_inner();
        let mut import = Import::begin(&self.context).await?;
        while let Some(message) = stream.message().await? {
            match intake::read(message) {
                intake::Read::Item { position, item } => import.take(position, item).await?,
                intake::Read::Refused { kind, refusal } => import.refuse(kind, refusal),
                intake::Read::Finish(finish) => {
                    let report = import.finish(finish.dry_run, finish.all_or_nothing).await?;
                    return Ok(Response::new(answers::report(report)));
                }
            }
        }
        Err(Error::Unfinished.into())
    }
}
