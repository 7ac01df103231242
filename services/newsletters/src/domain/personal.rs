//! Personal sections of an issue, from the reader's saved objects.

use std::collections::{HashMap, HashSet};

use super::issue::{Item, Section};

/// Maximum number of items in a personal section.
const MAX: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Neighbourhood {
    pub(crate) slug: String,
    pub(crate) name: String,
}

/// Returns the neighbourhood with most of a reader's saved places; in a tie, the neighbourhood of the most recently
/// saved place.
pub(crate) fn favourite<'a>(
    saved: &[i64],
    of_places: &'a HashMap<i64, Neighbourhood>,
) -> Option<&'a Neighbourhood> {
    let all: Vec<_> = saved.iter().filter_map(|id| of_places.get(id)).collect();
    let count = |one: &Neighbourhood| all.iter().filter(|other| **other == one).count();
    // `max_by_key` returns the last of equal elements.
    all.iter().rev().max_by_key(|one| count(one)).copied()
}

/// Builds a section of saved events that take place soon, ordered by date.
pub(crate) fn saved_events(events: Vec<Item>, brought: &HashSet<&str>) -> Option<Section> {
    section("You saved".to_owned(), events, brought)
}

/// Builds a section of places in a neighbourhood that the reader has not saved. The selection differs between issues.
pub(crate) fn places_in(
    neighbourhood: &Neighbourhood,
    places: &[Item],
    saved: &[i64],
    (issue_id, brought): (i64, &HashSet<&str>),
) -> Option<Section> {
    let saved: HashSet<_> = saved.iter().map(|id| format!("place/{id}")).collect();
    let mut new: Vec<_> = places
        .iter()
        .filter(|place| !saved.contains(&place.reference))
        .cloned()
        .collect();
    if new.is_empty() {
        return None;
    }
    let turn = usize::try_from(issue_id).unwrap_or_default() * MAX % new.len();
    new.rotate_left(turn);
    let heading = format!("In {}, where you saved places", neighbourhood.name);
    section(heading, new, brought)
}

fn section(heading: String, items: Vec<Item>, brought: &HashSet<&str>) -> Option<Section> {
    let items = items
        .into_iter()
        .filter(|item| !brought.contains(item.reference.as_str()));
    let items: Vec<_> = items.take(MAX).collect();
    (!items.is_empty()).then_some(Section { heading, items })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbourhood(name: &str) -> Neighbourhood {
        Neighbourhood {
            slug: name.to_lowercase(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_reader_is_where_most_of_their_places_are() {
        let [annex, junction] = ["Annex", "Junction"].map(neighbourhood);
        let of_places = HashMap::from([
            (1, annex.clone()),
            (2, junction.clone()),
            (3, annex.clone()),
            (4, junction.clone()),
        ]);
        assert_eq!(favourite(&[2, 1, 3, 9], &of_places), Some(&annex));
        assert_eq!(
            favourite(&[2, 1, 3, 4], &of_places),
            Some(&junction),
            "the latest"
        );
        assert_eq!(favourite(&[9], &of_places), None);
        assert_eq!(favourite(&[], &of_places), None);
    }

    #[test]
    fn places_are_others_in_each_issue_and_none_that_are_saved_or_in_it() {
        let places: Vec<_> = (1..=9)
            .map(|id| Item::referring(&format!("place/{id}")))
            .collect();
        let brought = HashSet::from(["place/8"]);
        let of_issue = |issue| {
            let found = places_in(&neighbourhood("Annex"), &places, &[2], (issue, &brought));
            let found = found.expect("some");
            assert_eq!(found.heading, "In Annex, where you saved places");
            let items = found.items.into_iter().map(|item| item.reference);
            items.collect::<Vec<_>>()
        };
        assert_eq!(of_issue(0), ["place/1", "place/3", "place/4"]);
        assert_eq!(of_issue(1), ["place/5", "place/6", "place/7"]);
        assert_eq!(of_issue(2), ["place/9", "place/1", "place/3"]);
        let all_saved = places_in(&neighbourhood("Annex"), &places[..1], &[1], (0, &brought));
        assert_eq!(all_saved, None);
    }

    #[test]
    fn saved_events_that_the_issue_has_anyway_are_not_there_twice() {
        let brought = HashSet::from(["event/1"]);
        assert_eq!(
            saved_events(vec![Item::referring("event/1")], &brought),
            None
        );
        let section = saved_events(
            vec![Item::referring("event/1"), Item::referring("event/2")],
            &brought,
        );
        let section = section.expect("one is new");
        assert_eq!(
            (section.heading.as_str(), section.items.len()),
            ("You saved", 1)
        );
    }
}
