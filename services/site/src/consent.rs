//! `[consent]` of a site's file: whether readers are asked before pages load what belongs to other companies.

use chassis::digest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether the law that the site is under asks for consent. Without it nobody is asked, and a reader can still refuse.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsentSettings {
    /// Whether nothing of other companies is loaded before a reader has agreed.
    asks: bool,
}

/// The question whether pages may load what belongs to other companies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ThirdPartyConsent {
    /// Whether nothing of theirs is loaded before the reader has agreed. Otherwise it is until the reader refuses.
    asks: bool,
    /// What a reader agrees to, to be shown beside the controls.
    pub wording: String,
    /// Names the wording: consent to another one is none to this.
    pub version: String,
}

impl ThirdPartyConsent {
    /// The question of a site.
    #[must_use]
    pub fn new(site: &str, settings: Option<&ConsentSettings>) -> Self {
        let wording = format!(
            "Advertisements, maps, videos and log-ins of other companies may be loaded on {site}. Those companies then \
             learn your network address and may recognise you."
        );
        Self {
            asks: settings.is_some_and(|settings| settings.asks),
            version: digest::hex(&wording, 8),
            wording,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_asks_only_if_its_file_says_so() {
        let asks = |file: &str| {
            let settings: ConsentSettings = toml::from_str(file).expect("settings");
            ThirdPartyConsent::new("Guide", Some(&settings)).asks
        };
        assert!(asks("asks = true"));
        assert!(!asks("asks = false"));
        assert!(!ThirdPartyConsent::new("Guide", None).asks);
        for wrong in ["", "ask = true", "asks = 1", "asks = true\nneeded = []"] {
            assert!(toml::from_str::<ConsentSettings>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_wording_has_a_version_of_its_own() {
        let one = ThirdPartyConsent::new("Guide", None);
        assert_eq!(one, ThirdPartyConsent::new("Guide", None));
        assert_ne!(one.version, ThirdPartyConsent::new("Ledger", None).version);
        assert_eq!(one.version.len(), 16);
    }
}
