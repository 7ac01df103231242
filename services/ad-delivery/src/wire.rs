//! Conversion of campaigns to and from protobuf. Invalid campaigns are refused with a message for the publisher.

use std::collections::HashSet;

use ads_proto::v1 as proto;
use chassis::{instant, slug::is_slug};
use chrono::{DateTime, Utc};
use prost_types::Timestamp;

use crate::{
    curve::HOURS_OF_WEEK,
    plan::{Advertiser, Campaign, Content, Creative, LineItem, Native, Priority, Targeting},
    size::Size,
};

/// The maximum length of a name, headline or description, in characters.
const LINE: usize = 200;
/// The maximum length of a native creative's text, in characters.
const TEXT: usize = 500;
/// The maximum size of a document, in bytes.
const DOCUMENT: usize = 64 << 10;
/// The maximum length of an address, in bytes.
const ADDRESS: usize = 2_000;
/// The maximum number of entries of a condition, line items of a campaign, and creatives of a line item.
const ENTRIES: usize = 100;
/// The maximum goal of a line item, in impressions.
const LARGEST_GOAL: i64 = 1_000_000_000_000;
/// The maximum weight of a creative.
const HEAVIEST: u32 = 1_000;
/// The screen types.
const SCREENS: [&str; 4] = ["x_small", "small", "medium", "large"];

/// Converts and validates an advertiser.
pub fn advertiser_from_wire(advertiser: &proto::Advertiser) -> Result<Advertiser, String> {
    let website = advertiser.website.trim();
    if !website.is_empty() && !is_https(website) {
        return Err(format!("website: {website:?} is no https address"));
    }
    Ok(Advertiser {
        source_id: slug("slug", &advertiser.source_id)?,
        name: line("name", &advertiser.name)?,
        website: website.to_owned(),
    })
}

/// Converts and validates a campaign.
pub fn campaign_from_wire(campaign: &proto::Campaign) -> Result<Campaign, String> {
    let starts_at = moment("starts", campaign.starts_at.as_ref())?;
    let ends_at = moment("ends", campaign.ends_at.as_ref())?;
    if ends_at <= starts_at {
        return Err("ends: must be after starts".to_owned());
    }
    let category = match campaign.category.trim() {
        "" => String::new(),
        category => slug("category", category)?,
    };
    let line_items = &campaign.line_items;
    if !(1..=ENTRIES).contains(&line_items.len()) {
        return Err(format!("line_items: must have 1 to {ENTRIES}"));
    }
    distinct("line_items", line_items.iter().map(|item| &item.source_id))?;
    let line_items = line_items.iter().map(|item| {
        let named = |why: String| format!("line item {:?}: {why}", item.source_id);
        line_item(item).map_err(named)
    });
    Ok(Campaign {
        id: campaign.id,
        source_id: slug("slug", &campaign.source_id)?,
        advertiser: slug("advertiser", &campaign.advertiser_source_id)?,
        advertiser_name: campaign.advertiser_name.clone(),
        name: line("name", &campaign.name)?,
        category,
        starts_at,
        ends_at,
        line_items: line_items.collect::<Result<_, _>>()?,
    })
}

/// Converts a campaign to protobuf.
#[must_use]
pub fn campaign_to_wire(campaign: &Campaign) -> proto::Campaign {
    proto::Campaign {
        id: campaign.id,
        source_id: campaign.source_id.clone(),
        advertiser_source_id: campaign.advertiser.clone(),
        advertiser_name: campaign.advertiser_name.clone(),
        name: campaign.name.clone(),
        category: campaign.category.clone(),
        starts_at: Some(instant::to_proto(campaign.starts_at)),
        ends_at: Some(instant::to_proto(campaign.ends_at)),
        line_items: campaign.line_items.iter().map(line_item_to_wire).collect(),
    }
}

fn line_item(item: &proto::LineItem) -> Result<LineItem, String> {
    let priority = match item.priority() {
        proto::Priority::Sponsorship => Priority::Sponsorship,
        proto::Priority::Standard => Priority::Standard,
        proto::Priority::House => Priority::House,
        proto::Priority::Unspecified => {
            return Err("priority: must be sponsorship, standard or house".to_owned());
        }
    };
    let goal = match (priority, item.goal) {
        (Priority::Standard, goal @ 1..=LARGEST_GOAL) => goal.unsigned_abs(),
        (Priority::Standard, _) => return Err("goal: must be 1 or more impressions".to_owned()),
        (_, 0) => 0,
        _ => return Err("goal: only a standard line item has one".to_owned()),
    };
    let share_of_voice = match (priority, u8::try_from(item.share_of_voice)) {
        (Priority::Sponsorship, Ok(share @ 1..=100)) => share,
        (Priority::Sponsorship, _) => return Err("share_of_voice: must be 1 to 100".to_owned()),
        (_, Ok(0)) => 0,
        _ => return Err("share_of_voice: only a sponsorship has one".to_owned()),
    };
    let creatives = &item.creatives;
    if !(1..=ENTRIES).contains(&creatives.len()) {
        return Err(format!("creatives: must have 1 to {ENTRIES}"));
    }
    distinct("creatives", creatives.iter().map(|one| &one.source_id))?;
    let creatives = creatives.iter().map(|one| {
        let named = |why: String| format!("creative {:?}: {why}", one.source_id);
        creative(one).map_err(named)
    });
    Ok(LineItem {
        id: item.id,
        source_id: slug("slug", &item.source_id)?,
        priority,
        goal,
        share_of_voice,
        targeting: targeting(item.targeting.clone().unwrap_or_default())?,
        creatives: creatives.collect::<Result<_, _>>()?,
    })
}

fn targeting(given: proto::Targeting) -> Result<Targeting, String> {
    let words = |name: &str, words: Vec<String>| -> Result<Vec<String>, String> {
        at_most(name, words.len(), ENTRIES)?;
        words.iter().map(|word| slug(name, word)).collect()
    };
    // The names of page kinds and screens are words with underscores.
    let screens = given.screens;
    if let Some(unknown) = screens
        .iter()
        .find(|name| !SCREENS.contains(&name.as_str()))
    {
        return Err(format!(
            "screens: {unknown:?} is none: there are {}",
            SCREENS.join(", ")
        ));
    }
    at_most("pages", given.pages.len(), ENTRIES)?;
    at_most("articles", given.article_ids.len(), ENTRIES)?;
    let mut hours = Vec::new();
    for hour in given.hours {
        let hour = u8::try_from(hour).ok();
        let hour = hour.filter(|hour| usize::from(*hour) < HOURS_OF_WEEK);
        hours.push(hour.ok_or("hours: a week has 168")?);
    }
    hours.sort_unstable();
    hours.dedup();
    Ok(Targeting {
        pages: given.pages,
        sections: words("sections", given.sections)?,
        article_ids: given.article_ids,
        types: words("types", given.types)?,
        neighbourhoods: words("neighbourhoods", given.neighbourhoods)?,
        keywords: words("keywords", given.keywords)?,
        screens,
        hours,
    })
}

fn creative(given: &proto::Creative) -> Result<Creative, String> {
    let pixels = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let size = Size::new(pixels(given.width), pixels(given.height))
        .ok_or("size: each side must have 1 to 2000 pixels")?;
    if !(1..=HEAVIEST).contains(&given.weight) {
        return Err(format!("weight: must be 1 to {HEAVIEST}"));
    }
    let landing = given.landing.trim();
    let is_path = landing.starts_with('/') && !landing.starts_with("//");
    if !(is_path || is_https(landing)) {
        return Err(format!(
            "href: {landing:?} is neither an https address nor a path of this site"
        ));
    }
    let content = match &given.content {
        Some(proto::creative::Content::Image(image)) => Content::Image(picture(image)?),
        Some(proto::creative::Content::Html(html)) if html.len() > DOCUMENT => {
            return Err(format!("html: has more than {} KiB", DOCUMENT >> 10));
        }
        Some(proto::creative::Content::Html(html)) => Content::Html(html.clone()),
        Some(proto::creative::Content::Native(native)) => Content::Native(Native {
            headline: line("headline", &native.headline)?,
            text: bounded("text", &native.text, TEXT)?,
            call: line("call", &native.call)?,
            image: match native.image.as_str() {
                "" => String::new(),
                image => picture(image)?,
            },
        }),
        None => return Err("must have a picture, html or a headline".to_owned()),
    };
    Ok(Creative {
        id: given.id,
        source_id: slug("slug", &given.source_id)?,
        size,
        weight: given.weight,
        landing: landing.to_owned(),
        alternative: line("alt", &given.alternative)?,
        content,
    })
}

/// Validates the address of a picture, which must be served by this site.
fn picture(address: &str) -> Result<String, String> {
    let is_ours = address.starts_with("/media/") && address.len() <= ADDRESS;
    is_ours
        .then(|| address.to_owned())
        .ok_or_else(|| format!("picture: {address:?} is none of this site"))
}

fn is_https(address: &str) -> bool {
    let plain = address.bytes().all(|byte| byte.is_ascii_graphic());
    let rest = address.strip_prefix("https://").unwrap_or_default();
    let has_host = rest.split('/').next().is_some_and(|host| !host.is_empty());
    plain && has_host && !address.contains(['"', '<', '>', '\\']) && address.len() <= ADDRESS
}

fn moment(name: &str, at: Option<&Timestamp>) -> Result<DateTime<Utc>, String> {
    at.and_then(instant::from_proto)
        .ok_or_else(|| format!("{name}: is no instant"))
}

fn slug(name: &str, text: &str) -> Result<String, String> {
    if is_slug(text) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "{name}: {text:?} is no slug: lower-case letters, digits and hyphens"
    ))
}

fn line(name: &str, text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err(format!("{name}: must not be empty"));
    }
    bounded(name, text, LINE)
}

fn bounded(name: &str, text: &str, most: usize) -> Result<String, String> {
    let text = text.trim();
    if text.chars().count() > most || text.contains('\0') {
        return Err(format!("{name}: has more than {most} characters"));
    }
    Ok(text.to_owned())
}

fn at_most(name: &str, count: usize, most: usize) -> Result<(), String> {
    if count > most {
        return Err(format!("{name}: has more than {most}"));
    }
    Ok(())
}

fn distinct<'a>(name: &str, slugs: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let mut seen = HashSet::new();
    for slug in slugs {
        if !seen.insert(slug) {
            return Err(format!("{name}: {slug:?} is there twice"));
        }
    }
    Ok(())
}

fn line_item_to_wire(item: &LineItem) -> proto::LineItem {
    let priority = match item.priority {
        Priority::Sponsorship => proto::Priority::Sponsorship,
        Priority::Standard => proto::Priority::Standard,
        Priority::House => proto::Priority::House,
    };
    let targeting = item.targeting.clone();
    proto::LineItem {
        id: item.id,
        source_id: item.source_id.clone(),
        priority: priority.into(),
        goal: i64::try_from(item.goal).unwrap_or(LARGEST_GOAL),
        share_of_voice: item.share_of_voice.into(),
        targeting: Some(proto::Targeting {
            pages: targeting.pages,
            sections: targeting.sections,
            article_ids: targeting.article_ids,
            types: targeting.types,
            neighbourhoods: targeting.neighbourhoods,
            keywords: targeting.keywords,
            screens: targeting.screens,
            hours: targeting.hours.into_iter().map(u32::from).collect(),
        }),
        creatives: item.creatives.iter().map(creative_to_wire).collect(),
    }
}

fn creative_to_wire(creative: &Creative) -> proto::Creative {
    let content = match creative.content.clone() {
        Content::Image(image) => proto::creative::Content::Image(image),
        Content::Html(html) => proto::creative::Content::Html(html),
        Content::Native(native) => proto::creative::Content::Native(proto::Native {
            headline: native.headline,
            text: native.text,
            call: native.call,
            image: native.image,
        }),
    };
    proto::Creative {
        id: creative.id,
        source_id: creative.source_id.clone(),
        width: creative.size.width.into(),
        height: creative.size.height.into(),
        weight: creative.weight,
        landing: creative.landing.clone(),
        alternative: creative.alternative.clone(),
        content: Some(content),
    }
}
