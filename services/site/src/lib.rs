//! A site's own settings: a site for another city needs another file but no other code.

pub mod ads;
mod consent;
mod logo;
mod map;
mod parts;
mod policy_source;
mod security;
mod sources;

use std::{collections::BTreeMap, fs, path::Path};

use chassis::{
    error::{Code, Fault},
    origin::Origin,
    slug::{self, is_slug},
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use vocabulary::newsletters;

use self::parts::{is_address, is_path};
pub use self::{
    ads::AdsSettings,
    consent::{ConsentSettings, ThirdPartyConsent},
    logo::{FOLDER as LOGO_FOLDER, Logo},
    map::MapSettings,
    parts::{
        ALL_ARTICLES, Accent, ArticleSection, FooterLink, HomeBlock, HomeBlockKind, Link,
        NavigationLink, Variant,
    },
    security::SecuritySettings,
    sources::{SourceKind, SourceSettings},
};

/// Path of best-of lists in the places service.
const BEST_OF: &str = "/best-of/";

/// Maximum number of items in a block of the home page.
const MAX_BLOCK_ITEMS: u8 = 24;

/// Possible sections of a site.
const SECTIONS: [&str; 9] = [
    "articles",
    "best_of",
    "contests",
    "events",
    "listings",
    "neighbourhoods",
    "patio_guide",
    "photo_challenges",
    "videos",
];

/// Site information for pages, and the format of the site's file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// Name of the site.
    pub name: String,
    /// Name of the city.
    pub city: String,
    /// Slug of the city: `/toronto/` is the page of its best-of lists. Generated from the city's name by default.
    #[serde(default)]
    #[schema(required = true)]
    pub city_slug: String,
    /// Text beside the name.
    pub tagline: String,
    /// The city's time zone, in which dates and times are shown (IANA name or alias).
    #[schema(value_type = String)]
    pub timezone: Tz,
    /// First year in the footer.
    pub start_year: u16,
    /// Kind of site.
    pub variant: Variant,
    /// Accent colour.
    pub accent: Accent,
    /// Enabled sections. A disabled section has no pages, menu entries or requests.
    pub sections: BTreeMap<String, bool>,
    /// Entries of the navigation bar, in order.
    pub navigation: Vec<NavigationLink>,
    /// Entries of the footer, in order.
    pub footer: Vec<FooterLink>,
    /// Article sections, in menu order.
    #[serde(default)]
    #[schema(required = true)]
    pub article_sections: Vec<ArticleSection>,
    /// Blocks of the home page, from top to bottom.
    #[serde(default)]
    #[schema(required = true)]
    pub home: Vec<HomeBlock>,
    /// Minimum age in years for age-restricted content: 19 in most of Canada, 21 in Quebec, 18 in Alberta.
    #[serde(default = "usual_legal_age")]
    #[schema(required = true)]
    pub legal_age: u8,
    /// Link to a patio guide on another site; required if its section is enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patio_guide: Option<Link>,
    /// Logo of the brand; if absent, the site's name is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<Logo>,
    /// The publisher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masthead: Option<Link>,
    /// Links to the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<Link>,
    /// Pages on social networks.
    #[serde(default)]
    #[schema(required = true)]
    pub social: Vec<Link>,
    /// Source of streets on maps; if absent, maps have no streets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapSettings>,
    /// Ad slots and ad networks.
    #[serde(default)]
    #[schema(required = true)]
    pub ads: AdsSettings,
    /// Whether saved events can be copied to readers' own calendars; determined by the program's settings and not by
    /// the site's file.
    #[serde(default)]
    #[schema(required = true)]
    pub has_calendars: bool,
    /// Whether readers can log in with Facebook; determined by the program's settings and not by the site's file.
    #[serde(default)]
    #[schema(required = true)]
    pub facebook: bool,
    /// Whether readers are asked before pages load third-party content; if absent, they are not asked.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub consent: Option<ConsentSettings>,
    /// Contacts for vulnerability reports; if absent, there is no `security.txt`.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub security: Option<SecuritySettings>,
    /// External feeds and calendars that are polled.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub sources: Vec<SourceSettings>,
}

/// A newsletter of the site.
#[derive(Debug, Serialize, ToSchema)]
pub struct Newsletter {
    /// Name in settings.
    kind: &'static str,
    /// Title for readers.
    pub title: &'static str,
    /// Description in a sentence.
    pub description: &'static str,
    /// How often the newsletter is sent, in words.
    pub schedule: &'static str,
    /// Consent wording, to be shown beside the control.
    pub consent: String,
}

impl Newsletter {
    /// Returns the newsletters of a site, in display order, without newsletters about disabled sections.
    #[must_use]
    pub fn all(site: &Site) -> Vec<Self> {
        let kinds = newsletters::Kind::ALL.into_iter();
        let kinds = kinds.filter(|kind| section_of(*kind).is_none_or(|section| site.has(section)));
        kinds.map(|kind| Self::new(kind, &site.name)).collect()
    }

    fn new(kind: newsletters::Kind, site: &str) -> Self {
        Self {
            kind: kind.name(),
            title: kind.title(),
            description: kind.description(),
            schedule: kind.schedule().words(),
            consent: kind.consent(site),
        }
    }
}

/// Returns the section that a newsletter is about.
fn section_of(kind: newsletters::Kind) -> Option<&'static str> {
    match kind {
        newsletters::Kind::Events => Some("events"),
        newsletters::Kind::Foods => Some("listings"),
        newsletters::Kind::Contests => Some("contests"),
        newsletters::Kind::PhotoChallengeAlerts => Some("photo_challenges"),
        newsletters::Kind::News
        | newsletters::Kind::RealEstate
        | newsletters::Kind::Travel
        | newsletters::Kind::Promotions => None,
    }
}

/// The site's settings for pages.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageSite<'a> {
    /// Settings in the site's file.
    #[serde(flatten)]
    pub site: &'a Site,
    /// Whether readers can sign in with passkeys, which browsers support only for domains with HTTPS.
    passkeys: bool,
    /// Newsletters in display order.
    newsletters: Vec<Newsletter>,
    consent: ThirdPartyConsent,
}

impl<'a> PageSite<'a> {
    /// Creates the settings of a site with this origin.
    pub fn new(site: &'a Site, origin: &Origin) -> Self {
        let passkeys = origin.passkey_domain().is_some();
        Self {
            site,
            passkeys,
            newsletters: Newsletter::all(site),
            consent: site.third_party_consent(),
        }
    }
}

/// Returns the section of the page at a site's path; `None` if the page has no section or does not exist.
pub type SectionAt = fn(&Site, &str) -> Option<&'static str>;

impl Site {
    /// Reads a site's file; an error contains the line of the mistake.
    pub fn read(file: &Path) -> Result<Self, Fault> {
        let refuse = |why: String| refusal(file, &why);
        let text = fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
        let mut site: Self = toml::from_str(&text).map_err(|error| {
            let line = error
                .span()
                .map_or(1, |at| 1 + text[..at.start].matches('\n').count());
            refuse(format!("line {line}: {}", error.message()))
        })?;
        if site.city_slug.is_empty() {
            site.city_slug = slug::from_name(&site.city);
        }
        site.check().map_err(refuse)?;
        Ok(site)
    }

    /// Reads the logo from the folder of the site's file. Only pages need it.
    pub fn load_logo(&mut self, file: &Path) -> Result<(), Fault> {
        let Some(logo) = &mut self.logo else {
            return Ok(());
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        logo.load(folder).map_err(|why| refusal(file, &why))
    }

    /// Rejects settings that pages cannot show.
    fn check(&self) -> Result<(), String> {
        if self.city_slug.is_empty() {
            let why = "has no letter to make a path of: give a city_slug";
            return Err(format!("city: {:?} {why}", self.city));
        }
        if !is_slug(&self.city_slug) {
            return Err(format!("city_slug: {:?} is no slug", self.city_slug));
        }
        let Self {
            navigation, footer, ..
        } = self;
        let own = navigation.iter().filter(|link| !link.external);
        let own = own.map(|link| &link.href);
        let own = own.chain(footer.iter().map(|link| &link.href));
        let own = own.chain(self.home.iter().filter_map(|block| block.href.as_ref()));
        if let Some(href) = own.into_iter().find(|href| !is_path(href)) {
            return Err(format!("the link {href:?} is no path of this site"));
        }
        let others = navigation.iter().filter(|link| link.external);
        let others = others.map(|link| &link.href);
        let named = [&self.patio_guide, &self.masthead, &self.app];
        let named = named.into_iter().flatten().chain(&self.social);
        let others = others.chain(named.map(|link| &link.href));
        if let Some(href) = others
            .into_iter()
            .find(|href| !is_path(href) && !is_address(href))
        {
            return Err(format!(
                "the link {href:?} is neither a path nor an address"
            ));
        }
        let of_links = navigation.iter().filter_map(|link| link.section.as_ref());
        let of_links = of_links.chain(footer.iter().filter_map(|link| link.section.as_ref()));
        let named = self.sections.keys().chain(of_links);
        if let Some(name) = named
            .into_iter()
            .find(|name| !SECTIONS.contains(&name.as_str()))
        {
            return Err(format!("there is no section {name:?}"));
        }
        if self.has("patio_guide") && self.patio_guide.is_none() {
            return Err("the section patio_guide needs the link patio_guide".to_owned());
        }
        if let Some(section) = self
            .article_sections
            .iter()
            .find(|section| !is_slug(&section.slug))
        {
            return Err(format!("the article section {:?} is no slug", section.slug));
        }
        let is_wrong = |block: &&HomeBlock| !(1..=MAX_BLOCK_ITEMS).contains(&block.limit);
        if let Some(block) = self.home.iter().find(is_wrong) {
            return Err(format!(
                "a block of the home page shows 1 to {MAX_BLOCK_ITEMS} items, not {}",
                block.limit
            ));
        }
        self.map.as_ref().map_or(Ok(()), MapSettings::check)?;
        self.logo.as_ref().map_or(Ok(()), Logo::check)?;
        self.ads.check()?;
        sources::check(&self.sources, &self.article_sections)?;
        self.security
            .as_ref()
            .map_or(Ok(()), SecuritySettings::check)
    }

    /// Removes links and blocks of disabled sections. `section_at` returns the section of the page at a path.
    #[must_use]
    pub fn without_disabled(mut self, section_at: SectionAt) -> Self {
        let sections = std::mem::take(&mut self.sections);
        let has = |name: &str| sections.get(name).copied().unwrap_or(false);
        let mut navigation = std::mem::take(&mut self.navigation);
        let mut footer = std::mem::take(&mut self.footer);
        let is_on = |href: &str, section: Option<&str>| {
            let path = href.split(['?', '#']).next().unwrap_or(href);
            section.is_none_or(has) && section_at(&self, path).is_none_or(has)
        };
        navigation.retain(|link| is_on(&link.href, link.section.as_deref()));
        footer.retain(|link| is_on(&link.href, link.section.as_deref()));
        self.navigation = navigation;
        self.footer = footer;
        self.home.retain(|block| has(block.kind.section()));
        if !has("patio_guide") {
            self.patio_guide = None;
        }
        self.sections = SECTIONS
            .iter()
            .map(|name| ((*name).to_owned(), has(name)))
            .collect();
        self
    }

    /// Returns the consent question for third-party content.
    pub fn third_party_consent(&self) -> ThirdPartyConsent {
        ThirdPartyConsent::new(&self.name, self.consent.as_ref())
    }

    /// Returns the slugs of the article sections, in menu order.
    #[must_use]
    pub fn section_slugs(&self) -> Vec<String> {
        let sections = self.article_sections.iter();
        sections.map(|section| section.slug.clone()).collect()
    }

    /// Returns the name of an article section.
    pub fn section_name(&self, slug: &str) -> Option<&str> {
        let mut named = self.article_sections.iter();
        let found = named.find(|section| section.slug == slug);
        found.map(|section| section.name.as_str())
    }

    /// Returns the path of a best-of list.
    pub fn best_of_url(&self, slug: &str) -> String {
        format!("/{}/{slug}/", self.city_slug)
    }

    /// Returns the path of the RSS feed of a section, or of all articles if `section` is `None`.
    #[must_use]
    pub fn feed_path(section: Option<&str>) -> String {
        section.map_or_else(
            || "/rss.xml".to_owned(),
            |section| format!("/{section}/rss.xml"),
        )
    }

    /// Converts a path for the places service, in which the paths of best-of lists do not contain the city's name.
    pub fn path_in_places(&self, path: &str) -> String {
        match path.strip_prefix(&format!("/{}/", self.city_slug)) {
            Some(slug) => format!("{BEST_OF}{slug}"),
            None => path.to_owned(),
        }
    }

    /// The reverse of [`Self::path_in_places`].
    pub fn path_from_places(&self, path: &str) -> String {
        match path.strip_prefix(BEST_OF) {
            Some(slug) => format!("/{}/{slug}", self.city_slug),
            None => path.to_owned(),
        }
    }

    /// Whether a section is enabled; sections missing in the file are disabled.
    pub fn has(&self, section: &str) -> bool {
        self.sections.get(section).copied().unwrap_or(false)
    }
}

fn refusal(file: &Path, why: &str) -> Fault {
    let message = format!("settings: site.file {}: {why}", file.display());
    Fault::new(Code::Invalid, message)
}

fn usual_legal_age() -> u8 {
    19
}

#[cfg(test)]
mod tests;
