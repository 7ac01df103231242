//! Ghost exports (JSON): posts become articles, pages become pages.

mod index;
mod rows;

use std::io::BufRead;

use chrono::{DateTime, NaiveDateTime, Utc};

use self::{
    index::Index,
    rows::{Post, Row, rows},
};
use super::{
    html::FormerSite,
    notes::{Note, Noted, Notes},
    story::Story,
};

/// Placeholder for the site's address, which the export does not contain.
const SITE: &str = "__GHOST_URL__";

/// An export for its second reading, with the results of the first.
pub(super) struct Ghost {
    index: Index,
}

impl Ghost {
    /// Reads a file for the first time.
    pub(super) fn read(file: impl BufRead) -> Result<Self, String> {
        let index = Index::read(file)?;
        Ok(Self { index })
    }

    pub(super) fn site(&self) -> FormerSite {
        FormerSite {
            paths: self.index.paths.clone(),
            ..FormerSite::default()
        }
    }

    /// Passes each post and page to `take` until it returns false; an invalid entry is passed with the reason.
    pub(super) fn each(
        &self,
        file: impl BufRead,
        notes: &mut Notes,
        mut take: impl FnMut(Result<Story, (String, String)>, &mut Notes) -> bool,
    ) -> Result<(), String> {
        let mut goes_on = true;
        rows(file, |position, row| {
            let story = match row {
                _ if !goes_on => return Ok(()),
                Ok(Row::Post(post)) => self.story(&position, *post, notes),
                Ok(_) => return Ok(()),
                Err(why) => Err(why),
            };
            goes_on = take(story.map_err(|why| (position, why)), notes);
            Ok(())
        })
    }

    fn story(&self, position: &str, post: Post, notes: &mut Notes) -> Result<Story, String> {
        if post.id.0.is_empty() {
            return Err("it has no id".to_owned());
        }
        let source_id = format!("ghost:{}", post.id.0);
        let mut note = |what, detail: String| {
            notes.add(Noted {
                what,
                position: position.to_owned(),
                source_id: source_id.clone(),
                detail,
            });
        };
        let mut is_draft = match post.status.0.as_str() {
            "published" | "scheduled" => false,
            "draft" => true,
            "sent" => {
                note(Note::Hidden, "sent by mail alone".to_owned());
                true
            }
            other => return Err(format!("its status is {other:?}")),
        };
        let visibility = post.visibility.0.as_str();
        if !is_draft && !matches!(visibility, "" | "public") {
            note(Note::Hidden, format!("for {visibility:?} alone"));
            is_draft = true;
        }
        let has_text = !post.html.0.trim().is_empty();
        let editors = [
            (&post.lexical, "lexical"),
            (&post.mobiledoc, "mobiledoc"),
            (&post.markdown, "markdown"),
        ];
        if !has_text && let Some((_, form)) = editors.iter().find(|(text, _)| !text.0.is_empty()) {
            let detail = format!("its text is there as {form} alone, and not as html");
            note(Note::Block, detail);
        }
        let here = |text: &str| text.replace(SITE, "");
        let picture = [&post.feature_image, &post.image]
            .into_iter()
            .find(|picture| !picture.0.is_empty());
        let published_at = time(&post.published_at.0);
        Ok(Story {
            position: position.to_owned(),
            is_page: post.is_page(),
            mark: post.id.0.clone(),
            html: here(&post.html.0),
            // The excerpt is plain text, so apparent tags are escaped.
            excerpt: html_escape::encode_text(&post.custom_excerpt.0).into_owned(),
            authors: self
                .index
                .authors(&post.id, &post.author_id)
                .into_iter()
                .filter(|name| !chassis::slug::from_name(name).is_empty())
                .collect(),
            categories: self.index.tags(&post.id),
            published_at: published_at.or_else(|| time(&post.created_at.0)),
            is_draft,
            addresses: index::path(&post.slug.0).into_iter().collect(),
            picture: picture.map(|picture| here(&picture.0)),
            title: html_escape::encode_text(&post.title.0).into_owned(),
            slug: post.slug.0,
            source_id,
            ..Story::default()
        })
    }
}

/// Parses a time in the formats of all Ghost versions; `None` if it is empty or invalid.
fn time(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(milliseconds) = text.parse() {
        return DateTime::from_timestamp_millis(milliseconds);
    }
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.to_utc());
    }
    let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S");
    time.ok().map(|time| time.and_utc())
}

#[cfg(test)]
mod tests;
