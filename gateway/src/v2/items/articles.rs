//! `articles/`: the magazine's texts.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::editorial::v1::{Item, ItemDetail, Kind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Card;
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::Page,
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    site::Site,
    v2::call::PublicCall,
};

const PATH: &str = "/api/v2/articles/";

/// The query parameters of the list.
pub(in crate::v2) const KNOWN: &[&str] = &[
    "after",
    "author",
    "bundle_type",
    "from",
    "ids",
    "keywords",
    "limit",
    "offset",
    "ordering",
    "section",
    "tag",
    "to",
];

/// A section of the site.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SectionRef {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) share_url: String,
}

impl SectionRef {
    /// A section by its slug; named as the site's file names it.
    pub(crate) fn of(site: &Site, slug: &str) -> Self {
        let share_url = format!("/{slug}/");
        let name = site.section_name(slug).unwrap_or(slug).to_owned();
        Self {
            slug: slug.to_owned(),
            name,
            share_url,
        }
    }
}

/// An article.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Article {
    #[serde(flatten)]
    pub(crate) card: Card,
    pub(crate) section: SectionRef,
    /// Sanitised HTML, in lists where `bundle_type=full`; empty where it is age-restricted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed, of a single article.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl Article {
    fn of(site: &Site, item: Item, body: Option<String>) -> Self {
        Self {
            section: SectionRef::of(site, &item.section),
            card: item.into(),
            body,
            server_time: None,
        }
    }

    /// An article with its text.
    pub(crate) fn whole(site: &Site, detail: ItemDetail) -> Self {
        Self::of(
            site,
            detail.item.unwrap_or_default(),
            Some(detail.body_html),
        )
    }
}

/// The call of a page of articles.
pub(crate) fn list_call(query: &[(&str, &str)]) -> PublicCall<Page<Article>> {
    PublicCall::new(PATH, query)
}

/// The call of an article.
pub(crate) fn detail_call(id: i64) -> PublicCall<Article> {
    PublicCall::new(&format!("{PATH}{id}/"), &[])
}

/// Articles, the newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/articles/", operation_id = "list_articles", tag = "catalogue",
    params(
        ("section" = Option<String>, Query, description = "A section's slug."),
        ("author" = Option<String>, Query, description = "An author's slug."),
        ("tag" = Option<String>, Query, description = "A tag's slug."),
        ("from" = Option<String>, Query, description = "Published from this day of the site's zone, or this instant, on."),
        ("to" = Option<String>, Query, description = "Published before this day or instant."),
        ("bundle_type" = Option<String>, Query, pattern = "^(simple|full)?$", description = "simple (a card's fields) or full (the text too)."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<Article>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Items]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            page(catalogue, params)
        })
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let with_text = params.one_of("bundle_type", &["simple", "full"])? == Some("full");
    let (answer, page) = super::list(&catalogue, &params, Kind::Article, |request| {
        request.section = params.slug("section")?;
        request.author = params.slug("author")?;
        request.tag = params.slug("tag")?;
        request.from = params.time("from", catalogue.site.timezone)?;
        request.to = params.time("to", catalogue.site.timezone)?;
        request.with_text = with_text;
        Ok(())
    })
    .await?;
    let articles = answer.items.into_iter().map(|mut item| {
        let body = with_text.then(|| std::mem::take(&mut item.body_html));
        Article::of(&catalogue.site, item, body)
    });
    let answer = Page::of(articles.collect(), answer.page, &page, &params, PATH);
    Content::json(&answer)
}

/// One article with its text; an age-restricted one without.
#[utoipa::path(get, path = "/api/v2/articles/{id}/", operation_id = "get_article", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Article), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, id, &[]).tagged(Tag::Item(id));
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            one(catalogue, id)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let detail = super::get(&catalogue, Kind::Article, id, false).await?;
    Content::json(&Article::whole(&catalogue.site, detail))
}
