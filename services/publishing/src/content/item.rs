//! Files of items: articles, events, contests, videos and pages.

use chassis::{instant, markup, slug};
use chrono::{DateTime, Days, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;
use editorial_proto::v1::{Contest, ImportItem, Kind, Video, import_item::Detail};
use toml::{Spanned, value::Datetime};

use super::{
    document::{self, Document, Picture},
    event,
    front::{Front, front},
    references::{Reference, unresolved},
};

front!(Plain {}, |_: &Plain, _: &Document<'_>, _, _: &mut _| None);

front!(ContestFront {
    opens: Spanned<Datetime>,
    closes: Spanned<Datetime>,
    question: String,
    #[serde(default)]
    rules: String,
}, contest);

front!(
    VideoFront {
        video: String,
        duration: u32,
    },
    |front: &VideoFront, _: &Document<'_>, _, _: &mut _| {
        Some(Detail::Video(Video {
            url: front.video.clone(),
            duration_seconds: front.duration,
        }))
    }
);

fn contest(
    front: &ContestFront,
    document: &Document<'_>,
    zone: Tz,
    mistakes: &mut Vec<String>,
) -> Option<Detail> {
    let mut moment = |what: &str, at: &Spanned<Datetime>, is_end: bool| {
        let found = moment(at.get_ref(), zone, is_end);
        if found.is_none() {
            let why = format!("{what} must be a date, or a date and time that the clock shows");
            mistakes.push(document.mistake(at, &why));
        }
        found.map(instant::to_proto)
    };
    let opens = moment("opens", &front.opens, false);
    let closes = moment("closes", &front.closes, true);
    Some(Detail::Contest(Contest {
        opens_at: Some(opens?),
        closes_at: Some(closes?),
        question: front.question.clone(),
        rules: front.rules.clone(),
        ..Contest::default()
    }))
}

/// Parses a time with an offset or in the site's time zone. A date alone means the start or end of that day.
fn moment(at: &Datetime, zone: Tz, is_end: bool) -> Option<DateTime<Utc>> {
    if at.offset.is_some() {
        return document::with_offset(at);
    }
    let mut local = document::local(at, NaiveTime::MIN)?;
    if is_end && at.time.is_none() {
        local = local.checked_add_days(Days::new(1))?;
    }
    let found = zone.from_local_datetime(&local).earliest()?;
    Some(found.to_utc())
}

/// Kinds of items, with their folders and the functions that read their files.
pub(super) const KINDS: [(&str, Kind, Read); 5] = [
    ("articles", Kind::Article, read::<Plain>),
    ("events", Kind::Event, read::<event::EventFront>),
    ("contests", Kind::Contest, read::<ContestFront>),
    ("videos", Kind::Video, read::<VideoFront>),
    ("pages", Kind::Page, read::<Plain>),
];

/// Reads a file of a kind: its path, text and the site's time zone.
pub(super) type Read = fn(&File<'_>, &str, Tz) -> Outcome;

/// An item, its picture and the places that it refers to, or the mistakes in its file.
pub(super) type Outcome = Result<(ImportItem, Option<Picture>, Vec<Reference>), Vec<String>>;

pub(super) struct File<'a> {
    pub(super) kind: Kind,
    /// "articles/news/a-new-streetcar.md".
    pub(super) path: &'a str,
    /// Section of an article; empty for other kinds.
    pub(super) section: &'a str,
    pub(super) stem: &'a str,
}

fn read<T: Front>(file: &File<'_>, text: &str, zone: Tz) -> Outcome {
    if !slug::is_slug(file.stem) {
        return Err(vec![document::no_slug(file.path)]);
    }
    let document = Document::split(file.path, text).map_err(|mistake| vec![mistake])?;
    let front: T = document.front().map_err(|mistake| vec![mistake])?;
    let mut mistakes = Vec::new();
    let shared = front.shared();
    let published = document.instant("published", shared.published, &mut mistakes);
    let unpublished = shared
        .unpublished
        .and_then(|at| document.instant("unpublished", at, &mut mistakes));
    let detail = front.detail(&document, zone, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let references = references(file.kind, &document, front.place());
    let (named, _) = file.path.rsplit_once('.').unwrap_or((file.path, ""));
    let item = ImportItem {
        position: file.path.to_owned(),
        source_id: format!("content:{named}"),
        kind: file.kind.into(),
        section: file.section.to_owned(),
        slug: file.stem.to_owned(),
        name: shared.name.to_owned(),
        excerpt: shared.excerpt.to_owned(),
        body_markdown: document.body.to_owned(),
        image_url: None,
        is_age_restricted: shared.is_age_restricted,
        is_draft: shared.is_draft,
        published_at: published.map(instant::to_proto),
        unpublished_at: unpublished.map(instant::to_proto),
        authors: shared.authors.to_vec(),
        tags: shared.tags.to_vec(),
        moved_from: shared.moved_from.to_vec(),
        detail,
        is_cancelled: false,
        replaces: None,
        places: unresolved(&references),
        named: Vec::new(),
        // The site's own content never gives way to imported items.
        yields: false,
    };
    Ok((item, document.picture(shared.picture), references))
}

/// Returns the places that the text of an article names, and the place of an event.
fn references(
    kind: Kind,
    document: &Document<'_>,
    place: Option<&Spanned<String>>,
) -> Vec<Reference> {
    let mentions = if kind == Kind::Article {
        markup::mentions(document.body)
    } else {
        Vec::new()
    };
    let in_text = mentions.into_iter().map(|mention| Reference {
        slug: mention.slug,
        named_at: document.place_in_body(mention.at),
    });
    let of_event = place.map(|slug| Reference {
        slug: slug.get_ref().clone(),
        named_at: document.place_of(&slug.span()),
    });
    of_event.into_iter().chain(in_text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONE: Tz = chrono_tz::America::Toronto;

    fn read(folder: &str, text: &str) -> Outcome {
        let (folder, kind, read) = KINDS
            .into_iter()
            .find(|(name, ..)| *name == folder)
            .expect("a kind");
        let section = if kind == Kind::Article { "news" } else { "" };
        let path = format!("{folder}/it.md");
        let file = File {
            kind,
            path: &path,
            section,
            stem: "it",
        };
        read(&file, text, ZONE)
    }

    fn rfc3339(time: Option<&prost_types::Timestamp>) -> String {
        let time = time.and_then(instant::from_proto).expect("a time");
        instant::to_rfc3339(time)
    }

    #[test]
    fn an_article_is_read_with_all_that_it_has() {
        let text = "+++\nname = \"A new streetcar\"\npublished = 2026-10-30T09:00:00-04:00\n\
            unpublished = 2027-01-01\nexcerpt = \"It is quiet.\"\npicture = \"pictures/it.svg\"\n\
            authors = [\"Ada King\"]\ntags = [\"Transit\"]\nis_age_restricted = true\n\
            moved_from = [\"/stories/tram/\"]\n+++\n\nAll of it.\n";
        let (item, picture, _) = read("articles", text).expect("valid");
        assert_eq!(item.source_id, "content:articles/it");
        assert_eq!((item.section.as_str(), item.slug.as_str()), ("news", "it"));
        assert_eq!(item.body_markdown, "All of it.");
        assert!(item.is_age_restricted);
        assert_eq!(item.moved_from, ["/stories/tram/"]);
        assert_eq!(
            rfc3339(item.published_at.as_ref()),
            "2026-10-30T13:00:00.000Z"
        );
        let picture = picture.expect("a picture");
        assert_eq!(picture.named_at, "articles/it.md, line 6");
    }

    #[test]
    fn a_contest_lasts_from_its_first_day_to_the_end_of_its_last() {
        let text = "+++\nname = \"Win a canoe\"\npublished = 2026-10-30\nopens = 2026-11-01\n\
            closes = 2026-11-01\nquestion = \"Which river?\"\n+++\n";
        let (item, ..) = read("contests", text).expect("valid");
        let Some(Detail::Contest(contest)) = item.detail else {
            panic!("a contest");
        };
        // The clocks go back on that day.
        assert_eq!(
            rfc3339(contest.opens_at.as_ref()),
            "2026-11-01T04:00:00.000Z"
        );
        assert_eq!(
            rfc3339(contest.closes_at.as_ref()),
            "2026-11-02T05:00:00.000Z"
        );
    }

    #[test]
    fn places_in_texts_and_of_events_have_their_lines() {
        let text = "+++\nname = \"It\"\npublished = 2026-10-30\n+++\n\nAt [[place:longwave]].\n\n\
            `[[place:code]]` and\n[[place:pai|there]], [[place:longwave]]\n";
        let (item, _, references) = read("articles", text).expect("valid");
        let slugs: Vec<_> = item.places.iter().map(|place| &*place.slug).collect();
        assert_eq!(slugs, ["longwave", "pai"]);
        let lines: Vec<_> = references.iter().map(|one| &*one.named_at).collect();
        let line = |number: usize| format!("articles/it.md, line {number}");
        assert_eq!(lines, [line(6), line(9), line(9)]);
        let (page, ..) = read("pages", text).expect("valid");
        assert_eq!(page.places, []);
        let event = "+++\nname = \"It\"\npublished = 2026-10-30\nstarts = 2026-11-01\n\
            place = \"longwave\"\n+++\n\nAt [[place:pai]].\n";
        let (item, _, references) = read("events", event).expect("valid");
        assert_eq!(item.places[0].slug, "longwave");
        assert_eq!(references[0].named_at, "events/it.md, line 5");
        assert_eq!(references.len(), 1);
    }

    #[test]
    fn every_mistake_has_its_line() {
        let front = "+++\nname = \"It\"\npublished = 2026-10-30T09:00:00\n\
            unpublished = 09:00:00\n+++\n";
        let mistakes = read("pages", front).expect_err("refused");
        assert!(mistakes[0].starts_with("pages/it.md, line 3: published"));
        assert!(mistakes[1].starts_with("pages/it.md, line 4: unpublished"));
        for (folder, own, line) in [
            ("articles", "venue = \"Somewhere\"", 4),
            ("videos", "video = 5\nduration = 9", 4),
            ("videos", "video = \"x\"\nduration = -9", 5),
            ("contests", "opens = 2026-02-30", 4),
        ] {
            let text = format!("+++\nname = \"It\"\npublished = 2026-10-30\n{own}\n+++\n");
            let mistakes = read(folder, &text).expect_err("refused");
            let expected = format!("{folder}/it.md, line {line}: ");
            assert!(mistakes[0].starts_with(&expected), "{mistakes:?}");
        }
        assert!(read("pages", "Just text.").is_err());
    }
}
