//! Converts posts of other systems to items.

use std::collections::HashSet;

use chassis::{instant, slug};
use chrono::{DateTime, Utc};
use editorial_proto::v1::{ImportItem, Kind};
use url::Url;

use super::{
    super::text,
    html::{Converter, Place},
    notes::{Note, Notes},
    plan::Plan,
};

/// Maximum length of a name, in characters; longer names end with an ellipsis.
const MAX_NAME: usize = 255;
/// Maximum length of a name generated from the text of a post without a title, in characters.
const MADE_NAME: usize = 60;
/// Maximum number of tags.
const MAX_TAGS: usize = 30;

/// A post or page of another system.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// Position in the file.
    pub(super) position: String,
    /// Source id, such as "wordpress:example.com:17".
    pub(super) source_id: String,
    pub(super) is_page: bool,
    /// May contain tags and entities.
    pub(super) title: String,
    /// Last part of the post's address; empty if the post has no address.
    pub(super) slug: String,
    /// Distinguishes the post from posts with the same slug, for example by its number in the other system.
    pub(super) mark: String,
    pub(super) html: String,
    /// May contain tags; if empty, the beginning of the text is used.
    pub(super) excerpt: String,
    pub(super) authors: Vec<String>,
    /// Slugs and names. The first category that is a section in the plan or site becomes the section, the others become
    /// tags.
    pub(super) categories: Vec<[String; 2]>,
    pub(super) tags: Vec<String>,
    pub(super) published_at: Option<DateTime<Utc>>,
    pub(super) is_draft: bool,
    /// Former addresses, as paths.
    pub(super) addresses: Vec<String>,
    /// Address of the picture on the post's card.
    pub(super) picture: Option<String>,
    /// Base of relative addresses in the post's text; `None` if the addresses belong to this site.
    pub(super) base: Option<Url>,
}

/// Converts stories to items, one at a time.
pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan,
    pub(super) converter: Converter,
    /// Paths used by this input.
    taken: HashSet<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(plan: &'a Plan, converter: Converter) -> Self {
        Self {
            plan,
            converter,
            taken: HashSet::new(),
        }
    }

    /// Converts a story to an item and records notes, or returns the reason why it is rejected.
    pub(super) fn item(&mut self, story: Story, notes: &mut Notes) -> Result<ImportItem, String> {
        let place = Place {
            position: &story.position,
            source_id: &story.source_id,
            base: story.base.as_ref(),
        };
        let markdown = self.converter.markdown(&story.html, place, notes)?;
        let image_url = story.picture.as_deref().and_then(|address| {
            let found = self.converter.picture(address);
            if let Err(why) = &found {
                notes.add(place.note(Note::Picture, &format!("{address}: {why}")));
            }
            Some(found.ok()?.address)
        });
        let (section, tags) = self.section_and_tags(&story);
        let title = self.converter.prose(&story.title)?;
        let slug = self.slug(&story, &title, &section);
        let path = if story.is_page {
            format!("/{slug}/")
        } else {
            format!("/{section}/{slug}/")
        };
        let plain = self.converter.prose(&story.html)?;
        let written = text::excerpt(&self.converter.prose(&story.excerpt)?);
        let mut moved_from = story.addresses;
        moved_from.retain(|address| *address != path);
        let kind = if story.is_page {
            Kind::Page
        } else {
            Kind::Article
        };
        Ok(ImportItem {
            name: name(&title, &plain, &slug),
            position: story.position,
            source_id: story.source_id,
            kind: kind.into(),
            section,
            slug,
            excerpt: if written.is_empty() {
                text::excerpt(&plain)
            } else {
                written
            },
            body_markdown: markdown,
            image_url,
            published_at: story.published_at.map(instant::to_proto),
            is_draft: story.is_draft,
            authors: story.authors,
            tags,
            moved_from,
            // If the content folder contains the article too, the content folder takes precedence.
            yields: true,
            ..ImportItem::default()
        })
    }

    /// Returns the section of an article, and its tags: its other categories, followed by its own tags.
    fn section_and_tags(&self, story: &Story) -> (String, Vec<String>) {
        let mut section = None;
        let mut tags: Vec<String> = Vec::new();
        for [slug, name] in &story.categories {
            match self.plan.section(slug) {
                Some(found) if section.is_none() && !story.is_page => {
                    section = Some(found.to_owned());
                }
                _ if self.plan.is_ignored(slug) => {}
                _ => tags.push(name.clone()),
            }
        }
        tags.extend(story.tags.iter().cloned());
        let tags = tags.iter().map(|tag| text::line(tag));
        let mut seen = HashSet::new();
        // A tag's name must result in a slug.
        let tags = tags.filter(|tag| {
            let slug = slug::from_name(tag);
            !slug.is_empty() && seen.insert(slug)
        });
        let tags = tags.take(MAX_TAGS).collect();
        let section = section.unwrap_or_else(|| self.plan.default_section.clone());
        (
            if story.is_page {
                String::new()
            } else {
                section
            },
            tags,
        )
    }

    /// Returns a slug that is unique within its section in this input.
    fn slug(&mut self, story: &Story, title: &str, section: &str) -> String {
        let mut slugs = [&story.slug, title].into_iter().map(slug::from_name);
        let found = slugs.find(|slug| !slug.is_empty());
        let kind = if story.is_page { "page" } else { "article" };
        let slug = found.unwrap_or_else(|| format!("{kind}-{}", story.mark));
        if self.taken.insert(format!("{section}/{slug}")) {
            return slug;
        }
        let marked = slug::from_name(&format!("{} {slug}", story.mark));
        self.taken.insert(format!("{section}/{marked}"));
        marked
    }
}

/// Returns the name: the title, or the beginning of the text, or the words of the slug.
fn name(title: &str, plain: &str, slug: &str) -> String {
    if !title.is_empty() {
        return cut(title, MAX_NAME);
    }
    if !plain.is_empty() {
        return cut(plain, MADE_NAME);
    }
    let words = slug.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or(words.clone(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Truncates a text to at most `most` characters, at the end of a word.
fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    // Leaves room for the ellipsis.
    let begin = text[..end]
        .char_indices()
        .last()
        .map_or("", |(at, _)| &text[..at]);
    let word = begin.rfind(' ').unwrap_or(begin.len());
    format!(
        "{}…",
        begin[..word].trim_end_matches([',', ';', ':', '-', '–'])
    )
}
