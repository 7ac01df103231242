//! Structured data (schema.org) shared by several kinds of pages.

use serde_json::{Value, json};

use site::Site;

use crate::v2::items::Card;

/// Breadcrumbs of a page: names and paths below the front page.
pub(super) fn breadcrumbs(site: &Site, origin: &str, steps: &[(&str, &str)]) -> Value {
    let all = [(site.name.as_str(), "/")];
    let all = all.iter().chain(steps).zip(1..);
    let items = all.map(|((name, path), position)| {
        json!({
            "@type": "ListItem",
            "position": position,
            "name": name,
            "item": format!("{origin}{path}"),
        })
    });
    json!({"@type": "BreadcrumbList", "itemListElement": items.collect::<Vec<_>>()})
}

/// The site's publisher.
pub(super) fn organization(site: &Site, origin: &str) -> Value {
    json!({"@type": "NewsMediaOrganization", "name": site.name, "url": format!("{origin}/")})
}

/// An object for an item's card.
pub(super) fn card(origin: &str, kind: &str, card: &Card) -> Value {
    let texts = [&*card.name, &*card.share_url, &*card.excerpt];
    item(origin, kind, texts, card.image_url.as_deref())
}

/// An object for an item, from its name, path, excerpt and picture.
pub(super) fn item(
    origin: &str,
    kind: &str,
    [name, path, excerpt]: [&str; 3],
    image: Option<&str>,
) -> Value {
    let mut object = json!({"@type": kind, "name": name, "url": format!("{origin}{path}")});
    if let Some(image) = image {
        object["image"] = json!([format!("{origin}{image}")]);
    }
    if !excerpt.is_empty() {
        object["description"] = json!(excerpt);
    }
    object
}
