//! Source of the streets on the site's maps.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::policy_source::{is_origin, origin_of};

/// `[map]` of a site's file. Without it, maps have no streets, and pages make no requests to other sites for them.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapSettings {
    /// Style for `MapLibre`: a path of this site, or an address.
    style: String,
    /// Further origins from which the style loads tiles, fonts and pictures: `https://tiles.example`.
    #[serde(default)]
    #[schema(required = true)]
    origins: Vec<String>,
}

impl MapSettings {
    /// Rejects a style or origin that pages cannot load.
    pub fn check(&self) -> Result<(), String> {
        let Self { style, origins } = self;
        let is_path = style.starts_with('/') && !style.starts_with("//");
        if !is_path && origin_of(style).is_none() {
            return Err(format!(
                "map.style: {style:?} is neither a path nor an address"
            ));
        }
        match origins.iter().find(|text| !is_origin(text)) {
            Some(text) => Err(format!("map.origins: {text:?} is no origin")),
            None => Ok(()),
        }
    }

    /// Returns the other origins of a page with a map, in the syntax of a content security policy.
    #[must_use]
    pub fn sources(&self) -> Vec<String> {
        let named = self.origins.iter().cloned();
        let mut all: Vec<_> = origin_of(&self.style).into_iter().chain(named).collect();
        all.sort();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(style: &str, origins: &[&str]) -> MapSettings {
        MapSettings {
            style: style.to_owned(),
            origins: origins.iter().map(|&origin| origin.to_owned()).collect(),
        }
    }

    #[test]
    fn a_policy_names_each_origin_once_and_nothing_for_a_style_of_our_own() {
        let elsewhere = map(
            "https://Maps.example/styles/paper.json?key=1",
            &["https://tiles.example:8443", "https://maps.example"],
        );
        assert_eq!(elsewhere.check(), Ok(()));
        assert_eq!(
            elsewhere.sources(),
            ["https://maps.example", "https://tiles.example:8443"]
        );
        assert_eq!(map("/map/style.json", &[]).check(), Ok(()));
        assert!(map("/map/style.json", &[]).sources().is_empty());
    }

    #[test]
    fn what_is_no_address_or_would_widen_the_policy_is_refused() {
        for style in [
            "//maps.example/style.json",
            "style.json",
            "javascript:alert(1)",
            "https://maps.example;script-src */style.json",
            "data:text/json,{}",
            "",
        ] {
            assert!(map(style, &[]).check().is_err(), "{style}");
        }
        for origin in [
            "https://tiles.example/",
            "https://tiles.example/path",
            "https://*.example",
            "https://a.example;script-src",
            "https://a@b.example",
            "*",
            "https:",
            "'unsafe-inline'",
        ] {
            let refused = map("/style.json", &[origin]).check();
            assert!(refused.is_err(), "{origin}");
        }
    }
}
