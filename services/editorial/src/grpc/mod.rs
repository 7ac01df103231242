//! Conversions between protobuf and domain types.

mod answers;
mod drafts;
mod intake;
mod readers;
mod search;
mod sources;

use chassis::{call::Caller, error::Fault, intake::import};
use cityguide_proto::{
    intake::v1::Report,
    paging::v1::{Addresses, Blocks},
};
use editorial_proto::v1::{
    ContactRequest, ContactResponse, EnterContestRequest, EnterContestResponse,
    GetCalendarEventsRequest, GetCalendarEventsResponse, GetItemRequest, GetItemsRequest,
    GetItemsResponse, GetPageRequest, ImportRequest, ItemDetail, ListAddressesRequest,
    ListBlocksRequest, ListItemsRequest, ListItemsResponse, ListMonthsRequest, ListMonthsResponse,
    ResolveRequest, ResolveResponse, editorial_server::Editorial,
};
use tonic::{Request, Response, Status, Streaming, async_trait};

use crate::{
    context::Context,
    usecases::{
        contact::contact,
        enter_contest::enter_contest,
        get_item::{get_calendar_events, get_item, get_items, get_page},
        import::ItemsIntake,
        list_addresses::{list_addresses, list_blocks},
        list_items::list_items,
        list_months::list_months,
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
impl Editorial for Api {
    async fn list_items(
        &self,
        request: Request<ListItemsRequest>,
    ) -> Result<Response<ListItemsResponse>, Status> {
        let request = request.get_ref();
        let kind = intake::kind(request.kind()).ok_or_else(Fault::not_found)?;
        let now = self.context.clock.now();
        let (items, page) = list_items(&self.context, kind, request).await?;
        Ok(Response::new(ListItemsResponse {
            items: items
                .into_iter()
                .map(|item| answers::card(item, now))
                .collect(),
            page: Some(page),
        }))
    }

    async fn get_item(
        &self,
        request: Request<GetItemRequest>,
    ) -> Result<Response<ItemDetail>, Status> {
        let request = request.get_ref();
        let kind = intake::kind(request.kind()).ok_or_else(Fault::not_found)?;
        let found = get_item(&self.context, kind, request.id, request.of_age).await?;
        let now = self.context.clock.now();
        Ok(Response::new(answers::detail(found, now)))
    }

    async fn get_items(
        &self,
        request: Request<GetItemsRequest>,
    ) -> Result<Response<GetItemsResponse>, Status> {
        let request = request.get_ref();
        let kind = intake::kind(request.kind()).ok_or_else(Fault::not_found)?;
        let now = self.context.clock.now();
        let items = get_items(&self.context, kind, &request.ids).await?;
        let items = items.into_iter().map(|item| answers::card(item, now));
        Ok(Response::new(GetItemsResponse {
            items: items.collect(),
        }))
    }

    async fn get_calendar_events(
        &self,
        request: Request<GetCalendarEventsRequest>,
    ) -> Result<Response<GetCalendarEventsResponse>, Status> {
        let now = self.context.clock.now();
        let events = get_calendar_events(&self.context, &request.get_ref().ids).await?;
        let events = events.into_iter();
        Ok(Response::new(GetCalendarEventsResponse {
            events: events
                .map(|one| answers::calendar_event(one, now))
                .collect(),
        }))
    }

    async fn get_page(
        &self,
        request: Request<GetPageRequest>,
    ) -> Result<Response<ItemDetail>, Status> {
        let page = get_page(&self.context, &request.get_ref().slug).await?;
        let now = self.context.clock.now();
        Ok(Response::new(answers::detail((page, Vec::new()), now)))
    }

    async fn list_months(
        &self,
        request: Request<ListMonthsRequest>,
    ) -> Result<Response<ListMonthsResponse>, Status> {
        let months = list_months(&self.context, &request.get_ref().zone).await?;
        let months = months.into_iter().map(answers::month).collect();
        Ok(Response::new(ListMonthsResponse { months }))
    }

    async fn list_blocks(
        &self,
        request: Request<ListBlocksRequest>,
    ) -> Result<Response<Blocks>, Status> {
        let request = request.get_ref();
        let kind = intake::kind(request.kind()).ok_or_else(Fault::not_found)?;
        let numbers = list_blocks(&self.context, kind, request.size).await?;
        Ok(Response::new(Blocks { numbers }))
    }

    async fn list_addresses(
        &self,
        request: Request<ListAddressesRequest>,
    ) -> Result<Response<Addresses>, Status> {
        let request = request.get_ref();
        let kind = intake::kind(request.kind()).ok_or_else(Fault::not_found)?;
        let addresses = list_addresses(&self.context, kind, request.block.as_ref()).await?;
        Ok(Response::new(Addresses { addresses }))
    }

    async fn resolve(
        &self,
        request: Request<ResolveRequest>,
    ) -> Result<Response<ResolveResponse>, Status> {
        let resolved = resolve(&self.context, &request.get_ref().path).await?;
        Ok(Response::new(answers::resolved(&resolved)))
    }

    async fn enter_contest(
        &self,
        request: Request<EnterContestRequest>,
    ) -> Result<Response<EnterContestResponse>, Status> {
        Ok(Response::new(
            enter_contest(&self.context, request.into_inner()).await?,
        ))
    }

    async fn contact(
        &self,
        request: Request<ContactRequest>,
    ) -> Result<Response<ContactResponse>, Status> {
        Ok(Response::new(
            contact(&self.context, request.into_inner()).await?,
        ))
    }

    async fn import(
        &self,
        request: Request<Streaming<ImportRequest>>,
    ) -> Result<Response<Report>, Status> {
        Caller::from_request(&request).operator()?;
        let Context { pool, outbox, .. } = &self.background;
        let intake = ItemsIntake::new(&self.background);
        let messages = request.into_inner();
        let report = import(pool, outbox, intake, messages, intake::read).await?;
        Ok(Response::new(report))
    }
}
