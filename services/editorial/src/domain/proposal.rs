//! Proposed items of an import, validated one at a time; the error is the reason for a rejection.

use std::collections::BTreeMap;

use chassis::{
    markup::{self, LinkedPlace, Rendered},
    slug::{self, is_slug},
    text::{line, optional_line},
};
use chrono::{DateTime, Utc};

use super::{Contest, Detail, Kind, Named, PagePath, former};

/// Maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 500;
/// Maximum length of a text, in bytes of Markdown.
const MAX_BODY: usize = 200_000;

/// First path segments of other kinds, which sections cannot use.
const OWN_FOLDERS: [&str; 3] = ["contests", "events", "videos"];

/// The proposed state of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    pub(crate) source_id: String,
    pub(crate) kind: Kind,
    pub(crate) section: String,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) excerpt: String,
    /// Markdown before validation, sanitised HTML afterwards.
    pub(crate) body: String,
    pub(crate) image_url: Option<String>,
    pub(crate) is_age_restricted: bool,
    /// If absent, the time of the first import is used.
    pub(crate) published_at: Option<DateTime<Utc>>,
    pub(crate) unpublished_at: Option<DateTime<Utc>>,
    /// Whether the item is hidden regardless of its dates.
    pub(crate) is_draft: bool,
    pub(crate) authors: Vec<Named>,
    pub(crate) tags: Vec<Named>,
    /// Former addresses, normalised by validation.
    pub(crate) moved_from: Vec<String>,
    pub(crate) detail: Detail,
    /// The places that the text of an article may name, by slug.
    pub(crate) places: BTreeMap<String, LinkedPlace>,
    /// The places whose names the text of an article links.
    pub(crate) named: Vec<LinkedPlace>,
    /// The places that the text names and the event's place, set by validation.
    pub(crate) listing_ids: Vec<i64>,
}

impl Proposal {
    /// Validates an item and renders its text.
    pub(crate) fn checked(self) -> Result<Self, String> {
        match self.kind {
            Kind::Article if !is_slug(&self.section) => {
                return Err(format!(
                    "an article needs a section, not {:?}",
                    self.section
                ));
            }
            Kind::Article if OWN_FOLDERS.contains(&self.section.as_str()) => {
                return Err(format!(
                    "the section {:?} belongs to the site itself",
                    self.section
                ));
            }
            Kind::Article => {}
            _ if !self.section.is_empty() => {
                return Err("only an article has a section".to_owned());
            }
            _ => {}
        }
        if !is_slug(&self.slug) {
            return Err(format!("{:?} is no slug", self.slug));
        }
        if self.body.len() > MAX_BODY {
            return Err(format!("the text is longer than {MAX_BODY} bytes"));
        }
        if self.excerpt.chars().count() > MAX_EXCERPT {
            return Err(format!(
                "the excerpt is longer than {MAX_EXCERPT} characters"
            ));
        }
        check_storable("text", &self.body)?;
        check_storable("excerpt", &self.excerpt)?;
        let dates = self.published_at.zip(self.unpublished_at);
        if dates.is_some_and(|(published, end)| end <= published) {
            return Err("it is unpublished before it is published".to_owned());
        }
        let moved_from = self.moved_from.iter().map(|address| {
            former(address).ok_or_else(|| format!("{address:?} can be no former address"))
        });
        let mut moved_from = moved_from.collect::<Result<Vec<_>, _>>()?;
        moved_from.sort();
        moved_from.dedup();
        let detail = checked_detail(self.kind, self.detail)?;
        let Rendered { html, listing_ids } =
            rendered(self.kind, &self.body, (&self.places, &self.named))?;
        let venue = match &detail {
            Detail::Event(event) => event.listing_id,
            _ => None,
        };
        Ok(Self {
            source_id: line("source id", &self.source_id)?,
            name: line("name", &self.name)?,
            excerpt: self.excerpt.trim().to_owned(),
            body: html,
            image_url: optional_line("image", self.image_url.as_deref())?,
            moved_from,
            detail,
            listing_ids: listing_ids.into_iter().chain(venue).collect(),
            ..self
        })
    }

    /// Returns the path of the item's page.
    pub(crate) fn path(&self) -> PagePath {
        PagePath::new(self.kind, &self.section, &self.slug)
    }

    /// Returns the first time after `now` at which the visibility of the item changes, if its publication time is
    /// `published_at`.
    pub(crate) fn next_turn(
        &self,
        published_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        [Some(published_at), self.unpublished_at]
            .into_iter()
            .flatten()
            .find(|turn| *turn > now && !self.is_draft)
    }

    /// Whether the item is visible at `now`, if its publication time is `published_at`.
    pub(crate) fn is_live(&self, published_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        !self.is_draft && published_at <= now && self.unpublished_at.is_none_or(|end| now < end)
    }
}

impl Named {
    /// Creates an author or a tag from its display name.
    pub(crate) fn parse(what: &str, name: &str) -> Result<Self, String> {
        let name = line(what, name)?;
        let slug = slug::from_name(&name);
        if slug.is_empty() {
            return Err(format!(
                "the {what} {name:?} has no letter to make a slug of"
            ));
        }
        Ok(Self { slug, name })
    }
}

/// Renders a text. Only articles link the places that they name.
fn rendered(
    kind: Kind,
    body: &str,
    (places, named): (&BTreeMap<String, LinkedPlace>, &[LinkedPlace]),
) -> Result<Rendered, String> {
    if kind != Kind::Article {
        return Ok(Rendered {
            html: markup::render(body),
            listing_ids: Vec::new(),
        });
    }
    let rendered = markup::render_with(body, &|slug| places.get(slug).cloned(), named);
    rendered.map_err(|unknown| format!("there is no place {:?}", unknown.join(", ")))
}

fn checked_detail(kind: Kind, detail: Detail) -> Result<Detail, String> {
    match (kind, detail) {
        (Kind::Article | Kind::Page, Detail::Plain) => Ok(Detail::Plain),
        (Kind::Event, Detail::Event(mut event)) => {
            let (category, neighbourhood) = (&event.category, &event.neighbourhood);
            for (what, slug) in [("category", category), ("neighbourhood", neighbourhood)] {
                if !slug.is_empty() && !is_slug(slug) {
                    return Err(format!("the {what} {slug:?} is no slug"));
                }
            }
            for (what, text) in [
                ("venue", &event.venue),
                ("address", &event.address),
                ("price", &event.price),
                ("website", &event.website),
            ] {
                check_storable(what, text)?;
            }
            check_address("website", &event.website)?;
            event.schedule.normalize();
            event.schedule.check()?;
            Ok(Detail::Event(event))
        }
        (Kind::Contest, Detail::Contest(contest)) => {
            if contest.closes_at <= contest.opens_at {
                return Err("the contest closes before it opens".to_owned());
            }
            Ok(Detail::Contest(Contest {
                question: line("question", &contest.question)?,
                rules: markup::render(&contest.rules),
                ..contest
            }))
        }
        (Kind::Video, Detail::Video(video)) => {
            if video.url.is_empty() {
                return Err("a video needs its address".to_owned());
            }
            check_address("address of the video", &video.url)?;
            Ok(Detail::Video(video))
        }
        (kind, _) => Err(format!("it lacks what a {} has", kind.as_str())),
    }
}

/// PostgreSQL texts cannot contain NUL characters.
fn check_storable(what: &str, text: &str) -> Result<(), String> {
    if text.contains('\0') {
        return Err(format!("the {what} has a NUL character"));
    }
    Ok(())
}

fn check_address(what: &str, address: &str) -> Result<(), String> {
    let is_one = address.is_empty()
        || ["https://", "http://", "/media/"]
            .iter()
            .any(|begin| address.starts_with(begin));
    if is_one {
        Ok(())
    } else {
        Err(format!("the {what} {address:?} is no http(s) address"))
    }
}
