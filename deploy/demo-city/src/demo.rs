//! The parts of the demo city's folder that this tool uses.

pub(crate) mod area;
pub(crate) mod listed;
pub(crate) mod lists;
pub(crate) mod random;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use serde::Deserialize;
use toml::value::Datetime;

#[derive(Debug)]
pub(crate) struct Demo {
    /// The places, sorted by name.
    pub(crate) places: Vec<Place>,
    /// The magazine's items, by folder and name.
    pub(crate) items: Vec<Item>,
    /// The magazine's lists of the best places, by name.
    pub(crate) best_of: Vec<BestOf>,
}

/// A list of the best places.
#[derive(Debug, Deserialize)]
pub(crate) struct BestOf {
    #[cfg(test)]
    pub(crate) picture: String,
    #[cfg(test)]
    pub(crate) published: Datetime,
    /// The slugs of the places, the best first.
    #[serde(skip)]
    pub(crate) ranked: Vec<String>,
}

/// An article, event, contest, video or page.
#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    /// The folder of the item's kind: "articles".
    #[serde(skip)]
    pub(crate) folder: &'static str,
    #[serde(skip)]
    pub(crate) slug: String,
    /// An article's section, an event's category; the folder of a contest or a video.
    #[serde(default, rename = "category")]
    pub(crate) subject: String,
    #[serde(default)]
    picture: String,
    published: Option<Datetime>,
    #[cfg(test)]
    #[serde(flatten)]
    pub(crate) rest: toml::Table,
    #[cfg(test)]
    #[serde(skip)]
    text: String,
}

impl Item {
    pub(crate) fn has_picture(&self) -> bool {
        !self.picture.is_empty()
    }

    /// The name of the item's picture, without the extension: "articles/a-new-streetcar".
    pub(crate) fn picture_file(&self) -> String {
        format!("{}/{}", self.folder, self.slug)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Place {
    #[serde(skip)]
    pub(crate) slug: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) sub_type: String,
    latitude: f64,
    longitude: f64,
    #[serde(default)]
    picture: String,
    published: Datetime,
    review_date: Option<Datetime>,
    #[cfg(test)]
    #[serde(default)]
    pub(crate) is_closed: bool,
    #[cfg(test)]
    line: Option<String>,
    #[cfg(test)]
    review_author: Option<String>,
    #[cfg(test)]
    #[serde(skip)]
    review: String,
}

impl Place {
    pub(crate) fn has_picture(&self) -> bool {
        !self.picture.is_empty()
    }
}

impl Demo {
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut places = Vec::new();
        for path in markdown(&folder.join("places"))? {
            let text = fs::read_to_string(&path)?;
            let place = parse(&path, &text)
                .with_context(|| format!("{} is not a place", path.display()))?;
            places.push(place);
        }
        places.sort_by(|one, other| one.slug.cmp(&other.slug));
        let mut items = Vec::new();
        for kind in ["articles", "contests", "events", "pages", "videos"] {
            for path in markdown(&folder.join(kind))? {
                items.push(
                    item(kind, &path)
                        .with_context(|| format!("{} cannot be read", path.display()))?,
                );
            }
        }
        let best_of = markdown(&folder.join("best-of"))?;
        let best_of = best_of.iter().map(|path| best_of_list(path));
        Ok(Self {
            places,
            items,
            best_of: best_of.collect::<anyhow::Result<_>>()?,
        })
    }
}

/// The Markdown files in a folder and its subfolders, by name.
fn markdown(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(markdown(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn item(folder: &'static str, path: &Path) -> anyhow::Result<Item> {
    let text = fs::read_to_string(path)?;
    let parts = split(&text)?;
    let mut item: Item = toml::from_str(parts.0)?;
    item.folder = folder;
    item.slug = slug(path)?;
    if item.subject.is_empty() {
        let parent = path.parent().and_then(Path::file_name);
        item.subject = parent.unwrap_or_default().to_string_lossy().into_owned();
    }
    #[cfg(test)]
    parts.1.trim().clone_into(&mut item.text);
    Ok(item)
}

fn best_of_list(path: &Path) -> anyhow::Result<BestOf> {
    let text = fs::read_to_string(path)?;
    let parts = split(&text)?;
    let ranked = parts.1.lines().filter_map(|line| line.strip_prefix("## "));
    let mut list: BestOf = toml::from_str(parts.0)?;
    list.ranked = ranked.map(str::to_owned).collect();
    Ok(list)
}

fn slug(path: &Path) -> anyhow::Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    Ok(stem.context("the file has no name")?.to_owned())
}

fn split(text: &str) -> anyhow::Result<(&str, &str)> {
    text.strip_prefix("+++\n")
        .and_then(|rest| rest.split_once("\n+++\n"))
        .context("there is no front matter between +++ lines")
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Place> {
    let parts = split(text)?;
    Ok(Place {
        slug: slug(path)?,
        #[cfg(test)]
        review: parts.1.trim().to_owned(),
        ..toml::from_str(parts.0)?
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::area::Area;
    use super::*;

    #[derive(Deserialize)]
    struct Types {
        #[serde(rename = "type")]
        types: Vec<Type>,
    }

    #[derive(Deserialize)]
    struct Type {
        slug: String,
    }

    fn folder() -> std::path::PathBuf {
        crate::content()
    }

    fn neighbourhoods() -> Vec<Area> {
        area::read(&folder().join("neighbourhoods.geojson")).unwrap()
    }

    #[test]
    fn each_place_lies_in_one_neighbourhood_and_each_neighbourhood_has_places() {
        let neighbourhoods = neighbourhoods();
        let mut used = BTreeSet::new();
        for place in Demo::read(&folder()).unwrap().places {
            let point = [place.longitude, place.latitude];
            let around: Vec<_> = neighbourhoods
                .iter()
                .filter(|area| area.contains(point))
                .map(|area| area.slug.as_str())
                .collect();
            assert_eq!(around.len(), 1, "{} lies in {around:?}", place.slug);
            used.extend(around);
        }
        assert_eq!(used.len(), neighbourhoods.len());
    }

    #[test]
    fn each_neighbourhood_has_its_text() {
        for Area { slug, .. } in neighbourhoods() {
            let file = folder().join(format!("neighbourhoods/{slug}.md"));
            let text = fs::read_to_string(file).unwrap();
            let words = text.split_whitespace().count();
            assert!((40..=100).contains(&words), "{slug} has {words} words");
        }
    }

    #[test]
    fn rings_are_closed_and_do_not_overlap() {
        let neighbourhoods = neighbourhoods();
        for Area { slug, ring } in &neighbourhoods {
            assert_eq!(ring.first(), ring.last(), "{slug}");
        }
        // A fine grid over the city finds any overlap larger than a house.
        for row in 0..650 {
            for column in 0..1000 {
                let point = [
                    -79.48 + f64::from(column) * 0.0002,
                    43.63 + f64::from(row) * 0.0001,
                ];
                let around = neighbourhoods.iter().filter(|area| area.contains(point));
                assert!(around.count() <= 1, "two neighbourhoods share {point:?}");
            }
        }
    }

    #[test]
    fn a_place_is_not_inspected_after_it_has_closed() {
        let register = folder().join("../demo-inspections.csv");
        let register = fs::read_to_string(register).unwrap();
        for place in Demo::read(&folder()).unwrap().places {
            let Some(review) = place.review_date.filter(|_| place.is_closed) else {
                continue;
            };
            for line in register.lines() {
                let cells: Vec<_> = line.split("\",\"").collect();
                let name = slug::slugify(cells[3].replace('&', "and"));
                let is_later = name == place.slug && cells[11] > review.to_string().as_str();
                assert!(!is_later, "{line}");
            }
        }
    }

    #[test]
    fn types_pictures_and_reviews_are_there() {
        let text = fs::read_to_string(folder().join("listing-types.toml")).unwrap();
        let types: BTreeSet<_> = toml::from_str::<Types>(&text)
            .unwrap()
            .types
            .into_iter()
            .map(|kind| kind.slug)
            .collect();
        let places = Demo::read(&folder()).unwrap().places;
        let mut reviews = BTreeSet::new();
        for place in &places {
            assert!(types.contains(&place.kind), "{} has no type", place.slug);
            assert!(
                !place.has_picture() || folder().join(&place.picture).is_file(),
                "{} has no picture",
                place.slug
            );
            if place.review_author.is_none() {
                assert!(place.review.is_empty(), "nobody reviews {}", place.slug);
                continue;
            }
            assert!(place.has_picture(), "{} is not illustrated", place.slug);
            let words = place.review.split_whitespace().count();
            assert!(
                (60..=160).contains(&words),
                "{} has {words} words",
                place.slug
            );
            assert!(
                reviews.insert(&place.review),
                "{} repeats a review",
                place.slug
            );
        }
        assert!(reviews.len() >= 60);
        assert!((200..=500).contains(&places.len()), "{}", places.len());
    }

    #[test]
    fn every_place_has_a_line_and_the_lines_of_unreviewed_places_differ() {
        let city = Demo::read(&folder()).unwrap();
        let ranked: BTreeSet<_> = city.best_of.iter().flat_map(|list| &list.ranked).collect();
        let (mut lines, mut beginnings) = (BTreeSet::new(), BTreeMap::<_, usize>::new());
        for place in &city.places {
            let slug = &place.slug;
            if !place.review.is_empty() {
                continue;
            }
            let Some(line) = &place.line else {
                assert!(ranked.contains(slug), "{slug} has no line");
                continue;
            };
            let length = line.chars().count();
            assert!((30..=90).contains(&length), "{slug}: {length} characters");
            assert!(!line.contains(['\'', '"']), "{slug} has straight quotes");
            assert!(lines.insert(line), "{slug} repeats a line");
            *beginnings.entry(line.split(' ').next()).or_default() += 1;
        }
        assert!(lines.len() >= 200, "{}", lines.len());
        for (word, count) in beginnings {
            assert!(count <= 3, "{count} lines begin with {word:?}");
        }
    }

    fn text<'a>(item: &'a Item, key: &str) -> &'a str {
        item.rest
            .get(key)
            .and_then(toml::Value::as_str)
            .unwrap_or_default()
    }

    fn of<'a>(city: &'a Demo, folder: &str) -> Vec<&'a Item> {
        city.items
            .iter()
            .filter(|item| item.folder == folder)
            .collect()
    }

    #[test]
    fn what_the_magazine_publishes_has_its_picture_and_its_words() {
        let city = Demo::read(&folder()).unwrap();
        let mut names = BTreeSet::new();
        for item in &city.items {
            let name = item.picture_file();
            assert!(names.insert(name.clone()), "{name} is there twice");
            if item.folder != "pages" {
                assert_eq!(item.picture, format!("pictures/{name}.svg"));
                assert!(folder().join(&item.picture).is_file(), "{name}");
                let excerpt = text(item, "excerpt").len();
                assert!((40..=200).contains(&excerpt), "{name}: {excerpt}");
            }
            let words = item.text.split_whitespace().count();
            let expected = match item.folder {
                "articles" => 150..=350,
                "events" => 35..=120,
                _ if name == "pages/privacy" => 250..=400,
                _ => 12..=250,
            };
            assert!(expected.contains(&words), "{name} has {words} words");
        }
        for (kind, least) in [
            ("articles", 36),
            ("events", 24),
            ("contests", 4),
            ("videos", 8),
        ] {
            assert!(of(&city, kind).len() >= least, "{kind}");
        }
        for section in [
            "news",
            "culture",
            "food",
            "real-estate",
            "sports",
            "tech",
            "travel",
        ] {
            let articles = of(&city, "articles").into_iter();
            let count = articles.filter(|item| item.subject == section).count();
            assert!((5..=6).contains(&count), "{section} has {count}");
        }
    }

    #[test]
    fn every_event_is_in_a_neighbourhood_and_happens_again_within_60_days() {
        let neighbourhoods = neighbourhoods();
        let known: BTreeSet<_> = neighbourhoods
            .iter()
            .map(|area| area.slug.as_str())
            .collect();
        let city = Demo::read(&folder()).unwrap();
        let mut used = BTreeSet::new();
        for event in of(&city, "events") {
            let place = text(event, "place");
            let place = city.places.iter().find(|known| known.slug == place);
            let of_place = place.and_then(|place| {
                let point = [place.longitude, place.latitude];
                neighbourhoods.iter().find(|area| area.contains(point))
            });
            let at = of_place.map_or(text(event, "neighbourhood"), |area| &area.slug);
            assert!(known.contains(at), "{} is in {at:?}", event.slug);
            used.insert(at);
            // Each event recurs weekly or monthly without an end and began in the past, so its next date is always
            // near.
            let rule = text(event, "recurrence");
            let often = ["FREQ=WEEKLY;BYDAY=", "FREQ=MONTHLY;BYDAY="];
            assert!(often.iter().any(|begin| rule.starts_with(begin)), "{rule}");
            assert_eq!(rule.matches(';').count(), 1, "{rule}");
            let starts = event.rest["starts"].to_string();
            assert!(
                starts.starts_with("2026-0"),
                "{} starts {starts}",
                event.slug
            );
        }
        assert_eq!(used, known);
    }
}
