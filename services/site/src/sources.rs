//! External feeds and calendars, polled on a schedule.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chassis::slug::is_slug;
use serde::Deserialize;
use url::Url;

use super::parts::ArticleSection;

/// Valid polling intervals in minutes.
const MINUTES: std::ops::RangeInclusive<u32> = 5..=10_080;
/// Maximum number of sources of a site.
const MAX_SOURCES: usize = 200;
/// Maximum length of a name, in bytes.
const MAX_NAME: usize = 60;

/// The content of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// A feed: RSS 2.0, Atom or JSON Feed.
    Articles,
    /// A calendar: iCalendar or JSON-LD.
    Events,
}

/// `[[sources]]` of the site's file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSettings {
    /// Slug that identifies the source's items.
    pub name: String,
    /// Kind of content.
    pub kind: SourceKind,
    /// Address, which may contain a secret.
    pub url: String,
    /// Polling interval in minutes: 5 to 10,080 (a week).
    pub every_minutes: u32,
    /// Whether the source's items are imported as drafts. By default, articles are drafts and events are not.
    drafts: Option<bool>,
    /// Section of articles without a mapped category; by default the site's first section.
    #[serde(default)]
    pub section: String,
    /// Sections by category slug.
    #[serde(default)]
    pub sections: BTreeMap<String, String>,
    /// Categories that do not become tags.
    #[serde(default)]
    pub ignored: BTreeSet<String>,
}

impl SourceSettings {
    /// Whether the source's items are imported as drafts.
    #[must_use]
    pub fn are_drafts(&self) -> bool {
        self.drafts.unwrap_or(self.kind == SourceKind::Articles)
    }

    fn check(&self, sections: &[ArticleSection]) -> Result<(), String> {
        if !is_slug(&self.name) || self.name.len() > MAX_NAME {
            return Err("its name is no slug of 60 letters at most".to_owned());
        }
        let url = Url::parse(&self.url).map_err(|error| format!("its url is none: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("its url begins with neither https: nor http:".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("its url names a user".to_owned());
        }
        if !MINUTES.contains(&self.every_minutes) {
            let (least, most) = (MINUTES.start(), MINUTES.end());
            return Err(format!(
                "every_minutes is {least} to {most}, not {}",
                self.every_minutes
            ));
        }
        let named = [&self.section]
            .into_iter()
            .filter(|section| !section.is_empty());
        let mut named = named.chain(self.sections.values());
        let is_there = |named: &String| sections.iter().any(|section| section.slug == *named);
        if let Some(absent) = named.find(|section| !is_there(section)) {
            return Err(format!("the site has no section {absent:?}"));
        }
        match self.kind {
            SourceKind::Articles if sections.is_empty() => {
                Err("the site has no sections of articles".to_owned())
            }
            SourceKind::Events
                if !(self.section.is_empty()
                    && self.sections.is_empty()
                    && self.ignored.is_empty()) =>
            {
                Err("events have no sections".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// Rejects sources that cannot be polled.
pub(crate) fn check(sources: &[SourceSettings], sections: &[ArticleSection]) -> Result<(), String> {
    if sources.len() > MAX_SOURCES {
        return Err(format!("a site has {MAX_SOURCES} sources at most"));
    }
    let mut names = HashSet::new();
    for source in sources {
        let name = &source.name;
        let refuse = |why: String| format!("the source {name:?}: {why}");
        source.check(sections).map_err(refuse)?;
        if !names.insert(name) {
            return Err(refuse("there is another of this name".to_owned()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> Result<Vec<SourceSettings>, String> {
        #[derive(Deserialize)]
        struct File {
            sources: Vec<SourceSettings>,
        }
        let file: File = toml::from_str(toml).map_err(|error| error.to_string())?;
        let news = toml::from_str("slug = \"news\"\nname = \"News\"").expect("a section");
        check(&file.sources, &[news])?;
        Ok(file.sources)
    }

    fn source(kind: &str, more: &str) -> String {
        format!(
            "[[sources]]\nname = \"desk\"\nkind = \"{kind}\"\nurl = \"https://desk.example/feed\"\nevery_minutes = 30\n{more}\n"
        )
    }

    #[test]
    fn articles_are_drafts_and_events_are_not_unless_the_site_says_so() {
        for (kind, more, are_drafts) in [
            (
                "articles",
                "section = \"news\"\nsections = { music = \"news\" }",
                true,
            ),
            ("articles", "drafts = false", false),
            ("events", "", false),
            ("events", "drafts = true", true),
        ] {
            let sources = read(&source(kind, more)).expect("valid");
            assert_eq!(sources[0].are_drafts(), are_drafts, "{kind} {more}");
        }
    }

    #[test]
    fn a_source_that_could_not_be_polled_is_refused_with_its_name() {
        let whole = source("articles", "");
        for (toml, why) in [
            (whole.replace("desk\"", "The desk\""), "its name is no slug"),
            (
                whole.replace("https:", "ftp:"),
                "its url begins with neither https: nor http:",
            ),
            (
                whole.replace("https://", "https://ada:secret@"),
                "its url names a user",
            ),
            (whole.replace("https://desk.example", ""), "its url is none"),
            (
                whole.replace("= 30", "= 4"),
                "every_minutes is 5 to 10080, not 4",
            ),
            (
                whole.replace("= 30", "= 20000"),
                "every_minutes is 5 to 10080, not 20000",
            ),
            (
                whole.replace("articles", "places"),
                "unknown variant `places`",
            ),
            (
                format!("{whole}section = \"sports\""),
                "the site has no section \"sports\"",
            ),
            (
                source("events", "ignored = [\"x\"]"),
                "events have no sections",
            ),
            (
                format!("{whole}{whole}"),
                "the source \"desk\": there is another of this name",
            ),
            (format!("{whole}every = 5"), "unknown field `every`"),
        ] {
            let refused = read(&toml).expect_err(why);
            assert!(refused.contains(why), "{why}: {refused}");
        }
    }
}
