//! Lists and single items of any kind.

use std::sync::Arc;

use axum::response::Response;
use chrono::{DateTime, TimeDelta, Utc};
use editorial_proto::v1::{GetItemRequest, Item, ItemDetail, Kind, ListItemsRequest};
use http::StatusCode;
use serde::Serialize;
use site::Site;

use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, personal},
        error::ApiError,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    v2::call::PublicCall,
    words::this_year::ThisYear,
};

/// How long a response is cached that lacks the data of another service.
pub(crate) const INCOMPLETE: TimeDelta = TimeDelta::seconds(5);

/// The differences between an item kind and the other kinds, as API resources.
pub(crate) trait ItemResource: Serialize + Send + Sized + 'static {
    const KIND: Kind;
    const PATH: &'static str;
    /// Query parameters of the list.
    const KNOWN: &'static [&'static str];
    const FRESHNESS: Freshness;
    /// Further data that the response for a single item contains.
    const TAGS: &'static [Tag] = &[];

    /// Adds the kind's filters to a list request.
    fn filter(site: &Site, params: &Params, request: &mut ListItemsRequest)
    -> Result<(), ApiError>;

    /// Builds an item, with its text if requested.
    fn new(site: &Site, year: &ThisYear, item: Item, body: Option<String>) -> Self;

    /// Builds an item of the requested list.
    fn listed(site: &Site, year: &ThisYear, mut item: Item, request: &ListItemsRequest) -> Self {
        let body = std::mem::take(&mut item.body_html);
        Self::new(site, year, item, request.with_text.then_some(body))
    }

    /// Builds a single item.
    fn whole(site: &Site, year: &ThisYear, detail: ItemDetail) -> Self {
        let item = detail.item.unwrap_or_default();
        Self::new(site, year, item, Some(detail.body_html))
    }

    /// Adds what depends on the time of the response, and returns when that changes.
    fn date(&mut self, _: &Site, _now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        None
    }

    /// Adds data of the places service to a single item. An item is also shown without that data.
    fn complete(
        &mut self,
        _: &Catalogue,
    ) -> impl Future<Output = Result<(), tonic::Status>> + Send {
        async { Ok(()) }
    }

    /// Returns the time at which an item changes by itself.
    fn changes_at(_: &Item) -> Option<DateTime<Utc>> {
        None
    }
}

/// The call for a page of items.
pub(crate) fn list_call<T: ItemResource>(query: &[(&str, &str)]) -> PublicCall<Page<T>> {
    PublicCall::new(T::PATH, query)
}

/// The call for an item.
pub(crate) fn detail_call<T: ItemResource>(id: i64) -> PublicCall<T> {
    PublicCall::new(&format!("{}{id}/", T::PATH), &[])
}

/// Serves a page of items.
pub(super) async fn list<T: ItemResource>(
    catalogue: Arc<Catalogue>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(T::KNOWN);
    let key = CacheKey::list(T::PATH, &params, &[Tag::Items]);
    let compute = |catalogue| page::<T>(catalogue, params);
    catalogue.serve(&request, key, T::FRESHNESS, compute).await
}

async fn page<T: ItemResource>(
    catalogue: Arc<Catalogue>,
    params: Params,
) -> Result<Content, ApiError> {
    let site = &catalogue.site;
    let page = params.page()?;
    let mut request = ListItemsRequest {
        page: Some(page.clone()),
        kind: T::KIND.into(),
        ids: params.ids("ids")?,
        ..ListItemsRequest::default()
    };
    T::filter(site, &params, &mut request)?;
    let call = catalogue.request(request.clone());
    let answer = catalogue.services.editorial().list_items(call).await?;
    let answer = answer.into_inner();
    let changes_at = answer.items.iter().filter_map(T::changes_at).min();
    let items = answer.items.into_iter();
    let year = catalogue.this_year();
    let listed = |item| T::listed(site, &year, item, &request);
    let mut items: Vec<_> = items.map(listed).collect();
    let now = catalogue.clock.now();
    let dates = items.iter_mut().filter_map(|item| item.date(site, now));
    let changes_at = dates.chain(changes_at).min();
    let answer = Page::new(items, answer.page, &page, &params, T::PATH);
    Ok(Content::json(&answer)?.until(changes_at))
}

/// Serves an item. Of an age-restricted item, only the name is included.
pub(super) async fn detail<T: ItemResource>(
    catalogue: Arc<Catalogue>,
    request: PublicRequest,
    id: i64,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(T::PATH, id, T::TAGS).tagged(Tag::Item(id));
    let compute = move |catalogue| one::<T>(catalogue, id);
    catalogue.serve(&request, key, T::FRESHNESS, compute).await
}

async fn one<T: ItemResource>(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let detail = get(&catalogue, T::KIND, id, false).await?;
    let changes_at = detail.item.as_ref().and_then(T::changes_at);
    let mut item = T::whole(&catalogue.site, &catalogue.this_year(), detail);
    let retry = match item.complete(&catalogue).await {
        Ok(()) => None,
        Err(_) => Some(catalogue.clock.now() + INCOMPLETE),
    };
    let until = changes_at.into_iter().chain(retry).min();
    Ok(Content::json(&item)?.until(until))
}

/// Serves an item to a reader of legal age. Caches must not store the response.
pub(super) async fn gated<T: ItemResource>(
    catalogue: &Catalogue,
    id: i64,
) -> Result<Response, ApiError> {
    let detail = get(catalogue, T::KIND, id, true).await?;
    let mut item = T::whole(&catalogue.site, &catalogue.this_year(), detail);
    // Without the places service, the item is shown without its places.
    let _ = item.complete(catalogue).await;
    Ok(personal(StatusCode::OK, &item))
}

/// Fetches an item. Age-restricted content is omitted unless the reader is of age.
pub(super) async fn get(
    catalogue: &Catalogue,
    kind: Kind,
    id: i64,
    of_age: bool,
) -> Result<ItemDetail, ApiError> {
    let request = catalogue.request(GetItemRequest {
        kind: kind.into(),
        id,
        of_age,
    });
    let answer = catalogue.services.editorial().get_item(request).await?;
    Ok(answer.into_inner())
}
