//! The plan of an import, which maps categories to sections.

use std::collections::{BTreeMap, BTreeSet};

use chassis::slug::is_slug;
use serde::Deserialize;
use site::SourceSettings;

/// A publisher's decisions about an import, in TOML.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Section of articles without a mapped category [default: the site's first section].
    #[serde(default)]
    pub(super) default_section: String,
    /// Sections by category slug. A category with the same slug as a section needs no entry.
    #[serde(default)]
    sections: BTreeMap<String, String>,
    /// Categories that do not become tags.
    #[serde(default)]
    ignored: BTreeSet<String>,
    #[serde(skip)]
    of_site: Vec<String>,
}

impl Plan {
    /// Reads a plan for a site with these sections; an error contains its line.
    pub fn read(toml: &str, of_site: &[String]) -> Result<Self, String> {
        let plan: Self = toml::from_str(toml).map_err(|error| error.to_string())?;
        plan.of_site(of_site)
    }

    /// Returns the plan of a polled source.
    pub fn of_source(source: &SourceSettings, of_site: &[String]) -> Result<Self, String> {
        let plan = Self {
            default_section: source.section.clone(),
            sections: source.sections.clone(),
            ignored: source.ignored.clone(),
            of_site: Vec::new(),
        };
        plan.of_site(of_site)
    }

    fn of_site(self, of_site: &[String]) -> Result<Self, String> {
        let mut plan = self;
        of_site.clone_into(&mut plan.of_site);
        if plan.default_section.is_empty() {
            let first = of_site
                .first()
                .ok_or("the site has no sections of articles");
            first?.clone_into(&mut plan.default_section);
        }
        let named = plan.sections.values().chain([&plan.default_section]);
        for section in named {
            if !is_slug(section) {
                return Err(format!("the section {section:?} is no slug"));
            }
            if !of_site.contains(section) {
                return Err(format!(
                    "the site has no section {section:?}, but {}",
                    of_site.join(", ")
                ));
            }
        }
        Ok(plan)
    }

    pub(super) fn section(&self, category: &str) -> Option<&str> {
        let of_site = self.of_site.iter().find(|section| *section == category);
        let planned = self.sections.get(category);
        planned.or(of_site).map(String::as_str)
    }

    pub(super) fn is_ignored(&self, category: &str) -> bool {
        // WordPress assigns this category to posts without a category.
        category == "uncategorized" || self.ignored.contains(category)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> Result<Plan, String> {
        Plan::read(toml, &["news".to_owned(), "culture".to_owned()])
    }

    #[test]
    fn a_category_has_the_section_that_the_plan_or_the_site_gives_it() {
        let plan =
            read("ignored = [\"sticky\"]\n[sections]\nmusic = \"culture\"\nnews = \"culture\"");
        let plan = plan.expect("valid");
        assert_eq!(plan.default_section, "news");
        assert_eq!(plan.section("music"), Some("culture"));
        assert_eq!(plan.section("news"), Some("culture"));
        assert_eq!(plan.section("culture"), Some("culture"));
        assert_eq!(plan.section("food"), None);
        assert!(plan.is_ignored("sticky") && plan.is_ignored("uncategorized"));
    }

    #[test]
    fn a_plan_names_sections_of_the_site() {
        for (toml, why) in [
            (
                "default_section = \"food\"",
                "the site has no section \"food\", but news, culture",
            ),
            (
                "[sections]\nfood = \"Food\"",
                "the section \"Food\" is no slug",
            ),
            ("sections = 5", "invalid type"),
            ("else = 5", "unknown field `else`"),
        ] {
            let error = read(toml).expect_err(toml);
            assert!(error.contains(why), "{error}");
        }
        assert!(Plan::read("", &[]).is_err());
    }
}
