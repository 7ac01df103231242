//! RSS 2.0 feeds of the newest articles, for all sections or a single section.

use std::sync::Arc;

use std::collections::BTreeMap;

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::instant;
use chrono::{DateTime, Utc};
use editorial_proto::v1::Item as Article;
use rss::{
    Category, Channel, Guid, Item,
    extension::{Extension, ExtensionMap, dublincore::DublinCoreExtension},
};
use site::Site;

use super::articles::newest;
use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

/// Maximum number of articles in a feed.
const MAX_ITEMS: usize = 50;
/// The language of `index.html`.
const LANGUAGE: &str = "en-ca";
const CONTENT_TYPE: &str = "application/rss+xml; charset=utf-8";

/// GET `/rss.xml`.
pub(super) async fn everything(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    serve(catalogue, request, None).await
}

/// GET `/{section}/rss.xml`.
pub(super) async fn section(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Path(section): Path<String>,
) -> Result<Response, ApiError> {
    if catalogue.site.section_name(&section).is_none() {
        return Err(ApiError::not_found());
    }
    serve(catalogue, request, Some(section)).await
}

async fn serve(
    catalogue: Arc<Catalogue>,
    request: PublicRequest,
    section: Option<String>,
) -> Result<Response, ApiError> {
    if !catalogue.site.has("articles") {
        return Err(ApiError::not_found());
    }
    let path = Site::feed_path(section.as_deref());
    let key = CacheKey::list(&path, &request.params(&[]), &[Tag::Items]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            feed(catalogue, section)
        })
        .await
}

async fn feed(catalogue: Arc<Catalogue>, section: Option<String>) -> Result<Content, ApiError> {
    let found = newest(&catalogue, MAX_ITEMS, |request| {
        request.section = section.clone().unwrap_or_default();
    })
    .await?;
    let origin = catalogue.origin.as_str();
    let site = &catalogue.site;
    let name = section.as_deref().and_then(|slug| site.section_name(slug));
    let own = format!("{origin}{}", Site::feed_path(section.as_deref()));
    let mut channel = Channel::default();
    channel.set_title(match name {
        Some(name) => format!("{name} · {}", site.name),
        None => site.name.clone(),
    });
    channel.set_link(match &section {
        Some(slug) => format!("{origin}/{slug}/"),
        None => format!("{origin}/"),
    });
    channel.set_description(site.tagline.clone());
    channel.set_language(LANGUAGE.to_owned());
    channel.set_namespaces(BTreeMap::from([
        ("atom".to_owned(), "http://www.w3.org/2005/Atom".to_owned()),
        (
            "media".to_owned(),
            "http://search.yahoo.com/mrss/".to_owned(),
        ),
    ]));
    let self_link = [
        ("href", own.as_str()),
        ("rel", "self"),
        ("type", "application/rss+xml"),
    ];
    channel.set_extensions(extension("atom", "link", &self_link));
    channel.set_items(
        found
            .into_iter()
            .map(|article| item(origin, article))
            .collect::<Vec<_>>(),
    );
    Ok(Content::document_dated(CONTENT_TYPE, move |built| {
        let mut channel = channel.clone();
        channel.set_last_build_date(rfc822(built));
        channel.to_string()
    }))
}

fn item(origin: &str, article: Article) -> Item {
    let url = format!("{origin}{}", article.path);
    let mut item = Item::default();
    let published = article.date_published.as_ref();
    item.set_pub_date(published.and_then(instant::from_proto).map(rfc822));
    item.set_guid(Guid {
        value: url.clone(),
        permalink: true,
    });
    item.set_link(url);
    item.set_title(article.name);
    item.set_description((!article.excerpt.is_empty()).then_some(article.excerpt));
    let authors = article.authors.into_iter().map(|author| author.name);
    let mut core = DublinCoreExtension::default();
    core.set_creators(authors.collect::<Vec<_>>());
    item.set_dublin_core_ext(core);
    let tags = article.tags.into_iter().map(|tag| Category {
        name: tag.name,
        domain: None,
    });
    item.set_categories(tags.collect::<Vec<_>>());
    if let Some(image) = article.image_url {
        let image = format!("{origin}{image}");
        let picture = [("url", image.as_str()), ("medium", "image")];
        item.set_extensions(extension("media", "content", &picture));
    }
    item
}

/// Builds an element of another namespace.
fn extension(prefix: &str, name: &str, attributes: &[(&str, &str)]) -> ExtensionMap {
    let attributes = attributes
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let element = Extension {
        name: format!("{prefix}:{name}"),
        attrs: attributes.collect(),
        ..Extension::default()
    };
    let elements = BTreeMap::from([(name.to_owned(), vec![element])]);
    BTreeMap::from([(prefix.to_owned(), elements)])
}

/// Formats a date for RSS: RFC 822 with a four-digit year.
fn rfc822(at: DateTime<Utc>) -> String {
    at.to_rfc2822()
}
