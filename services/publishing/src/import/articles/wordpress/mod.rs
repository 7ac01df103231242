//! WordPress exports (WXR): posts become articles, pages become pages.

mod autop;
mod content;
mod index;
mod item;
mod shortcodes;

use std::io::BufRead;

use chrono::{DateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use percent_encoding::percent_decode_str;

use self::{
    content::Around,
    index::Index,
    item::{Item, Part, parts},
};
use super::{
    html::FormerSite,
    notes::{Note, Noted, Notes},
    story::Story,
};

/// An export for its second reading, with the results of the first.
pub(super) struct Export {
    index: Index,
    zone: Tz,
}

impl Export {
    /// Reads a file for the first time. `zone` is the site's time zone.
    pub(super) fn read(file: impl BufRead, zone: Tz) -> Result<Self, String> {
        let index = Index::read(file)?;
        Ok(Self { index, zone })
    }

    pub(super) fn site(&self) -> FormerSite {
        self.index.site.clone()
    }

    /// Passes each post and page to `take` until it returns false; an invalid entry is passed with the reason.
    pub(super) fn each(
        &self,
        file: impl BufRead,
        notes: &mut Notes,
        mut take: impl FnMut(Result<Story, (String, String)>, &mut Notes) -> bool,
    ) -> Result<(), String> {
        let mut goes_on = true;
        parts(file, |position, part| {
            if let Part::Item(item) = part
                && goes_on
                && matches!(item.kind.as_str(), "post" | "page")
            {
                let story = self.story(&position, *item, notes);
                goes_on = take(story.map_err(|why| (position, why)), notes);
            }
            Ok(())
        })?;
        for (kind, count) in &self.index.others {
            notes.add(Noted {
                what: Note::Kind,
                position: String::new(),
                source_id: String::new(),
                detail: format!("{count} of the kind {kind:?}"),
            });
        }
        Ok(())
    }

    fn story(&self, position: &str, item: Item, notes: &mut Notes) -> Result<Story, String> {
        let source_id = format!("wordpress:{}:{}", self.index.name, item.id);
        let mut note = |what, detail: String| {
            notes.add(Noted {
                what,
                position: position.to_owned(),
                source_id: source_id.clone(),
                detail,
            });
        };
        let is_draft = match item.status.as_str() {
            "publish" | "future" if !item.has_password => false,
            "publish" | "future" => {
                note(Note::Hidden, "protected by a password".to_owned());
                true
            }
            "private" => {
                note(Note::Hidden, "private".to_owned());
                true
            }
            "draft" | "pending" => true,
            other => return Err(format!("its status is {other:?}")),
        };
        if item.id == 0 {
            return Err("it has no wp:post_id".to_owned());
        }
        let gallery = |ids: Option<&str>| self.index.gallery(item.id, ids);
        let html = content::html(
            &item.content,
            &mut Around {
                gallery: &gallery,
                notes: &mut note,
            },
        );
        let excerpt = match (item.excerpt.trim(), content::before_more(&item.content)) {
            ("", None) => String::new(),
            // Notes were already recorded for the full text.
            ("", Some(before)) => content::html(
                before,
                &mut Around {
                    gallery: &|_| Vec::new(),
                    notes: &mut |_, _| {},
                },
            ),
            (written, _) => written.to_owned(),
        };
        let thumbnail = item.thumbnail.and_then(|id| self.index.attachment(id));
        let slug = percent_decode_str(&item.slug)
            .decode_utf8_lossy()
            .into_owned();
        Ok(Story {
            position: position.to_owned(),
            is_page: item.kind == "page",
            slug,
            mark: item.id.to_string(),
            html,
            excerpt,
            authors: [self.index.author(&item.author)]
                .into_iter()
                .filter(|name| !chassis::slug::from_name(name).is_empty())
                .collect(),
            published_at: item.published_at().or_else(|| self.local(&item.date)),
            is_draft,
            addresses: item.addresses(self.index.is_whole_host),
            picture: thumbnail.map(|attachment| attachment.address.clone()),
            base: None,
            title: item.title,
            categories: item.categories,
            tags: item.tags,
            source_id,
        })
    }

    /// Parses a time in the site's time zone.
    fn local(&self, date: &str) -> Option<DateTime<Utc>> {
        let local = self.zone.from_local_datetime(&item::time(date)?);
        Some(local.earliest()?.to_utc())
    }
}

#[cfg(test)]
mod tests;
