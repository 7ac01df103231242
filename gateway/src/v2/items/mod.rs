//! Editorial items, with a file for each kind, and their shared parts.

pub(crate) mod archives;
pub(crate) mod articles;
pub(crate) mod contests;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod gated;
pub(crate) mod pages;
pub(crate) mod places;
pub(crate) mod resource;
pub(crate) mod rows;
pub(crate) mod videos;

use editorial_proto::v1::{Item, Named};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time;
use site::Site;

use crate::words::{dates, this_year::ThisYear};

/// A name, with the slug for filters.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct NamedSlug {
    pub(crate) slug: String,
    pub(crate) name: String,
}

/// Fields shared by all kinds of items.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Card {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Path of the object's page.
    pub(crate) share_url: String,
    /// Address of the picture. If it ends with `/whole` (at most 1600 pixels wide), the endings `/300x200`, `/600x400`
    /// and `/720x480` return cropped versions. Absent, like the excerpt, if the item is age-restricted.
    pub(crate) image_url: Option<String>,
    pub(crate) excerpt: String,
    pub(crate) is_age_restricted: bool,
    /// Time of publication.
    #[schema(format = DateTime)]
    pub(crate) date_created: Option<String>,
    #[schema(format = DateTime)]
    pub(crate) date_published: Option<String>,
    /// The date of `date_published` in the site's time zone, in words: "November 20", "November 20, 2025".
    pub(crate) published_on: Option<String>,
    pub(crate) authors: Vec<NamedSlug>,
    pub(crate) tags: Vec<NamedSlug>,
}

impl Card {
    fn new(site: &Site, year: &ThisYear, item: Item) -> Self {
        let published = time::text(item.date_published.as_ref());
        Self {
            id: item.id,
            name: item.name,
            share_url: item.path,
            image_url: item.image_url,
            excerpt: item.excerpt,
            is_age_restricted: item.is_age_restricted,
            published_on: dates::day_of(published.as_deref(), site.timezone)
                .map(|day| year.omitted_from(&day)),
            date_created: published.clone(),
            date_published: published,
            authors: item.authors.into_iter().map(NamedSlug::from).collect(),
            tags: item.tags.into_iter().map(NamedSlug::from).collect(),
        }
    }
}

impl From<Named> for NamedSlug {
    fn from(named: Named) -> Self {
        Self {
            slug: named.slug,
            name: named.name,
        }
    }
}
