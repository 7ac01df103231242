//! Matches the places of a reader's list with places of the guide.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use chassis::{
    bulkhead::{Bulkhead, Place, Turn},
    computing::computed,
    error::{Code, Fault},
};
use vocabulary::position::Coordinates;

use crate::{
    context::Context,
    domain::{MatchIndex, MatchPlace, MatchedPlace, Sought, Verdict},
    store::match_places,
};

/// Maximum number of concurrent matchings. Each needs the names of all places in memory, and a processor.
const AT_A_TIME: usize = 2;
/// Maximum number of further calls that wait.
const WAITING: usize = 32;
/// Maximum waiting time, and maximum computing time. Calls must end before their deadline, because callers avoid a
/// service that has timed out.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of places per call.
const MAX_PLACES: usize = 2_000;
/// Maximum length of a name or address, in characters.
const MAX_TEXT: usize = 200;
/// A position further than this from the bounding box of all places, in degrees, is elsewhere: about ten kilometres.
const MARGIN: f64 = 0.1;

/// A place in a reader's list.
#[derive(Debug, Clone)]
pub(crate) struct ListedPlace {
    pub(crate) name: String,
    /// Empty if unknown.
    pub(crate) address: String,
    pub(crate) coordinates: Option<Coordinates>,
    /// Whether the position may be several kilometres off.
    pub(crate) is_approximate: bool,
}

/// The match of a listed place in the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Sure(i64),
    Perhaps(i64),
    None,
    /// The position is far from all places of the guide.
    Elsewhere,
}

/// Matches the places of a list. Also returns the matched places, without duplicates.
pub(crate) async fn match_places(
    context: &Context,
    listed: Vec<ListedPlace>,
) -> Result<(Vec<Found>, Vec<MatchedPlace>), Fault> {
    check(&listed)?;
    let place = context.matching.place()?;
    let turn = tokio::time::timeout(PATIENCE, place.turn()).await;
    let turn = turn.map_err(|_| busy())??;
    let places = match_places::all(&context.pool, false).await?;
    let until = Instant::now() + PATIENCE;
    let find = move || find(places, &listed, until, (place, turn));
    let found = computed("a matching of places", find).await??;
    let ids: BTreeSet<i64> = found.iter().filter_map(|one| one.listing_id()).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let places = match_places::found(&context.pool, &ids).await?;
    Ok((found, places))
}

/// Limits concurrent matchings.
pub(crate) fn bulkhead() -> Bulkhead {
    Bulkhead::new("matches", AT_A_TIME, WAITING)
}

fn busy() -> Fault {
    let message = "too many lists are matched with places at the moment";
    Fault::new(Code::Unavailable, message)
}

impl Found {
    pub(crate) fn listing_id(self) -> Option<i64> {
        match self {
            Self::Sure(id) | Self::Perhaps(id) => Some(id),
            Self::None | Self::Elsewhere => None,
        }
    }
}

fn check(listed: &[ListedPlace]) -> Result<(), Fault> {
    let refuse = |message: String| Err(Fault::invalid_field("places", message));
    if listed.len() > MAX_PLACES {
        return refuse(format!("Ensure at most {MAX_PLACES} places."));
    }
    let is_long = |text: &str| text.chars().count() > MAX_TEXT;
    if listed.iter().any(|one| one.name.is_empty()) {
        return refuse("A place has no name.".to_owned());
    }
    if listed
        .iter()
        .any(|one| is_long(&one.name) || is_long(&one.address))
    {
        return refuse(format!(
            "A name or an address is longer than {MAX_TEXT} characters."
        ));
    }
    Ok(())
}

/// Matches all listed places; fails after `until`. Holds its place and turn for as long as it uses a processor.
fn find(
    places: Vec<MatchPlace>,
    listed: &[ListedPlace],
    until: Instant,
    held: (Place, Turn),
) -> Result<Vec<Found>, Fault> {
    let frame = Frame::around(&places);
    let index = MatchIndex::new(places);
    let mut found = Vec::with_capacity(listed.len());
    for one in listed {
        if until <= Instant::now() {
            return Err(busy());
        }
        found.push(find_one(&index, frame, one));
    }
    drop(held);
    Ok(found)
}

fn find_one(index: &MatchIndex, frame: Option<Frame>, listed: &ListedPlace) -> Found {
    let sought = Sought {
        name: &listed.name,
        address: &listed.address,
        coordinates: listed.coordinates,
    };
    let is_elsewhere = frame
        .zip(listed.coordinates)
        .is_some_and(|(frame, at)| !frame.holds(at));
    let may_be_anywhere = listed.coordinates.is_none() || listed.is_approximate;
    let mut verdict = index.find(sought, |_| true);
    if verdict == Verdict::None && may_be_anywhere && !is_elsewhere {
        verdict = index.find_by_name(sought);
    }
    let id = |number: usize| index.places()[number].id;
    match verdict {
        Verdict::Certain(found) => Found::Sure(id(found.place)),
        Verdict::Doubtful(found, _) => Found::Perhaps(id(found.place)),
        Verdict::None if is_elsewhere => Found::Elsewhere,
        Verdict::None => Found::None,
    }
}

/// Bounding box of all places, with a margin.
#[derive(Debug, Clone, Copy)]
struct Frame {
    least: Coordinates,
    greatest: Coordinates,
}

impl Frame {
    /// Returns `None` if no place has a position.
    fn around(places: &[MatchPlace]) -> Option<Self> {
        let mut positions = places.iter().filter_map(|place| place.coordinates);
        let first = positions.next()?;
        let (mut least, mut greatest) = (first, first);
        for at in positions {
            least.latitude = least.latitude.min(at.latitude);
            least.longitude = least.longitude.min(at.longitude);
            greatest.latitude = greatest.latitude.max(at.latitude);
            greatest.longitude = greatest.longitude.max(at.longitude);
        }
        Some(Self { least, greatest })
    }

    fn holds(self, at: Coordinates) -> bool {
        let Self { least, greatest } = self;
        (least.latitude - MARGIN..=greatest.latitude + MARGIN).contains(&at.latitude)
            && (least.longitude - MARGIN..=greatest.longitude + MARGIN).contains(&at.longitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_list_that_takes_too_long_is_given_up_and_makes_room() {
        let matching = Bulkhead::new("tests", 1, 0);
        let place = matching.place().expect("room");
        let turn = place.turn().await.expect("works");
        let listed = ListedPlace {
            name: "Pai".to_owned(),
            address: String::new(),
            coordinates: None,
            is_approximate: false,
        };
        let refused = find(Vec::new(), &[listed], Instant::now(), (place, turn));
        assert_eq!(refused.expect_err("is given up").code, Code::Unavailable);
        matching.place().expect("room again");
    }
}
