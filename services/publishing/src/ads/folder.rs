//! A folder of campaigns: `advertisers.toml`, and a file for each campaign in `campaigns/`. All mistakes are collected
//! with their file and line.

use std::{collections::BTreeMap, path::Path};

use ad_delivery::{advertiser_from_wire, campaign_from_wire};
use ads_proto::v1::{
    Advertiser, Campaign, Creative, ImportAdvertiser, ImportCampaign, LineItem, Native, Priority,
    Targeting, creative::Content,
};
use chassis::blobs::Blobs;
use chassis::instant;
use chrono::{DateTime, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::hours::hours;
use crate::content::{MAX_TEXT, Picture, Pictures, Root, lines_before, local, toml_mistake};

/// A parsed folder, ready to be stored.
#[derive(Debug)]
pub struct AdsFolder {
    /// Advertisers in the folder.
    pub advertisers: Vec<ImportAdvertiser>,
    /// Campaigns of the advertisers.
    pub campaigns: Vec<ImportCampaign>,
    pictures: Pictures,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdvertisersFile {
    #[serde(default)]
    advertiser: Vec<Spanned<AdvertiserEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdvertiserEntry {
    slug: String,
    name: String,
    #[serde(default)]
    website: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CampaignFile {
    advertiser: String,
    name: String,
    #[serde(default)]
    category: String,
    starts: Spanned<Datetime>,
    ends: Spanned<Datetime>,
    #[serde(default)]
    line_items: Vec<LineItemEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineItemEntry {
    slug: String,
    #[serde(default)]
    priority: PriorityEntry,
    #[serde(default)]
    goal: i64,
    #[serde(default)]
    share_of_voice: u32,
    #[serde(default)]
    targeting: TargetingEntry,
    #[serde(default)]
    creatives: Vec<CreativeEntry>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PriorityEntry {
    Sponsorship,
    #[default]
    Standard,
    House,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TargetingEntry {
    pages: Vec<String>,
    sections: Vec<String>,
    articles: Vec<i64>,
    types: Vec<String>,
    neighbourhoods: Vec<String>,
    keywords: Vec<String>,
    screens: Vec<String>,
    hours: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreativeEntry {
    slug: String,
    size: Spanned<String>,
    #[serde(default = "usual_weight")]
    weight: u32,
    href: String,
    alt: String,
    picture: Option<Spanned<String>>,
    html: Option<Spanned<String>>,
    headline: Option<String>,
    #[serde(default)]
    text: String,
    #[serde(default = "usual_call")]
    call: String,
}

fn usual_weight() -> u32 {
    1
}

fn usual_call() -> String {
    "Learn more".to_owned()
}

impl AdsFolder {
    /// Stores the pictures of the creatives. Pictures without a campaign do no harm.
    pub async fn publish_pictures(&self, blobs: &Blobs) -> Result<(), String> {
        self.pictures.publish(blobs).await
    }
}

/// Reads a folder of a site in a time zone. Each error is a single line.
pub fn read(path: &Path, zone: Tz) -> Result<AdsFolder, Vec<String>> {
    let root = Root::open(path).map_err(|why| vec![why])?;
    let mut reader = Reader { root, zone };
    let advertisers = reader.advertisers();
    let campaigns = reader.campaigns();
    let root = reader.root;
    if root.mistakes.is_empty() {
        Ok(AdsFolder {
            advertisers,
            campaigns,
            pictures: root.pictures,
        })
    } else {
        Err(root.mistakes)
    }
}

struct Reader {
    root: Root,
    zone: Tz,
}

/// A file being read.
struct File<'a> {
    name: &'a str,
    text: &'a str,
}

impl File<'_> {
    fn position<T>(&self, value: &Spanned<T>) -> String {
        let line = 1 + lines_before(self.text, value.span().start);
        format!("{}, line {line}", self.name)
    }
}

impl Reader {
    fn advertisers(&mut self) -> Vec<ImportAdvertiser> {
        let name = "advertisers.toml";
        let Some(text) = self.root.optional_text(name, MAX_TEXT) else {
            return Vec::new();
        };
        let read: AdvertisersFile = match toml::from_str(&text) {
            Ok(read) => read,
            Err(error) => {
                self.root
                    .mistakes
                    .push(toml_mistake(name, &text, 0, &error));
                return Vec::new();
            }
        };
        let file = File { name, text: &text };
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        let mut advertisers = Vec::new();
        for entry in read.advertiser {
            let position = file.position(&entry);
            let AdvertiserEntry {
                slug,
                name,
                website,
            } = entry.into_inner();
            if let Some(first) = seen.insert(slug.clone(), position.clone()) {
                let why = format!("{position}: {slug:?} is there already: {first}");
                self.root.mistakes.push(why);
            }
            let advertiser = Advertiser {
                source_id: slug,
                name,
                website,
            };
            if let Err(why) = advertiser_from_wire(&advertiser) {
                self.root.mistakes.push(format!("{position}: {why}"));
            }
            advertisers.push(ImportAdvertiser {
                position,
                advertiser: Some(advertiser),
            });
        }
        advertisers
    }

    fn campaigns(&mut self) -> Vec<ImportCampaign> {
        let files = self.root.files("campaigns", "toml");
        let mut campaigns = Vec::new();
        for (name, stem) in files {
            let Some(text) = self.root.optional_text(&name, MAX_TEXT) else {
                continue;
            };
            let file = File {
                name: &name,
                text: &text,
            };
            match toml::from_str::<CampaignFile>(&text) {
                Ok(read) => {
                    let campaign = self.campaign(&file, stem, read);
                    if let Err(why) = campaign_from_wire(&campaign) {
                        self.root.mistakes.push(format!("{name}: {why}"));
                    }
                    campaigns.push(ImportCampaign {
                        position: name,
                        campaign: Some(campaign),
                    });
                }
                Err(error) => {
                    let mistake = toml_mistake(&name, &text, 0, &error);
                    self.root.mistakes.push(mistake);
                }
            }
        }
        campaigns
    }

    fn campaign(&mut self, file: &File<'_>, stem: String, read: CampaignFile) -> Campaign {
        let starts_at = self.instant(file, &read.starts, TimeDelta::zero());
        let ends_at = self.instant(file, &read.ends, TimeDelta::days(1));
        let line_items = read.line_items.into_iter();
        Campaign {
            id: 0,
            source_id: stem,
            advertiser_source_id: read.advertiser,
            advertiser_name: String::new(),
            name: read.name,
            category: read.category,
            starts_at: starts_at.map(instant::to_proto),
            ends_at: ends_at.map(instant::to_proto),
            line_items: line_items.map(|item| self.line_item(file, item)).collect(),
        }
    }

    fn line_item(&mut self, file: &File<'_>, read: LineItemEntry) -> LineItem {
        let priority = match read.priority {
            PriorityEntry::Sponsorship => Priority::Sponsorship,
            PriorityEntry::Standard => Priority::Standard,
            PriorityEntry::House => Priority::House,
        };
        let targeting = self.targeting(file, read.targeting);
        let creatives = read.creatives.into_iter();
        LineItem {
            id: 0,
            source_id: read.slug,
            priority: priority.into(),
            goal: read.goal,
            share_of_voice: read.share_of_voice,
            targeting: Some(targeting),
            creatives: creatives.map(|one| self.creative(file, one)).collect(),
        }
    }

    fn targeting(&mut self, file: &File<'_>, read: TargetingEntry) -> Targeting {
        let mut all_hours = Vec::new();
        for text in &read.hours {
            match hours(text.get_ref()) {
                Some(hours) => all_hours.extend(hours),
                None => self.root.mistakes.push(format!(
                    "{}: hours are written as \"mon-fri 07:00-10:00\"",
                    file.position(text)
                )),
            }
        }
        all_hours.sort_unstable();
        all_hours.dedup();
        Targeting {
            pages: read.pages,
            sections: read.sections,
            article_ids: read.articles,
            types: read.types,
            neighbourhoods: read.neighbourhoods,
            keywords: read.keywords,
            screens: read.screens,
            hours: all_hours,
        }
    }

    fn creative(&mut self, file: &File<'_>, read: CreativeEntry) -> Creative {
        let size: Result<ad_delivery::Size, String> = read.size.get_ref().parse();
        let (width, height) = match size {
            Ok(size) => (size.width.into(), size.height.into()),
            Err(why) => {
                let position = file.position(&read.size);
                self.root.mistakes.push(format!("{position}: {why}"));
                // A valid size, so that the mistake is reported only once.
                (1, 1)
            }
        };
        let picture = read.picture.map(|named| {
            let picture = Picture {
                named_at: file.position(&named),
                path: named.into_inner(),
            };
            // The mistake in the picture is reported separately.
            self.root
                .picture(&picture)
                .unwrap_or_else(|| "/media/none".to_owned())
        });
        let html = read.html.map(|named| {
            let position = file.position(&named);
            let path = named.into_inner();
            self.root.optional_text(&path, MAX_TEXT).unwrap_or_else(|| {
                let mistake = format!("{position}: there is no file {path:?}");
                self.root.mistakes.push(mistake);
                String::new()
            })
        });
        let content = match (read.headline, html, picture) {
            (Some(headline), None, picture) => Some(Content::Native(Native {
                headline,
                text: read.text,
                call: read.call,
                image: picture.unwrap_or_default(),
            })),
            (None, Some(html), None) => Some(Content::Html(html)),
            (None, None, Some(picture)) => Some(Content::Image(picture)),
            _ => None,
        };
        Creative {
            id: 0,
            source_id: read.slug,
            width,
            height,
            weight: read.weight,
            landing: read.href,
            alternative: read.alt,
            content,
        }
    }

    /// Returns the time of a date or local time. A date alone means its midnight plus `further`.
    fn instant(
        &mut self,
        file: &File<'_>,
        at: &Spanned<Datetime>,
        further: TimeDelta,
    ) -> Option<DateTime<Utc>> {
        let is_day = at.get_ref().time.is_none();
        let local = local(at.get_ref(), NaiveTime::MIN);
        let local = local.map(|local| if is_day { local + further } else { local });
        let found = local.and_then(|local| {
            // A time that the clocks skip becomes the time an hour later.
            let later = local + TimeDelta::hours(1);
            let zone = self.zone;
            let found = zone.from_local_datetime(&local).earliest();
            found.or_else(|| zone.from_local_datetime(&later).earliest())
        });
        if found.is_none() {
            let why = "must be a date, or a date and time by the site's clocks";
            let position = file.position(at);
            self.root.mistakes.push(format!("{position}: {why}"));
        }
        found.map(|at| at.to_utc())
    }
}
