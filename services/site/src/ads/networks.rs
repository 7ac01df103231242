//! Ad networks that a site enables. Their scripts are loaded only for readers who have allowed it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::policy_source::{is_origin, origin_of};

/// Address of the Google Publisher Tag library, which must be loaded from Google.
const GOOGLE: &str = "https://securepubads.g.doubleclick.net/tag/js/gpt.js";

/// `[ads.google]`: Google Publisher Tag.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GoogleSettings {
    /// Prefix of the slots' ad units: `/1234/guide` for `/1234/guide/lead`.
    network: String,
    /// Address of the library.
    #[serde(default = "google")]
    #[schema(required = true)]
    script: String,
    /// Other origins that the library and its ads load from.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub origins: Vec<String>,
    /// Names of the library's own trusted-types policies.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub trusted_types: Vec<String>,
}

/// `[ads.prebid]`: a build of Prebid.js and its bidders.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrebidSettings {
    /// Address of the site's build of Prebid.js.
    script: String,
    /// Bidders for all slots.
    bidders: Vec<Bidder>,
    /// Other origins that the bidders load from.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub origins: Vec<String>,
    /// Names of the build's own trusted-types policies.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub trusted_types: Vec<String>,
}

/// A bidder of Prebid.js.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Bidder {
    bidder: String,
    /// Parameters of the bidder, which identify the publisher and never a reader.
    #[serde(default)]
    #[schema(required = true)]
    params: Map<String, Value>,
}

impl GoogleSettings {
    pub fn script_origin(&self) -> Option<String> {
        origin_of(&self.script)
    }

    pub fn check(&self) -> Result<(), String> {
        let code = self.network.strip_prefix('/').unwrap_or_default();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./,".contains(letter);
        let is_unit = code.starts_with(|letter: char| letter.is_ascii_digit())
            && !code.ends_with('/')
            && code.chars().all(is_plain);
        if !is_unit {
            return Err(format!(
                "ads.google.network: {:?} is no ad unit such as \"/1234/guide\"",
                self.network
            ));
        }
        check_sources("google", &self.script, &self.origins, &self.trusted_types)
    }
}

impl PrebidSettings {
    pub fn script_origin(&self) -> Option<String> {
        origin_of(&self.script)
    }

    pub fn check(&self) -> Result<(), String> {
        if self.bidders.is_empty() {
            return Err("ads.prebid.bidders names nobody".to_owned());
        }
        if self.bidders.iter().any(|one| one.bidder.is_empty()) {
            return Err("ads.prebid.bidders: a bidder has no name".to_owned());
        }
        check_sources("prebid", &self.script, &self.origins, &self.trusted_types)
    }
}

/// Rejects scripts and origins that a page cannot load or that are invalid in its policy.
fn check_sources(
    network: &str,
    script: &str,
    origins: &[String],
    trusted_types: &[String],
) -> Result<(), String> {
    if origin_of(script).is_none() {
        return Err(format!("ads.{network}.script: {script:?} is no address"));
    }
    if let Some(text) = origins.iter().find(|text| !is_origin(text)) {
        return Err(format!("ads.{network}.origins: {text:?} is no origin"));
    }
    match trusted_types.iter().find(|name| !is_policy_name(name)) {
        Some(name) => Err(format!(
            "ads.{network}.trusted_types: {name:?} is no name of a policy"
        )),
        None => Ok(()),
    }
}

/// Whether a name is valid in a `trusted-types` directive (Trusted Types, section 4.2).
fn is_policy_name(name: &str) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-#=_/@.%".contains(letter);
    !name.is_empty() && name.chars().all(is_name)
}

fn google() -> String {
    GOOGLE.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn google_with(line: &str) -> Result<(), String> {
        let text = format!("network = \"/1234/guide\"\n{line}");
        let settings: GoogleSettings = toml::from_str(&text).map_err(|why| why.to_string())?;
        settings.check()
    }

    #[test]
    fn google_needs_an_ad_unit_and_its_script_has_googles_address() {
        let settings: GoogleSettings = toml::from_str("network = \"/1234,56/guide\"").unwrap();
        assert_eq!(settings.check(), Ok(()));
        let origin = settings.script_origin();
        assert_eq!(
            origin.as_deref(),
            Some("https://securepubads.g.doubleclick.net")
        );
        for network in [
            "",
            "1234/guide",
            "/guide",
            "/1234/",
            "/1234/a b",
            "//1234/x",
        ] {
            let wrong: GoogleSettings = toml::from_str(&format!("network = {network:?}")).unwrap();
            let why = wrong.check().expect_err(network);
            assert!(why.contains("is no ad unit"), "{why}");
        }
    }

    #[test]
    fn what_would_widen_a_policy_by_more_than_it_says_is_refused() {
        assert_eq!(google_with("origins = [\"https://ads.example\"]"), Ok(()));
        assert_eq!(google_with("trusted_types = [\"goog#html\"]"), Ok(()));
        for (line, reason) in [
            ("script = \"/gpt.js\"", "is no address"),
            ("script = \"https://a.example;x/gpt.js\"", "is no address"),
            ("origins = [\"*\"]", "\"*\" is no origin"),
            ("origins = [\"https://a.example/path\"]", "is no origin"),
            ("trusted_types = [\"*\"]", "\"*\" is no name of a policy"),
            ("trusted_types = [\"'allow-duplicates'\"]", "is no name"),
            ("trusted_types = [\"a; script-src *\"]", "is no name"),
            ("key = \"x\"", "unknown field"),
        ] {
            let why = google_with(line).expect_err(line);
            assert!(why.contains(reason), "{line}: {why}");
        }
    }

    #[test]
    fn prebid_needs_bidders() {
        let read = |text: &str| -> PrebidSettings { toml::from_str(text).unwrap() };
        let script = "script = \"https://cdn.example/prebid.js\"\n";
        let bidder = "bidders = [{ bidder = \"one\", params = { placement = 7 } }]";
        assert_eq!(read(&format!("{script}{bidder}")).check(), Ok(()));
        let nobody = read(&format!("{script}bidders = []")).check();
        assert!(nobody.unwrap_err().contains("names nobody"));
        let nameless = read(&format!("{script}bidders = [{{ bidder = \"\" }}]")).check();
        assert!(nameless.unwrap_err().contains("no name"));
    }
}
