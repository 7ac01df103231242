//! Finds the places that articles name and at which events happen: by slug, or by the exact name.

use std::collections::{BTreeSet, HashMap};

use chassis::{error::Fault, markup, rpc::Transport};
use editorial_proto::v1::{Event, ImportItem, Kind, NamedPlace, import_item::Detail};
use places_proto::v1::{ImportListing, Listing, ListingType};
use tonic::Status;

use super::{Folder, references::Reference};
use crate::guide_places::{GuidePlaces, named, set_place, sought_venue, venue_among};

/// The places that a folder's items refer to.
struct Found {
    by_slug: HashMap<String, Listing>,
    /// Places with the names of venues, or with names in the texts of articles.
    with_names: Vec<Listing>,
    /// The names that texts can link, in typographic form, with their only places.
    by_name: HashMap<String, NamedPlace>,
}

/// Returns the folder's items with their places. A place is in the folder or known to the service. A new place
/// of the folder has no id until it is stored. The error lists the references to unknown places, with their
/// lines.
pub(super) async fn items(places: Transport, folder: &Folder) -> Result<Vec<ImportItem>, String> {
    let places = GuidePlaces::new(places);
    let found = find(&places, folder).await;
    let (found, mistakes) = found.map_err(|status| Fault::from(status).message)?;
    if !mistakes.is_empty() {
        let mistakes = mistakes.join("\n  ");
        return Err(format!(
            "the folder has mistakes; nothing was changed\n  {mistakes}"
        ));
    }
    let items = folder.items.iter();
    Ok(items.map(|item| found.placed(item.clone())).collect())
}

/// Finds the places of a folder's items; also returns the mistakes.
async fn find(places: &GuidePlaces, folder: &Folder) -> Result<(Found, Vec<String>), Status> {
    let slugs: BTreeSet<&str> = folder.references.iter().map(|one| &*one.slug).collect();
    let own = |slug: &str| folder.places.iter().find(|place| place.slug == slug);
    let (known, others): (Vec<&str>, Vec<&str>) =
        slugs.into_iter().partition(|slug| own(slug).is_some());
    let source_ids = known.iter().filter_map(|slug| own(slug));
    let source_ids = source_ids.map(|place| place.source_id.clone()).collect();
    let mut stored = places.of_sources(source_ids).await?;
    let mut by_slug = HashMap::new();
    for place in known.iter().filter_map(|slug| own(slug)) {
        let listing = stored.remove(&place.source_id);
        let listing = listing.unwrap_or_else(|| not_yet_stored(place));
        by_slug.insert(place.slug.clone(), listing);
    }
    let others = others.into_iter().map(str::to_owned).collect();
    let mut several = BTreeSet::new();
    for listing in places.with_slugs(others).await? {
        let slug = listing.slug.clone();
        if by_slug.insert(slug.clone(), listing).is_some() {
            several.insert(slug);
        }
    }
    let mistakes = folder.references.iter().filter_map(|reference| {
        let Reference { slug, named_at } = reference;
        if several.contains(slug) {
            return Some(format!("{named_at}: several places have the slug {slug:?}"));
        }
        (!by_slug.contains_key(slug)).then(|| format!("{named_at}: there is no place {slug:?}"))
    });
    let mistakes = mistakes.collect();
    let with_names = places.with_names(sought_names(folder)).await?;
    let areas = places.names_of_areas().await?;
    let found = Found {
        by_slug,
        by_name: linked_names(&with_names, &areas),
        with_names,
    };
    Ok((found, mistakes))
}

/// Returns the names of venues, and the phrases of articles that may be names of places.
fn sought_names(folder: &Folder) -> Vec<String> {
    let mut names: BTreeSet<String> = folder.items.iter().filter_map(venue).collect();
    for article in folder.items.iter().filter(|item| is_article(item)) {
        for phrase in markup::phrases(&article.body_markdown) {
            // The guide's name may have either apostrophe.
            if phrase.contains('’') {
                names.insert(phrase.replace('’', "'"));
            }
            names.insert(phrase);
        }
    }
    names.into_iter().collect()
}

fn is_article(item: &ImportItem) -> bool {
    item.kind() == Kind::Article
}

/// Returns the names that identify a single place; the name of a neighbourhood does not.
fn linked_names(places: &[Listing], areas: &BTreeSet<String>) -> HashMap<String, NamedPlace> {
    let mut known: HashMap<String, Vec<&Listing>> = HashMap::new();
    for place in places {
        let name = markup::typographic(&place.name);
        known.entry(name).or_default().push(place);
    }
    let single = known.into_iter().filter_map(|(name, places)| {
        let [place] = places.as_slice() else {
            return None;
        };
        let place = named("", place);
        (!areas.contains(&name)).then_some((name, place))
    });
    single.collect()
}

/// Returns the venue of an event that names no place.
fn venue(item: &ImportItem) -> Option<String> {
    match &item.detail {
        Some(Detail::Event(event)) if item.places.is_empty() => sought_venue(event),
        _ => None,
    }
}

/// Returns a place as it will be stored, without an id.
fn not_yet_stored(place: &ImportListing) -> Listing {
    Listing {
        slug: place.slug.clone(),
        name: place.name.clone(),
        r#type: Some(ListingType {
            slug: place.type_slug.clone(),
            ..ListingType::default()
        }),
        address: place.address.clone(),
        ..Listing::default()
    }
}

impl Found {
    fn placed(&self, mut item: ImportItem) -> ImportItem {
        let slugs = std::mem::take(&mut item.places);
        let listings = slugs.iter().filter_map(|place| {
            let listing = self.by_slug.get(&place.slug)?;
            Some((&*place.slug, listing))
        });
        match &mut item.detail {
            Some(Detail::Event(event)) => {
                let listing = listings.map(|(_, listing)| listing).next();
                self.place_event(event, listing);
            }
            _ => item.places = listings.map(|(slug, place)| named(slug, place)).collect(),
        }
        if is_article(&item) {
            let phrases = markup::phrases(&item.body_markdown);
            let named = phrases.iter().filter_map(|name| self.by_name.get(name));
            item.named = named.cloned().collect();
        }
        item
    }

    fn place_event(&self, event: &mut Event, named: Option<&Listing>) {
        if let Some(place) = named.or_else(|| venue_among(event, &self.with_names)) {
            set_place(event, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_linked_if_it_identifies_one_place_and_no_neighbourhood() {
        let place = |id: i64, name: &str| Listing {
            id,
            name: name.to_owned(),
            slug: "it".to_owned(),
            r#type: Some(ListingType {
                slug: "bars".to_owned(),
                ..ListingType::default()
            }),
            ..Listing::default()
        };
        let places = [
            place(1, "Stavri's Window"),
            place(2, "Tim Hortons"),
            place(3, "Tim Hortons"),
            place(4, "Little Italy"),
        ];
        let areas = BTreeSet::from(["Little Italy".to_owned()]);
        let linked = linked_names(&places, &areas);
        let names: Vec<_> = linked.keys().collect();
        assert_eq!(names, ["Stavri’s Window"]);
        let place = &linked["Stavri’s Window"];
        assert_eq!((place.listing_id, &*place.path), (1, "/bars/it/"));
    }
}
