//! The addresses of each sitemap.

use std::fmt::Display;

use chassis::{
    blocks,
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::paging::v1::{Addresses, Block, PageRequest};
use editorial_proto::v1 as editorial;
use jiff::{Timestamp, Zoned, tz::TimeZone};
use places_proto::v1::{
    self as places, ListBestOfRequest, ListNeighbourhoodsRequest, ListTypesRequest,
};
use sitemap_rs::{
    news::{News, Publication},
    url::Url,
};

use super::name::Sitemap;
use crate::{
    catalogue::Catalogue,
    edge::error::ApiError,
    feeds::articles::{MAX_PAGE, newest},
    pages,
};

/// Maximum age and number of articles in a Google news sitemap.
const NEWS_AGE: TimeDelta = TimeDelta::hours(48);
const MAX_NEWS: usize = 1_000;
/// The language of `index.html` (ISO 639).
const LANGUAGE: &str = "en";

/// Returns the addresses of a sitemap.
pub(super) async fn list(catalogue: &Catalogue, sitemap: Sitemap) -> Result<Vec<Url>, ApiError> {
    match sitemap {
        Sitemap::Site => {
            let own = pages::listed(&catalogue.site);
            own.iter().map(|path| url(catalogue, path, None)).collect()
        }
        Sitemap::Types => {
            let request = catalogue.request(ListTypesRequest {});
            let types = catalogue.services.places().list_types(request).await?;
            let types = types.into_inner().types;
            let paths = types.iter().map(|kind| format!("/{}/", kind.slug));
            paths.map(|path| url(catalogue, &path, None)).collect()
        }
        Sitemap::Neighbourhoods => {
            let request = catalogue.request(ListNeighbourhoodsRequest {});
            let areas = catalogue
                .services
                .places()
                .list_neighbourhoods(request)
                .await?;
            let areas = areas.into_inner().neighbourhoods;
            let paths = areas
                .iter()
                .map(|area| format!("/neighbourhoods/{}/", area.slug));
            paths.map(|path| url(catalogue, &path, None)).collect()
        }
        Sitemap::BestOf => best_of(catalogue).await,
        Sitemap::News => Ok(news(catalogue).await?.0),
        Sitemap::Places(number) => {
            let block = Some(block(number));
            let request = catalogue.request(places::ListAddressesRequest { block });
            let found = catalogue.services.places().list_addresses(request).await?;
            listed(catalogue, found.into_inner())
        }
        Sitemap::Items(kind, number) => {
            let request = catalogue.request(editorial::ListAddressesRequest {
                kind: kind.into(),
                block: Some(block(number)),
            });
            let found = catalogue
                .services
                .editorial()
                .list_addresses(request)
                .await?;
            listed(catalogue, found.into_inner())
        }
    }
}

fn block(number: u32) -> Block {
    Block {
        size: blocks::MAX_SIZE,
        number,
    }
}

fn listed(catalogue: &Catalogue, found: Addresses) -> Result<Vec<Url>, ApiError> {
    let found = found.addresses.into_iter();
    found
        .map(|address| {
            let changed = address.changed_at.as_ref().and_then(instant::from_proto);
            url(catalogue, &address.path, changed)
        })
        .collect()
}

async fn best_of(catalogue: &Catalogue) -> Result<Vec<Url>, ApiError> {
    let mut page = PageRequest {
        limit: MAX_PAGE,
        ..PageRequest::default()
    };
    let mut urls = Vec::new();
    loop {
        let request = catalogue.request(ListBestOfRequest {
            ids: Vec::new(),
            page: Some(page.clone()),
        });
        let answer = catalogue.services.places().list_best_of(request).await?;
        let answer = answer.into_inner();
        for list in answer.lists {
            let published = list.date_published.as_ref().and_then(instant::from_proto);
            urls.push(url(
                catalogue,
                &catalogue.site.best_of_url(&list.slug),
                published,
            )?);
        }
        match answer.page.and_then(|info| info.next_after) {
            Some(after) => page.after = after,
            None => return Ok(urls),
        }
    }
}

/// Returns the articles of the last two days, and the time when the oldest must be removed.
pub(super) async fn news(
    catalogue: &Catalogue,
) -> Result<(Vec<Url>, Option<DateTime<Utc>>), ApiError> {
    let since = catalogue.clock.now() - NEWS_AGE;
    let found = newest(catalogue, MAX_NEWS, |request| {
        request.from = Some(instant::to_proto(since));
    })
    .await?;
    let mut urls = Vec::new();
    let mut oldest = None;
    for article in found {
        let published = article.date_published.as_ref();
        let Some(published) = published.and_then(instant::from_proto) else {
            continue;
        };
        oldest = Some(published);
        let publication = Publication::new(catalogue.site.name.clone(), LANGUAGE.to_owned());
        let news = News::new(publication, zoned(published)?, article.name);
        let address = format!("{}{}", catalogue.origin.as_str(), article.path);
        let url = Url::builder(address).news(news).build();
        urls.push(url.map_err(refused)?);
    }
    Ok((urls, oldest.map(|at| at + NEWS_AGE)))
}

fn url(catalogue: &Catalogue, path: &str, changed: Option<DateTime<Utc>>) -> Result<Url, ApiError> {
    let mut builder = Url::builder(format!("{}{path}", catalogue.origin.as_str()));
    if let Some(changed) = changed {
        builder.last_modified(zoned(changed)?);
    }
    builder.build().map_err(refused)
}

fn zoned(at: DateTime<Utc>) -> Result<Zoned, ApiError> {
    let at = Timestamp::from_second(at.timestamp()).map_err(refused)?;
    Ok(at.to_zoned(TimeZone::UTC))
}

fn refused(error: impl Display) -> ApiError {
    let message = format!("an address cannot be listed: {error}");
    Fault::new(Code::Internal, message).into()
}
