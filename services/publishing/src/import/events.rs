//! Imports schema.org events.

use chassis::{digest, slug};
use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, Timelike as _};
use chrono_tz::Tz;
use editorial_proto::v1::{Event, ImportItem, Kind, import_item::Detail};
use serde_json::Value;

use super::text;

/// Maximum length of a slug's name, in characters, without its date and mark.
const MAX_SLUG: usize = 60;
/// Maximum number of tags.
const MAX_TAGS: usize = 8;
/// Maximum length of a tag, in characters.
const MAX_TAG: usize = 40;
/// Number of bytes of the mark that distinguishes events with the same name and date.
const MARK: usize = 3;

/// Name of the kind in reports.
pub(super) const KIND: &str = "events";

/// Converts an object to an event proposal, or returns the reason why it is rejected. Times are converted to the site's
/// zone.
pub(super) fn proposal(position: &str, thing: &Value, zone: Tz) -> Result<ImportItem, String> {
    if !is_event(thing) {
        return Err(format!("it is no event, but {}", thing["@type"]));
    }
    let name = text::line(&string(&thing["name"]));
    let source_id = source_id(thing, &name);
    if is_off(thing) {
        return Ok(ImportItem {
            position: position.to_owned(),
            kind: Kind::Event.into(),
            source_id,
            name,
            is_cancelled: true,
            yields: true,
            ..ImportItem::default()
        });
    }
    let draft = Draft {
        source_id,
        name,
        description: string(&thing["description"]),
        tags: keywords(thing),
        event: event(thing, zone)?,
    };
    draft.item(position)
}

/// An event, independent of its source format.
pub(super) struct Draft {
    pub(super) source_id: String,
    pub(super) name: String,
    /// HTML or plain text.
    pub(super) description: String,
    /// The first tag becomes the category.
    pub(super) tags: Vec<String>,
    pub(super) event: Event,
}

impl Draft {
    pub(super) fn item(self, position: &str) -> Result<ImportItem, String> {
        let category = self.tags.first().map(|tag| slug::from_name(tag));
        let event = Event {
            category: category.unwrap_or_default(),
            ..self.event
        };
        let day = event.starts_local.split('T').next().unwrap_or_default();
        let mark = digest::hex(&self.source_id, MARK);
        Ok(ImportItem {
            position: position.to_owned(),
            kind: Kind::Event.into(),
            slug: format!("{}-{day}-{mark}", short_slug(&self.name)),
            source_id: self.source_id,
            name: self.name,
            excerpt: text::excerpt(&self.description),
            body_markdown: text::markdown(&self.description)?,
            tags: self.tags,
            detail: Some(Detail::Event(event)),
            yields: true,
            ..ImportItem::default()
        })
    }
}

/// Whether an object is an event of any type.
fn is_event(thing: &Value) -> bool {
    let is_one = |kind: &Value| {
        let kind = kind.as_str().unwrap_or_default();
        kind.ends_with("Event") || kind.ends_with("Festival")
    };
    match &thing["@type"] {
        Value::Array(kinds) => kinds.iter().any(is_one),
        kind => is_one(kind),
    }
}

/// Whether an event is cancelled, or postponed without a new date.
fn is_off(thing: &Value) -> bool {
    let is_off = |status: &Value| {
        let status = status["@id"].as_str().or(status.as_str());
        let status = status.unwrap_or_default().trim();
        let name = status.rsplit(['/', '#', ':']).next().unwrap_or_default();
        matches!(name, "EventCancelled" | "EventPostponed")
    };
    match &thing["eventStatus"] {
        Value::Array(statuses) => statuses.iter().any(is_off),
        status => is_off(status),
    }
}

/// Returns the source id: the event's id, or else a digest of its address, start and name.
fn source_id(thing: &Value, name: &str) -> String {
    let id = string(&thing["@id"]);
    if !id.is_empty() {
        return format!("event:{id}");
    }
    let (url, start) = (string(&thing["url"]), string(&thing["startDate"]));
    let key = format!("{url}\n{start}\n{name}");
    format!("event:{}", digest::hex(key, 16))
}

/// Parses time and place.
fn event(thing: &Value, zone: Tz) -> Result<Event, String> {
    let start = string(&thing["startDate"]);
    let starts = Moment::parse(&start, zone);
    let starts = starts.ok_or_else(|| format!("its startDate {start:?} is no date"))?;
    let ends = Moment::parse(&string(&thing["endDate"]), zone);
    let (starts, ends, is_all_day) = span(starts, ends);
    // An end before the start is a mistake, and is replaced by the start.
    let ends = ends.max(starts);
    let place = first(&thing["location"]);
    let offers = offers(thing);
    Ok(Event {
        zone: zone.name().to_owned(),
        is_all_day,
        starts_local: written(starts),
        ends_local: written(ends),
        venue: match place {
            Value::String(name) => text::line(name),
            place => text::line(&string(&place["name"])),
        },
        address: address(place),
        is_free: thing["isAccessibleForFree"] == Value::Bool(true)
            || offers.as_deref() == Some("0"),
        price: offers.filter(|price| price != "0").unwrap_or_default(),
        website: Some(string(&thing["url"]))
            .filter(|url| url.starts_with("https://") || url.starts_with("http://"))
            .unwrap_or_default(),
        ..Event::default()
    })
}

/// A date, or a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    Day(NaiveDate),
    Time(NaiveDateTime),
}

impl Moment {
    fn parse(text: &str, zone: Tz) -> Option<Self> {
        let Some((day, time)) = text.split_once(['T', 't', ' ']) else {
            return text.parse().ok().map(Self::Day);
        };
        let mut day: NaiveDate = day.parse().ok()?;
        // 24:00 is the beginning of the next day.
        let time = match time.trim_start().strip_prefix("24:00") {
            Some(rest) => {
                day = day.succ_opt()?;
                format!("00:00{rest}")
            }
            None => time.trim_start().to_owned(),
        };
        let text = format!("{day}T{time}");
        let local = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"];
        let with_offset = local.iter().find_map(|format| {
            // "Z", "-05:00", "-0500" and "-05", with or without a preceding space.
            DateTime::parse_from_str(&text, &format!("{format} %#z")).ok()
        });
        if let Some(at) = with_offset {
            return Some(Self::Time(at.with_timezone(&zone).naive_local()));
        }
        let mut local = local.iter();
        let local = local.find_map(|format| NaiveDateTime::parse_from_str(&text, format).ok());
        local.map(Self::Time)
    }
}

/// Returns start, end and whether the event lasts all day: some systems write all-day events from the first to the last
/// minute of the day.
fn span(starts: Moment, ends: Option<Moment>) -> (NaiveDateTime, NaiveDateTime, bool) {
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN);
    let after = |day: NaiveDate| midnight(day.checked_add_days(Days::new(1)).unwrap_or(day));
    match (starts, ends) {
        (Moment::Day(first), ends) => {
            let last = match ends {
                Some(Moment::Day(last)) => last,
                Some(Moment::Time(last)) => last.date(),
                None => first,
            };
            (midnight(first), after(last), true)
        }
        (Moment::Time(starts), None) => (starts, starts, false),
        (Moment::Time(starts), Some(Moment::Day(last))) => (starts, after(last), false),
        (Moment::Time(starts), Some(Moment::Time(ends))) => {
            let is_first_minute = starts.time() == NaiveTime::MIN;
            if is_first_minute && ends > starts && (ends.hour(), ends.minute()) == (23, 59) {
                (starts, after(ends.date()), true)
            } else {
                (starts, ends, false)
            }
        }
    }
}

/// Formats a local time for the editorial service.
pub(super) fn written(at: NaiveDateTime) -> String {
    at.format("%Y-%m-%dT%H:%M:%S").to_string()
}

fn address(place: &Value) -> String {
    match first(&place["address"]) {
        Value::String(address) => text::line(address),
        address => text::line(&string(&address["streetAddress"])),
    }
}

/// Returns the price or price range: "$15–$20", "0" for a free event; `None` without an offer.
fn offers(thing: &Value) -> Option<String> {
    let offers = match &thing["offers"] {
        Value::Array(offers) => offers.as_slice(),
        offer => std::slice::from_ref(offer),
    };
    let amounts = |offer: &Value| {
        let amounts = ["price", "lowPrice", "highPrice"].map(|name| amount(&offer[name]));
        amounts.into_iter().flatten().collect::<Vec<_>>()
    };
    let all: Vec<f64> = offers.iter().flat_map(amounts).collect();
    let least = all.iter().copied().reduce(f64::min)?;
    let most = all.iter().copied().reduce(f64::max)?;
    if most <= 0.0 {
        return Some("0".to_owned());
    }
    let currency = offers.iter().map(|offer| string(&offer["priceCurrency"]));
    let currency = currency.into_iter().find(|currency| !currency.is_empty());
    let shown = |amount: f64| {
        let digits = if amount.fract() == 0.0 { 0 } else { 2 };
        match currency.as_deref() {
            None | Some("CAD" | "USD" | "AUD") => format!("${amount:.digits$}"),
            Some(currency) => format!("{amount:.digits$} {currency}"),
        }
    };
    Some(if least < most {
        format!("{}–{}", shown(least), shown(most))
    } else {
        shown(least)
    })
}

fn amount(value: &Value) -> Option<f64> {
    let amount = value
        .as_f64()
        .or_else(|| value.as_str()?.trim().parse().ok());
    amount.filter(|amount| amount.is_finite() && *amount >= 0.0)
}

fn keywords(thing: &Value) -> Vec<String> {
    let words: Vec<String> = match &thing["keywords"] {
        Value::Array(words) => words.iter().map(string).collect(),
        words => string(words).split(',').map(str::to_owned).collect(),
    };
    tags(words)
}

/// Converts words to unique tags.
pub(super) fn tags(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let words = words.into_iter().map(|word| text::line(&word));
    // A tag's name must result in a slug.
    let mut tags: Vec<String> = words
        .filter(|word| word.chars().count() <= MAX_TAG && !slug::from_name(word).is_empty())
        .collect();
    let mut seen = std::collections::HashSet::new();
    tags.retain(|tag| seen.insert(slug::from_name(tag)));
    tags.truncate(MAX_TAGS);
    tags
}

/// Truncates a slug at the end of a word.
fn short_slug(name: &str) -> String {
    let slug = slug::from_name(name);
    if slug.is_empty() {
        return "event".to_owned();
    }
    match slug.get(..MAX_SLUG) {
        None => slug,
        Some(begin) => begin
            .rsplit_once('-')
            .map_or(begin, |(words, _)| words)
            .to_owned(),
    }
}

/// Returns the first of several values, or the only value.
fn first(value: &Value) -> &Value {
    match value {
        Value::Array(values) => values.first().unwrap_or(&Value::Null),
        value => value,
    }
}

/// Returns a value's text; empty if it has none.
fn string(value: &Value) -> String {
    first(value).as_str().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests;
