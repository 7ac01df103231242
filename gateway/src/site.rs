//! A site's own settings: publishing for another city needs another file and no code.

use std::{collections::BTreeMap, fs, path::Path};

use chassis::error::{Code, Fault};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which of the two kinds of site this is (spec, section 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Variant {
    /// A city guide.
    Guide,
    /// A general news site.
    News,
}

/// The one accent colour of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Accent {
    /// The guide's red.
    Streetcar,
    /// The news site's blue.
    DeepBlue,
}

/// An entry of the navigation bar.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NavigationLink {
    pub(crate) label: String,
    /// A path of this site, or an address where `external`.
    pub(crate) href: String,
    #[serde(default)]
    pub(crate) external: bool,
}

/// An entry of the footer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FooterLink {
    pub(crate) label: String,
    pub(crate) href: String,
    /// Whether it opens in a new tab.
    #[serde(default)]
    pub(crate) new_tab: bool,
}

/// What pages need to know of the site; also the file's form.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) city: String,
    pub(crate) tagline: String,
    /// The city's zone, in which dates and times are shown (IANA, also its aliases).
    #[schema(value_type = String)]
    pub(crate) timezone: Tz,
    /// The first year of the footer.
    pub(crate) start_year: u16,
    pub(crate) variant: Variant,
    pub(crate) accent: Accent,
    /// Which sections the site has; one that is off has no page, menu entry or request.
    pub(crate) sections: BTreeMap<String, bool>,
    pub(crate) navigation: Vec<NavigationLink>,
    pub(crate) footer: Vec<FooterLink>,
}

/// The zone of the site that a file describes: an IANA name or an alias of one.
pub fn site_timezone(file: &Path) -> Result<String, Fault> {
    Site::read(file).map(|site| site.timezone.name().to_owned())
}

impl Site {
    /// Reads a site's file; a mistake is told with its line.
    pub(crate) fn read(file: &Path) -> Result<Self, Fault> {
        let refuse = |why: String| {
            Fault::new(
                Code::Invalid,
                format!("settings: site.file {}: {why}", file.display()),
            )
        };
        let text = fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
        let site: Self = toml::from_str(&text).map_err(|error| {
            let line = error
                .span()
                .map_or(1, |at| 1 + text[..at.start].matches('\n').count());
            refuse(format!("line {line}: {}", error.message()))
        })?;
        let hrefs = site
            .navigation
            .iter()
            .map(|link| (link.external, &link.href));
        let hrefs = hrefs.chain(site.footer.iter().map(|link| (false, &link.href)));
        for (external, href) in hrefs {
            let is_path = href.starts_with('/') && !href.starts_with("//");
            let is_address = href.starts_with("https://") || href.starts_with("http://");
            if !(is_path || external && is_address) {
                return Err(refuse(format!(
                    "the link {href:?} is neither a path nor external"
                )));
            }
        }
        Ok(site)
    }

    /// What the menu calls a path of this site.
    pub(crate) fn label_of(&self, path: &str) -> Option<&str> {
        let links = self.navigation.iter();
        let mut found = links.filter(|link| link.href == path);
        found.next().map(|link| link.label.as_str())
    }

    /// Whether a section is on; one that the file does not name is off.
    pub(crate) fn has(&self, section: &str) -> bool {
        self.sections.get(section).copied().unwrap_or(false)
    }
}
