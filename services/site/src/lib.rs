//! A site's own settings: publishing for another city needs another file, and no other code.

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
        Accent, ArticleSection, FooterLink, HomeBlock, HomeBlockKind, Link, NavigationLink, Variant,
    },
    security::SecuritySettings,
    sources::{SourceKind, SourceSettings},
};

/// The path of best-of lists in the places service.
const BEST_OF: &str = "/best-of/";

/// The most items in a block of the home page.
const MAX_BLOCK_ITEMS: u8 = 24;

/// Sections that a site can have.
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

/// The site information for pages; also the form of the site's file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The site's name.
    pub name: String,
    /// The city's name.
    pub city: String,
    /// The city's name in paths: `/toronto/` is the home of its best-of lists. Made from
    /// its name by default.
    #[serde(default)]
    #[schema(required = true)]
    pub city_slug: String,
    /// The line beside the name.
    pub tagline: String,
    /// The city's zone, in which dates and times are shown (IANA, also its aliases).
    #[schema(value_type = String)]
    pub timezone: Tz,
    /// The first year of the footer.
    pub start_year: u16,
    /// The kind of site.
    pub variant: Variant,
    /// Its colour.
    pub accent: Accent,
    /// The sections that are on; one that is off has no page, menu entry or request.
    pub sections: BTreeMap<String, bool>,
    /// The navigation bar, in its order.
    pub navigation: Vec<NavigationLink>,
    /// The footer, in its order.
    pub footer: Vec<FooterLink>,
    /// In the order of menus.
    #[serde(default)]
    #[schema(required = true)]
    pub article_sections: Vec<ArticleSection>,
    /// The home page, from top to bottom.
    #[serde(default)]
    #[schema(required = true)]
    pub home: Vec<HomeBlock>,
    /// The age from which readers may see age-restricted content, in years: 19 in most of Canada, 21 in
    /// Quebec, 18 in Alberta.
    #[serde(default = "usual_legal_age")]
    #[schema(required = true)]
    pub legal_age: u8,
    /// The patio guide of another site; required by its section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patio_guide: Option<Link>,
    /// The brand's logo; if absent, the site's name is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<Logo>,
    /// The publisher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masthead: Option<Link>,
    /// Links to the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<Link>,
    /// Its pages at social networks.
    #[serde(default)]
    #[schema(required = true)]
    pub social: Vec<Link>,
    /// The source of streets on maps; if absent, maps are drawn without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapSettings>,
    /// Where pages have room for ads, and who fills it.
    #[serde(default)]
    #[schema(required = true)]
    pub ads: AdsSettings,
    /// Whether saved events can go to readers' own calendars: the program's settings say so, whatever the site's file does.
    #[serde(default)]
    #[schema(required = true)]
    pub has_calendars: bool,
    /// Whether readers can log in with Facebook: the program's settings say that too.
    #[serde(default)]
    #[schema(required = true)]
    pub facebook: bool,
    /// Whether readers are asked before pages load what belongs to other companies; if absent, they are not.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub consent: Option<ConsentSettings>,
    /// Who is told of a vulnerability; if absent, there is no `security.txt`.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub security: Option<SecuritySettings>,
    /// Feeds and calendars of others that are polled.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub sources: Vec<SourceSettings>,
}

/// A newsletter of the site.
#[derive(Debug, Serialize, ToSchema)]
pub struct Newsletter {
    /// Its name in settings.
    kind: &'static str,
    /// The title that readers see.
    pub title: &'static str,
    /// What it brings, in a sentence.
    pub description: &'static str,
    /// How often it is sent.
    pub schedule: &'static str,
    /// What a reader agrees to by asking for it, to be shown beside the control.
    pub consent: String,
}

impl Newsletter {
    /// Those of a site, in the order of lists.
    #[must_use]
    pub fn all(site: &str) -> [Self; 8] {
        newsletters::Kind::ALL.map(|kind| Self::new(kind, site))
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

/// The site's settings as pages get them.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageSite<'a> {
    /// The settings of its file.
    #[serde(flatten)]
    pub site: &'a Site,
    /// Whether readers can sign in with passkeys: browsers offer them to sites with a domain, and with HTTPS.
    passkeys: bool,
    /// In the order of lists.
    newsletters: [Newsletter; 8],
    consent: ThirdPartyConsent,
}

impl<'a> PageSite<'a> {
    /// The settings of a site at an address.
    pub fn new(site: &'a Site, origin: &Origin) -> Self {
        let passkeys = origin.passkey_domain().is_some();
        Self {
            site,
            passkeys,
            newsletters: Newsletter::all(&site.name),
            consent: site.third_party_consent(),
        }
    }
}

/// The section of the page at a path of a site; `None` if the page has none, or there is no such page.
pub type SectionAt = fn(&Site, &str) -> Option<&'static str>;

impl Site {
    /// Reads a site's file; the error names the line of a mistake.
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

    /// Reads the logo, which lies beside the site's file. Only pages need it.
    pub fn load_logo(&mut self, file: &Path) -> Result<(), Fault> {
        let Some(logo) = &mut self.logo else {
            return Ok(());
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        logo.load(folder).map_err(|why| refusal(file, &why))
    }

    /// Refuses settings that pages could not show.
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

    /// The same site without links and blocks of sections that are off. `section_at` returns the section of
    /// the page at a path.
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

    /// The question whether pages may load what belongs to other companies.
    pub fn third_party_consent(&self) -> ThirdPartyConsent {
        ThirdPartyConsent::new(&self.name, self.consent.as_ref())
    }

    /// The slugs of the sections of articles, in the order of menus.
    #[must_use]
    pub fn section_slugs(&self) -> Vec<String> {
        let sections = self.article_sections.iter();
        sections.map(|section| section.slug.clone()).collect()
    }

    /// The name of an article section.
    pub fn section_name(&self, slug: &str) -> Option<&str> {
        let mut named = self.article_sections.iter();
        let found = named.find(|section| section.slug == slug);
        found.map(|section| section.name.as_str())
    }

    /// The page of a best-of list.
    pub fn best_of_url(&self, slug: &str) -> String {
        format!("/{}/{slug}/", self.city_slug)
    }

    /// The RSS feed of a section's articles; of all articles if no section is named.
    #[must_use]
    pub fn feed_path(section: Option<&str>) -> String {
        section.map_or_else(
            || "/rss.xml".to_owned(),
            |section| format!("/{section}/rss.xml"),
        )
    }

    /// A path as the places service knows it, which does not know the city's name above the paths of best-of
    /// lists.
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

    /// Whether a section is on; sections that the file does not name are off.
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
