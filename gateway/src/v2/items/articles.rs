//! `articles/`: the site's articles.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::{Item, ItemDetail, Kind, ListItemsRequest};
use serde::{Deserialize, Serialize};
use site::Site;
use tonic::Status;
use utoipa::ToSchema;

use super::{
    Card,
    places::{place_cards, without_cards},
    resource::{self, ItemResource},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{Freshness, PublicRequest, Tag},
    },
    v2::listing::Listing,
    words::this_year::ThisYear,
};

/// A section of the site.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SectionRef {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) share_url: String,
}

impl SectionRef {
    /// A section by its slug, with the name in the site's file.
    fn new(site: &Site, slug: &str) -> Self {
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
    /// Sanitised HTML; empty if the article is age-restricted. In lists, only with `bundle_type=full`. A link to a place
    /// has the attribute `data-place` with the place's id. In the response for a single article, an empty `aside` with
    /// the same attribute is the position of the place's card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// The places whose cards the text shows; only in the response for a single article.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) listings: Option<Vec<Listing>>,
    /// When the content was computed; only in the response for a single article.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl ItemResource for Article {
    const KIND: Kind = Kind::Article;
    const PATH: &'static str = "/api/v2/articles/";
    const KNOWN: &'static [&'static str] = &[
        "after",
        "author",
        "bundle_type",
        "from",
        "ids",
        "keywords",
        "limit",
        "listing",
        "neighbourhood",
        "offset",
        "ordering",
        "section",
        "tag",
        "to",
    ];
    const FRESHNESS: Freshness = Freshness::Usual;
    const TAGS: &'static [Tag] = &[Tag::Areas, Tag::Listings];

    fn filter(
        site: &Site,
        params: &Params,
        request: &mut ListItemsRequest,
    ) -> Result<(), ApiError> {
        request.section = params.slug("section")?;
        request.author = params.slug("author")?;
        request.tag = params.slug("tag")?;
        request.neighbourhood = params.slug("neighbourhood")?;
        request.listing_id = params.id("listing")?.unwrap_or_default();
        request.from = params.time("from", site.timezone)?;
        request.to = params.time("to", site.timezone)?;
        request.with_text = params.one_of("bundle_type", &["simple", "full"])? == Some("full");
        Ok(())
    }

    fn new(site: &Site, year: &ThisYear, item: Item, body: Option<String>) -> Self {
        Self {
            section: SectionRef::new(site, &item.section),
            card: Card::new(site, year, item),
            body: body.map(|body| without_cards(&body)),
            listings: None,
            server_time: None,
        }
    }

    fn whole(site: &Site, year: &ThisYear, detail: ItemDetail) -> Self {
        let article = Self::new(site, year, detail.item.unwrap_or_default(), None);
        Self {
            body: Some(detail.body_html),
            ..article
        }
    }

    async fn complete(&mut self, catalogue: &Catalogue) -> Result<(), Status> {
        let body = self.body.get_or_insert_default();
        let places = place_cards(catalogue, body).await;
        if places.is_err() {
            *body = without_cards(body);
        }
        self.listings = Some(places.as_ref().ok().cloned().unwrap_or_default());
        places.map(drop)
    }
}

/// Articles, by default newest first.
#[utoipa::path(get, path = "/api/v2/articles/", operation_id = "list_articles", tag = "catalogue",
    params(
        ("section" = Option<String>, Query, description = "A section's slug."),
        ("author" = Option<String>, Query, description = "An author's slug."),
        ("tag" = Option<String>, Query, description = "A tag's slug."),
        ("listing" = Option<i64>, Query, description = "A place's id: only articles that name the place."),
        ("neighbourhood" = Option<String>, Query, description = "A neighbourhood's slug: only articles that name one of its places."),
        ("from" = Option<String>, Query, description = "Published from this day of the site's zone, or this instant, on."),
        ("to" = Option<String>, Query, description = "Published before this day or instant."),
        ("bundle_type" = Option<String>, Query, pattern = "^(simple|full)?$", description = "simple (a card's fields) or full (the text too)."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<Article>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    resource::list::<Article>(catalogue, request).await
}

/// An article with its text. The text of an age-restricted article is omitted.
#[utoipa::path(get, path = "/api/v2/articles/{id}/", operation_id = "get_article", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Article), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::detail::<Article>(catalogue, request, id).await
}
