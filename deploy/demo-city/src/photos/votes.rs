//! The demo readers' votes on places, identical on every machine.

use super::plan::Place;
use crate::demo::random::Random;

/// Maximum number of votes on a place. More than ten within an hour would be held back as a burst (`ratings.burst_votes`).
const MAX: i32 = 9;

/// Returns the votes of one of `readers` readers: places' ids with 1 to 5 stars.
pub(super) fn of_reader(places: &[Place], reader: usize, readers: usize) -> Vec<(i64, i32)> {
    let vote = |place: &Place| Some((place.id, stars(place, reader, readers)?));
    places.iter().filter_map(vote).collect()
}

/// Returns a reader's stars for a place; `None` if the reader does not vote on it. Ranked places have more and better
/// votes; some others have none.
fn stars(place: &Place, reader: usize, readers: usize) -> Option<i32> {
    let mut of_place = Random::seeded(&format!("{} votes", place.slug));
    let (fewest, worst) = if place.rank.is_some() { (4, 4) } else { (0, 3) };
    let voters = usize::try_from(of_place.between(fewest, MAX)).unwrap_or_default();
    let first = usize::try_from(of_place.between(0, i32::MAX)).unwrap_or_default() % readers;
    let usual = of_place.between(worst, 5);
    if (reader + readers - first) % readers >= voters {
        return None;
    }
    let mut of_reader = Random::seeded(&format!("{} of reader {reader}", place.slug));
    Some((usual + of_reader.pick(&[-1, 0, 0, 0, 1])).clamp(1, 5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_has_so_many_votes_that_they_are_held_back() {
        let place = |id: i64| Place {
            id,
            slug: format!("place-{id}"),
            kind: "restaurants".to_owned(),
            sub_type: "Greek".to_owned(),
            rank: (id % 5 == 0).then_some(1),
        };
        let places: Vec<_> = (0..200).map(place).collect();
        let votes = (0..24).flat_map(|reader| of_reader(&places, reader, 24));
        let mut counts = [0; 200];
        for (id, stars) in votes {
            assert!((1..=5).contains(&stars));
            counts[usize::try_from(id).expect("an index")] += 1;
        }
        assert!(counts.iter().all(|count| *count <= MAX), "{counts:?}");
        assert!(
            counts.iter().step_by(5).all(|count| *count >= 4),
            "{counts:?}"
        );
        assert!(counts.contains(&0) && counts.contains(&MAX), "{counts:?}");
    }
}
