//! Places that the texts of articles link.

use std::collections::{BTreeMap, BTreeSet};

use places_proto::v1::GetListingsRequest;
use tonic::Status;

use crate::{catalogue::Catalogue, v2::listing::Listing};

/// The attribute with the id of the linked place, which [`chassis::markup`] writes.
const ATTRIBUTE: &str = "data-place=\"";
/// Precedes the attribute where a place's card is shown.
const CARD: &str = "<aside ";
const CARD_END: &str = "></aside>\n";
/// Precedes the address of a link.
const LINK: &str = "<a href=\"";
const LINK_END: &str = "</a>";

/// Maximum number of ids per call.
const MAX_IDS: usize = 100;

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Html(&'a str),
    /// The position of a place's card.
    Card(i64),
    /// A link to a place with its remaining attributes, and its words.
    Link(i64, &'a str, &'a str),
}

/// Splits a text at links to places and positions of cards.
fn parts(body: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = body;
    // The end of the text before the attribute that is looked for.
    let mut seen = 0;
    while let Some(at) = rest[seen..].find(ATTRIBUTE) {
        let at = seen + at;
        let Some((before, part, after)) = place_at(rest, at) else {
            seen = at + ATTRIBUTE.len();
            continue;
        };
        parts.extend([Part::Html(before), part]);
        (rest, seen) = (after, 0);
    }
    parts.push(Part::Html(rest));
    parts
}

/// Returns the text before the element with the attribute at this position, the element, and the text after it.
fn place_at(text: &str, at: usize) -> Option<(&str, Part<'_>, &str)> {
    let (before, attribute) = text.split_at(at);
    let (id, after) = attribute.strip_prefix(ATTRIBUTE)?.split_once('"')?;
    let id = id.parse().ok()?;
    if let Some(before) = before.strip_suffix(CARD) {
        return Some((before, Part::Card(id), after.strip_prefix(CARD_END)?));
    }
    let (before, address) = before.rsplit_once(LINK)?;
    // The attribute follows the address immediately.
    if address.matches('"').count() != 1 || !address.ends_with("\" ") {
        return None;
    }
    let (attributes, after) = after.split_once('>')?;
    let (words, after) = after.split_once(LINK_END)?;
    Some((before, Part::Link(id, attributes, words), after))
}

/// Returns the ids of the places that a text links, each once.
fn ids(body: &str) -> Vec<i64> {
    let parts = parts(body).into_iter();
    let ids = parts.filter_map(|part| match part {
        Part::Link(id, ..) => Some(id),
        _ => None,
    });
    let ids: BTreeSet<i64> = ids.collect();
    ids.into_iter().collect()
}

/// Updates the addresses of links. Links to places that no longer exist become text, and closed places have no card.
fn linked(body: &str, places: &BTreeMap<i64, Listing>) -> String {
    let mut html = String::with_capacity(body.len());
    for part in parts(body) {
        match part {
            Part::Html(text) => html.push_str(text),
            Part::Card(id) if places.get(&id).is_some_and(|place| !place.is_closed) => {
                html.extend([CARD, ATTRIBUTE, &id.to_string(), "\"", CARD_END]);
            }
            Part::Card(_) => {}
            Part::Link(id, attributes, words) => match places.get(&id) {
                Some(place) => {
                    let id = id.to_string();
                    let path = &place.share_url;
                    html.extend([LINK, path, "\" ", ATTRIBUTE, &id, "\"", attributes, ">"]);
                    html.extend([words, LINK_END]);
                }
                None => html.push_str(words),
            },
        }
    }
    html
}

/// A text, and the place whose card follows it.
pub(crate) type Section<'a> = (&'a str, Option<i64>);

/// Splits a text at the positions of cards (`web/src/features/articles/sections.ts`).
pub(crate) fn sections(body: &str) -> Vec<Section<'_>> {
    let start = [CARD, ATTRIBUTE].concat();
    let end = ["\"", CARD_END].concat();
    let mut sections = Vec::new();
    let mut rest = body;
    while let Some((text, place)) = rest.split_once(&*start) {
        let (id, after) = place.split_once(&*end).unwrap_or((place, ""));
        sections.push((text, id.parse().ok()));
        rest = after;
    }
    sections.push((rest, None));
    sections
}

/// Removes the positions of cards; links remain.
pub(super) fn without_cards(body: &str) -> String {
    sections(body).into_iter().map(|(text, _)| text).collect()
}

/// Returns places by id.
pub(crate) async fn listings(
    catalogue: &Catalogue,
    ids: &[i64],
) -> Result<BTreeMap<i64, Listing>, Status> {
    let mut listings = BTreeMap::new();
    if !catalogue.site.has("listings") {
        return Ok(listings);
    }
    for ids in ids.chunks(MAX_IDS) {
        let request = catalogue.request(GetListingsRequest { ids: ids.to_vec() });
        let found = catalogue.services.places().get_listings(request).await?;
        let found = found.into_inner().listings.into_iter();
        let found = found.map(|listing| (listing.id, Listing::new(&catalogue.site, listing)));
        listings.extend(found);
    }
    Ok(listings)
}

/// Updates the links of a text to places. Returns the places whose cards the text shows, in the order of their ids.
pub(super) async fn place_cards(
    catalogue: &Catalogue,
    body: &mut String,
) -> Result<Vec<Listing>, Status> {
    let ids = ids(body);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut places = listings(catalogue, &ids).await?;
    *body = linked(body, &places);
    let shown = sections(body).into_iter().filter_map(|(_, place)| place);
    let shown: BTreeSet<i64> = shown.collect();
    places.retain(|id, _| shown.contains(id));
    Ok(places.into_values().collect())
}

#[cfg(test)]
mod tests {
    use chassis::markup::{self, LinkedPlace};

    use super::*;

    fn place(id: i64, is_closed: bool) -> Listing {
        serde_json::from_value(serde_json::json!({
            "id": id, "name": "The Loop", "share_url": format!("/cafes/{id}/"), "is_closed": is_closed,
            "type": {"id": 3, "name": "Cafés", "name_singular": "Café", "share_url": "/cafes/",
                "is_food": true, "is_age_restricted": false},
            "appears_in_best_of_lists": [], "voters": 0,
        }))
        .expect("a place")
    }

    /// A text as the service renders it.
    fn rendered(markdown: &str) -> String {
        let find = |slug: &str| {
            let id = slug.parse().ok()?;
            let (name, path) = (format!("Place {id}"), format!("/former/{id}/"));
            Some(LinkedPlace { id, name, path })
        };
        let rendered = markup::render_with(markdown, &find, &[]);
        rendered.expect("known places").html
    }

    fn known(ids: &[i64], closed: i64) -> BTreeMap<i64, Listing> {
        let each = ids.iter().map(|id| (*id, place(*id, *id == closed)));
        each.collect()
    }

    #[test]
    fn links_lead_to_the_current_page_and_open_places_have_cards() {
        let text = rendered("At [[place:7]] and [[place:8|there]].\n\nAgain [[place:7]].");
        assert_eq!(ids(&text), [7, 8]);
        let html = linked(&text, &known(&[7, 8], 8));
        let link = |id: i64, words: &str| {
            let attributes = format!("data-place=\"{id}\" rel=\"noopener noreferrer\"");
            format!("<a href=\"/cafes/{id}/\" {attributes}>{words}</a>")
        };
        let (seven, eight) = (link(7, "Place 7"), link(8, "there"));
        assert_eq!(
            html,
            format!(
                "<p>At {seven} and {eight}.</p>\n<aside data-place=\"7\"></aside>\n<p>Again {seven}.</p>\n"
            )
        );
    }

    #[test]
    fn a_place_that_does_not_exist_is_text() {
        let text = rendered("At *[[place:9]]*, not `data-place=\"1\"`.");
        assert_eq!(
            linked(&text, &BTreeMap::new()),
            "<p>At <em>Place 9</em>, not <code>data-place=\"1\"</code>.</p>\n"
        );
    }

    #[test]
    fn a_text_in_a_list_has_plain_links() {
        let text = rendered("At [[place:7]].\n\n[[place:8]]");
        let html = without_cards(&text);
        assert!(!html.contains("aside"), "{html}");
        assert_eq!(ids(&html), [7, 8]);
        let places: Vec<_> = sections(&text).into_iter().map(|(_, id)| id).collect();
        assert_eq!(places, [Some(7), Some(8), None]);
    }
}
