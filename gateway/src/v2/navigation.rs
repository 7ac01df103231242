//! GET `navigation/`: contents of the menus.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::{self as editorial, ListItemsRequest};
use places_proto::v1::{self as places, ListListingsRequest, ListTypesRequest};
use serde::Serialize;
use site::{ALL_ARTICLES, Link, NavigationLink};
use utoipa::ToSchema;

use super::listing::Listing;
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/navigation/";
/// Number of cards in a menu.
const CARDS: u32 = 4;
/// The type whose reviews have their own menu.
const RESTAURANTS: &str = "restaurants";

/// A place or an article in a menu.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MenuCard {
    id: i64,
    /// Title; if it is longer than 68 characters, its first 64 characters and " ...".
    title: String,
    share_url: String,
    image_url: Option<String>,
}

/// An entry of a menu.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MenuLink {
    label: String,
    href: String,
}

/// A menu: cards followed by links.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Menu {
    cards: Vec<MenuCard>,
    links: Vec<MenuLink>,
}

/// Contents of the menus. The menu of a disabled section is absent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Navigation {
    /// The navigation bar, from the site's settings.
    bar: Vec<NavigationLink>,
    /// The most recently reviewed restaurants.
    #[serde(skip_serializing_if = "Option::is_none")]
    restaurants: Option<Menu>,
    /// The newest articles, and links to all articles and to the sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    latest_news: Option<Menu>,
    /// The most recently reviewed places, and links to all places and to the types.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Menu>,
    #[serde(skip_serializing_if = "Option::is_none")]
    videos: Option<MenuLink>,
    /// Links to neighbourhoods and contests.
    more: Vec<MenuLink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patio_guide: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

impl MenuCard {
    fn new(id: i64, name: &str, share_url: String, image_url: Option<String>) -> Self {
        Self {
            id,
            title: menu_title(name),
            share_url,
            image_url,
        }
    }
}

impl MenuLink {
    fn new(label: &str, href: &str) -> Self {
        Self {
            label: label.to_owned(),
            href: href.to_owned(),
        }
    }
}

/// Shortens a title for menus, by number of characters.
fn menu_title(name: &str) -> String {
    const MAX: usize = 68;
    const KEPT: usize = 64;
    if name.chars().count() <= MAX {
        return name.to_owned();
    }
    let kept: String = name.chars().take(KEPT).collect();
    format!("{kept} ...")
}

/// Contents of the menus.
#[utoipa::path(get, path = "/api/v2/navigation/", operation_id = "get_navigation", tag = "catalogue",
    responses((status = 200, body = Navigation), (status = 304), (status = 503, body = ErrorBody)))]
pub(crate) async fn navigation(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let tags = &[Tag::Areas, Tag::Listings, Tag::Items];
    let key = CacheKey::list(PATH, &Params::default(), tags);
    catalogue
        .serve(&request, key, Freshness::Usual, menus)
        .await
}

async fn menus(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let site = &catalogue.site;
    let (guide, latest_news) = tokio::try_join!(guide(&catalogue), latest_news(&catalogue))?;
    let (restaurants, places) = guide.unzip();
    let link = |section, label, href| site.has(section).then(|| MenuLink::new(label, href));
    let more = [
        link("neighbourhoods", "Neighbourhoods", "/neighbourhoods/"),
        link("contests", "Contests", "/contests/"),
    ];
    Content::json(&Navigation {
        bar: site.navigation.clone(),
        restaurants: restaurants.flatten(),
        latest_news,
        places,
        videos: link("videos", "Videos", "/videos/"),
        more: more.into_iter().flatten().collect(),
        patio_guide: site.patio_guide.clone(),
        server_time: None,
    })
}

/// Returns the menu of restaurants, if that type exists, and the menu of places.
async fn guide(catalogue: &Catalogue) -> Result<Option<(Option<Menu>, Menu)>, ApiError> {
    if !catalogue.site.has("listings") {
        return Ok(None);
    }
    let mut services = catalogue.services.places();
    let request = catalogue.request(ListTypesRequest {});
    let types = services.list_types(request).await?.into_inner().types;
    let has_restaurants = types.iter().any(|kind| kind.slug == RESTAURANTS);
    let restaurants = async {
        if !has_restaurants {
            return Ok(None);
        }
        Ok::<_, ApiError>(Some(Menu {
            cards: reviewed(catalogue, RESTAURANTS).await?,
            links: Vec::new(),
        }))
    };
    let (restaurants, cards) = tokio::try_join!(restaurants, reviewed(catalogue, ""))?;
    let all = MenuLink::new("All Places", "/places/");
    let of_type =
        |kind: &places::ListingType| MenuLink::new(&kind.name, &format!("/{}/", kind.slug));
    let links = std::iter::once(all).chain(types.iter().map(of_type));
    let places = Menu {
        cards,
        links: links.collect(),
    };
    Ok(Some((restaurants, places)))
}

/// Returns the most recently reviewed places of a type or of all types.
async fn reviewed(catalogue: &Catalogue, kind: &str) -> Result<Vec<MenuCard>, ApiError> {
    let request = ListListingsRequest {
        page: Some(first("-date_reviewed")),
        r#type: kind.to_owned(),
        ..ListListingsRequest::default()
    };
    let request = catalogue.request(request);
    let found = catalogue.services.places().list_listings(request).await?;
    let cards = found.into_inner().listings.into_iter().map(|place| {
        let path = Listing::path(&place);
        MenuCard::new(place.id, &place.name, path, place.image_url)
    });
    Ok(cards.collect())
}

async fn latest_news(catalogue: &Catalogue) -> Result<Option<Menu>, ApiError> {
    if !catalogue.site.has("articles") {
        return Ok(None);
    }
    let request = ListItemsRequest {
        page: Some(first("-date_published")),
        kind: editorial::Kind::Article.into(),
        ..ListItemsRequest::default()
    };
    let request = catalogue.request(request);
    let found = catalogue.services.editorial().list_items(request).await?;
    let cards = found.into_inner().items.into_iter();
    let cards = cards.map(|item| MenuCard::new(item.id, &item.name, item.path, item.image_url));
    let all = MenuLink::new("All News", &format!("/{ALL_ARTICLES}/"));
    let sections = catalogue.site.article_sections.iter();
    let sections = sections
        .map(|section| MenuLink::new(&section.name, &format!("/{}/", section.slug)))
        .filter(|link| link.href != all.href);
    Ok(Some(Menu {
        cards: cards.collect(),
        links: std::iter::once(MenuLink::new(&all.label, &all.href))
            .chain(sections)
            .collect(),
    }))
}

fn first(ordering: &str) -> PageRequest {
    PageRequest {
        ordering: ordering.to_owned(),
        limit: CARDS,
        ..PageRequest::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_of_68_characters_stays_and_of_69_is_cut_to_64_and_dots() {
        for character in ["a", "é", "🚋"] {
            let fits = character.repeat(68);
            assert_eq!(menu_title(&fits), fits);
            let cut = menu_title(&character.repeat(69));
            assert_eq!(cut, format!("{} ...", character.repeat(64)));
        }
    }
}
