//! Place files: TOML, then the review in Markdown.

use chassis::{instant, slug};
use places_proto::v1::{Coordinates, ImportListing, ImportReview};
use prost_types::Timestamp;
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::document::{self, Document, Picture};

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
    picture: Option<Spanned<String>>,
    #[serde(default)]
    is_closed: bool,
    published: Spanned<Datetime>,
    dinesafe_establishment_id: Option<String>,
    opening_hours: Option<String>,
    wheelchair: Option<String>,
    line: Option<String>,
    review_author: Option<String>,
    review_date: Option<Spanned<Datetime>>,
    #[serde(default)]
    photos: Vec<PhotoEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhotoEntry {
    picture: Spanned<String>,
    instagram_user: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    licence: String,
    date: Option<Spanned<Datetime>>,
}

/// A place from its file.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) listing: ImportListing,
    pub(super) picture: Option<Picture>,
    pub(super) photos: Vec<PlacePhoto>,
}

/// A photo of the place by an Instagram user.
#[derive(Debug)]
pub(super) struct PlacePhoto {
    pub(super) picture: Picture,
    pub(super) instagram_user: String,
    pub(super) description: String,
    pub(super) licence: String,
    pub(super) created: Option<Timestamp>,
}

/// Reads a file, whose stem is the place's slug and id.
pub(super) fn read(file: &str, stem: &str, text: &str) -> Result<Place, Vec<String>> {
    if !slug::is_slug(stem) {
        return Err(vec![document::no_slug(file)]);
    }
    let document = Document::split(file, text).map_err(|mistake| vec![mistake])?;
    let front: Front = document.front().map_err(|mistake| vec![mistake])?;
    let mut mistakes = Vec::new();
    let published = document.instant("published", &front.published, &mut mistakes);
    let picture = document.picture(front.picture.as_ref());
    let photos = front.photos.into_iter();
    let photos = photos.map(|entry| PlacePhoto::read(&document, entry, &mut mistakes));
    let photos = photos.collect();
    let review = match (
        document.body.is_empty(),
        front.review_author,
        front.review_date,
    ) {
        (true, None, None) => None,
        (false, Some(author), Some(date)) => Some(ImportReview {
            body_markdown: document.body.to_owned(),
            author,
            date: date
                .get_ref()
                .date
                .map(|date| date.to_string())
                .unwrap_or_default(),
        }),
        _ => {
            mistakes.push(format!(
                "{file}, line 1: a review needs its text, review_author and review_date"
            ));
            None
        }
    };
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
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
        wheelchair: front.wheelchair,
        line: front.line,
        date_published: published.map(instant::to_proto),
        review,
    };
    Ok(Place {
        listing,
        picture,
        photos,
    })
}

impl PlacePhoto {
    fn read(document: &Document<'_>, entry: PhotoEntry, mistakes: &mut Vec<String>) -> Self {
        let date = entry.date.as_ref();
        let created = date.and_then(|date| document.instant("date", date, mistakes));
        Self {
            picture: document.named(&entry.picture),
            instagram_user: entry.instagram_user,
            description: entry.description,
            licence: entry.licence,
            created: created.map(instant::to_proto),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "+++\nname = \"Pai\"\ntype = \"restaurants\"\nlatitude = 43.6\n\
        longitude = -79.4\npublished = 2026-05-03\nreview_author = \"Ada\"\n\
        review_date = 2026-05-02\n+++\n\nGood.\n";

    #[test]
    fn a_place_is_read_with_its_review() {
        let place = read("places/pai.md", "pai", PLACE).expect("valid");
        let (listing, picture) = (place.listing, place.picture);
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
        assert!(
            mistake[0].starts_with("places/pai.md, line 4: "),
            "{mistake:?}"
        );
        let photo = "review_date = 2026-05-02\n\n[[photos]]\npicture = \"a.jpg\"\ninstagram_user = \"ada\"\n\
            date = 2026-05-01T10:00:00\n";
        let wrong = PLACE.replace("review_date = 2026-05-02\n", photo);
        let mistakes = read("places/pai.md", "pai", &wrong).expect_err("refused");
        assert!(
            mistakes[0].starts_with("places/pai.md, line 13: date must be"),
            "{mistakes:?}"
        );
        let both = PLACE
            .replace("2026-05-03", "2026-05-03T10:00:00")
            .replace("review_author = \"Ada\"\n", "");
        let mistakes = read("places/pai.md", "pai", &both).expect_err("refused");
        assert_eq!(mistakes.len(), 2, "{mistakes:?}");
        assert!(mistakes[0].starts_with("places/pai.md, line 6: published must be"));
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
