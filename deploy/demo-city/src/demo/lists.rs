//! The orders in which the site lists the demo city's places and items.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{Demo, area::Area};

/// A place or an item, for its picture.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) folder: &'a str,
    pub(crate) slug: &'a str,
    /// The name of the picture, without the extension: "longwave", "articles/a-new-streetcar".
    pub(crate) name: String,
    /// A place's type; an item's folder.
    pub(crate) kind: &'a str,
    /// A place's sub-type; an article's section, an event's category; the folder of a contest or a video.
    pub(crate) sub_type: &'a str,
    pub(crate) has_picture: bool,
}

impl Demo {
    /// The places, then the items.
    pub(crate) fn subjects(&self) -> Vec<Subject<'_>> {
        let places = self.places.iter().map(|place| Subject {
            folder: "places",
            slug: &place.slug,
            name: place.slug.clone(),
            kind: &place.kind,
            sub_type: &place.sub_type,
            has_picture: place.has_picture(),
        });
        let items = self.items.iter().map(|item| Subject {
            folder: item.folder,
            slug: &item.slug,
            name: item.picture_file(),
            kind: item.folder,
            sub_type: &item.subject,
            has_picture: item.has_picture(),
        });
        places.chain(items).collect()
    }
}

/// The two orders of most lists, as positions in `city.subjects()`, without subjects that have no picture.
#[derive(Debug)]
pub(crate) struct Orders {
    /// Places and items, the newest first.
    pub(crate) newest: Vec<usize>,
    /// Reviewed places, the latest review first.
    pub(crate) reviewed: Vec<usize>,
}

impl Orders {
    pub(crate) fn of(city: &Demo) -> Self {
        let (subjects, places) = (city.subjects(), &city.places);
        let published_on = |at: usize| match places.get(at) {
            Some(place) => Some(place.published.to_string()),
            None => Some(city.items[at - places.len()].published?.to_string()),
        };
        let reviewed_on = |at: &usize| Some(places.get(*at)?.review_date?.to_string());
        let mut newest: Vec<_> = (0..subjects.len()).collect();
        newest.retain(|at| subjects[*at].has_picture);
        newest.sort_by_key(|at| Reverse((published_on(*at), *at)));
        let mut reviewed = newest.clone();
        reviewed.retain(|at| reviewed_on(at).is_some());
        reviewed.sort_by_key(|at| Reverse(reviewed_on(at)));
        Self { newest, reviewed }
    }
}

/// The site's lists: places together, of each type and of each neighbourhood; items of each folder, section and
/// category; the magazine's lists of the best places.
pub(crate) fn of(city: &Demo, areas: &[Area]) -> Vec<Vec<usize>> {
    let (subjects, places) = (city.subjects(), &city.places);
    let Orders { newest, reviewed } = Orders::of(city);
    let area_of = |at: usize| {
        let place = places.get(at)?;
        let point = [place.longitude, place.latitude];
        areas.iter().position(|area| area.contains(point))
    };
    let section_of = |at: usize| {
        let subject = &subjects[at];
        (subject.folder != "places").then_some((subject.folder, subject.sub_type))
    };
    let mut lists = Vec::new();
    for order in [&newest, &reviewed] {
        lists.extend(parts(order, |at| Some(subjects[at].folder)));
        lists.extend(parts(order, |at| Some(subjects[at].kind)));
    }
    lists.extend(parts(&newest, area_of));
    lists.extend(parts(&newest, section_of));
    lists.extend(city.best_of.iter().map(|list| {
        let position = |slug: &String| places.iter().position(|place| place.slug == *slug);
        list.ranked.iter().filter_map(position).collect()
    }));
    lists
}

/// The parts of a list whose subjects have the same key, without subjects that have none.
fn parts<K: Ord>(list: &[usize], key: impl Fn(usize) -> Option<K>) -> Vec<Vec<usize>> {
    let mut parts = BTreeMap::<K, Vec<usize>>::new();
    for at in list {
        if let Some(key) = key(*at) {
            parts.entry(key).or_default().push(*at);
        }
    }
    parts.into_values().collect()
}
