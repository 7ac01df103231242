//! `[consent]` of a site's file: whether readers are asked before pages load third-party content.

use chassis::digest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether the law requires consent. If not, readers are not asked, but can still refuse.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsentSettings {
    /// Whether third-party content is only loaded after a reader has agreed.
    asks: bool,
}

/// The consent question for third-party content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ThirdPartyConsent {
    /// Whether third-party content is only loaded after the reader has agreed; otherwise it is loaded until the reader
    /// refuses.
    asks: bool,
    /// Wording of the consent, to be shown beside the controls.
    pub wording: String,
    /// Version of the wording: consent to another version is not valid.
    pub version: String,
}

impl ThirdPartyConsent {
    /// Returns the consent question of a site.
    #[must_use]
    pub fn new(site: &str, settings: Option<&ConsentSettings>) -> Self {
        let wording = format!(
            "Advertisements, maps, videos and logins from other companies may be loaded on {site}. Those companies then \
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
