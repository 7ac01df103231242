//! A place's file: TOML between lines of `+++`, then the review in Markdown.

use chassis::{instant, slug};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use cityguide_proto::places::v1::{Coordinates, ImportListing, ImportReview};
use serde::Deserialize;
use toml::value::Datetime;

const FENCE: &str = "+++";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    name: String,
    r#type: String,
    #[serde(default)]
    sub_type: String,
    address: Option<String>,
    phone: Option<String>,
    website: Option<String>,
    latitude: f64,
    longitude: f64,
    picture: Option<String>,
    #[serde(default)]
    is_closed: bool,
    published: Datetime,
    dinesafe_establishment_id: Option<String>,
    opening_hours: Option<String>,
    review_author: Option<String>,
    review_date: Option<Datetime>,
}

/// Reads a file; its stem is the place's slug and identity. Answers the place and the picture that it
/// names.
pub(super) fn read(
    file: &str,
    stem: &str,
    text: &str,
) -> Result<(ImportListing, Option<String>), String> {
    if !slug::is_slug(stem) {
        return Err(format!(
            "{file}: the file's name is no slug: lower case, digits and hyphens"
        ));
    }
    let (front, body) = parts(text)
        .ok_or_else(|| format!("{file}, line 1: expected TOML between two lines of {FENCE}"))?;
    let front: Front =
        toml::from_str(front).map_err(|error| toml_mistake(file, front, 1, &error))?;
    let published = published(&front.published).ok_or_else(|| {
        format!("{file}: published must be a date, or a date and time with its offset")
    })?;
    let body = body.trim();
    let review = match (body.is_empty(), front.review_author, front.review_date) {
        (true, None, None) => None,
        (false, Some(author), Some(date)) => Some(ImportReview {
            body_markdown: body.to_owned(),
            author,
            date: date.date.map(|date| date.to_string()).unwrap_or_default(),
        }),
        _ => {
            return Err(format!(
                "{file}: a review needs its text, review_author and review_date"
            ));
        }
    };
    let listing = ImportListing {
        position: file.to_owned(),
        source_id: format!("content:{stem}"),
        name: front.name,
        slug: stem.to_owned(),
        type_slug: front.r#type,
        sub_type: front.sub_type,
        address: front.address,
        phone: front.phone,
        website: front.website,
        is_closed: front.is_closed,
        image_url: None,
        coordinates: Some(Coordinates {
            latitude: front.latitude,
            longitude: front.longitude,
        }),
        dinesafe_establishment_id: front.dinesafe_establishment_id,
        opening_hours: front.opening_hours,
        date_published: Some(instant::to_proto(published)),
        review,
    };
    Ok((listing, front.picture))
}

fn parts(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(FENCE)?.strip_prefix('\n')?;
    rest.split_once("\n+++\n")
        .or_else(|| rest.strip_suffix("\n+++").map(|front| (front, "")))
}

/// A date alone means noon UTC, which is the same day in every zone of the Americas and Europe.
fn published(at: &Datetime) -> Option<DateTime<Utc>> {
    if at.time.is_some() {
        return DateTime::parse_from_rfc3339(&at.to_string())
            .ok()
            .map(|at| at.to_utc());
    }
    let date: NaiveDate = at.date?.to_string().parse().ok()?;
    Some(date.and_time(NaiveTime::from_hms_opt(12, 0, 0)?).and_utc())
}

/// A mistake in TOML with its line; `above` lines stand before the text.
pub(super) fn toml_mistake(
    file: &str,
    text: &str,
    above: usize,
    error: &toml::de::Error,
) -> String {
    let line = error
        .span()
        .map_or(0, |at| text[..at.start].matches('\n').count());
    format!("{file}, line {}: {}", above + line + 1, error.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "+++\nname = \"Pai\"\ntype = \"restaurants\"\nlatitude = 43.6\n\
        longitude = -79.4\npublished = 2026-05-03\nreview_author = \"Ada\"\n\
        review_date = 2026-05-02\n+++\n\nGood.\n";

    #[test]
    fn a_place_is_read_with_its_review() {
        let (listing, picture) = read("places/pai.md", "pai", PLACE).expect("valid");
        assert_eq!(
            (listing.source_id.as_str(), listing.name.as_str()),
            ("content:pai", "Pai")
        );
        assert_eq!(picture, None);
        let review = listing.review.expect("a review");
        assert_eq!(
            (review.body_markdown.as_str(), review.date.as_str()),
            ("Good.", "2026-05-02")
        );
        let published = listing
            .date_published
            .as_ref()
            .and_then(instant::from_proto);
        assert_eq!(
            published.map(instant::to_rfc3339).as_deref(),
            Some("2026-05-03T12:00:00.000Z")
        );
    }

    #[test]
    fn a_mistake_names_its_file_and_line() {
        let wrong = PLACE.replace("latitude = 43.6", "latitude = \"north\"");
        let mistake = read("places/pai.md", "pai", &wrong).expect_err("refused");
        assert!(mistake.starts_with("places/pai.md, line 4: "), "{mistake}");
        for wrong in [
            "",
            "+++\n",
            "name = 5",
            &PLACE.replace("review_author = \"Ada\"\n", ""),
        ] {
            assert!(read("places/pai.md", "pai", wrong).is_err(), "{wrong}");
        }
        assert!(read("places/Pai!.md", "Pai!", PLACE).is_err());
    }
}
