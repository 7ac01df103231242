//! An index of places by position, address and name.

use std::collections::HashMap;

use vocabulary::position::{Coordinates, EARTH_RADIUS};

use super::{
    match_addresses::Address,
    match_names::{Name, NameMatch},
    match_rules::Comparison,
};

/// Size of a cell for looking up positions, in Earth radii: 250 metres.
const CELL: f64 = 250.0 / EARTH_RADIUS;

/// A place that can match an external listing.
#[derive(Debug, Clone)]
pub(crate) struct MatchPlace {
    pub(crate) id: i64,
    pub(crate) source_id: String,
    pub(crate) name: String,
    pub(crate) address: Option<String>,
    pub(crate) coordinates: Option<Coordinates>,
    /// Establishment id set by its publisher.
    pub(crate) establishment_id: Option<String>,
}

/// An establishment of the register.
#[derive(Debug, Clone)]
pub(crate) struct Establishment {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) coordinates: Option<Coordinates>,
}

/// Public data of a matched place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MatchedPlace {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) address: Option<String>,
    pub(crate) is_closed: bool,
    pub(crate) type_slug: String,
    pub(crate) neighbourhood_slug: Option<String>,
    pub(crate) neighbourhood_name: Option<String>,
}

/// An external listing to match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought<'a> {
    pub(crate) name: &'a str,
    /// Empty if unknown.
    pub(crate) address: &'a str,
    pub(crate) coordinates: Option<Coordinates>,
}

impl Establishment {
    pub(super) fn sought(&self) -> Sought<'_> {
        Sought {
            name: &self.name,
            address: &self.address,
            coordinates: self.coordinates,
        }
    }
}

struct Prepared {
    name: Name,
    address: Option<Address>,
}

impl Prepared {
    fn new(name: &str, address: &str) -> Self {
        Self {
            name: Name::new(name),
            address: Address::parse(address),
        }
    }
}

/// Places indexed for comparison with another list.
pub(crate) struct MatchIndex {
    places: Vec<MatchPlace>,
    prepared: Vec<Prepared>,
    cells: HashMap<[i64; 3], Vec<usize>>,
    streets: HashMap<(u32, String), Vec<usize>>,
    /// Places by normalised name. Several places with the same name are a chain.
    names: HashMap<String, Vec<usize>>,
}

impl MatchIndex {
    pub(crate) fn new(places: Vec<MatchPlace>) -> Self {
        let mut index = Self {
            prepared: Vec::with_capacity(places.len()),
            cells: HashMap::new(),
            streets: HashMap::new(),
            names: HashMap::new(),
            places,
        };
        for (number, place) in index.places.iter().enumerate() {
            let prepared = Prepared::new(&place.name, place.address.as_deref().unwrap_or_default());
            let joined = prepared.name.joined().to_owned();
            index.names.entry(joined).or_default().push(number);
            if let Some(at) = place.coordinates {
                index.cells.entry(cell(at)).or_default().push(number);
            }
            if let Some(address) = &prepared.address {
                let (house, street) = address.key();
                let key = (house, street.to_owned());
                index.streets.entry(key).or_default().push(number);
            }
            index.prepared.push(prepared);
        }
        index
    }

    pub(crate) fn places(&self) -> &[MatchPlace] {
        &self.places
    }

    /// Compares the sought place with the places near its position or at its address that pass `may_be`.
    pub(super) fn compare(
        &self,
        sought: Sought<'_>,
        may_be: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Comparison)> {
        let prepared = Prepared::new(sought.name, sought.address);
        let mut numbers = self.around(sought.coordinates);
        if let Some(address) = &prepared.address {
            let (house, street) = address.key();
            let there = self.streets.get(&(house, street.to_owned()));
            numbers.extend(there.into_iter().flatten());
        }
        numbers.sort_unstable();
        numbers.dedup();
        let compared = numbers.into_iter().filter_map(|number| {
            if !may_be(number) {
                return None;
            }
            let there = &self.prepared[number];
            let name = prepared.name.compare(&there.name);
            (name > NameMatch::Different).then(|| {
                let comparison = Comparison {
                    name,
                    address: Address::compare(prepared.address.as_ref(), there.address.as_ref()),
                    metres: self.metres(sought, number),
                    is_chain: self.named(&there.name).len() > 1,
                };
                (number, comparison)
            })
        });
        compared.collect()
    }

    /// Returns the place with this name; `None` unless there is exactly one.
    pub(super) fn only_one_named(&self, name: &str) -> Option<usize> {
        match self.named(&Name::new(name)) {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn named(&self, name: &Name) -> &[usize] {
        let found = self.names.get(name.joined());
        found.map_or(&[], Vec::as_slice)
    }

    /// Returns the distance between a place and the sought place.
    pub(super) fn metres(&self, sought: Sought<'_>, number: usize) -> Option<f64> {
        sought
            .coordinates
            .zip(self.places[number].coordinates)
            .map(|(here, there)| here.metres_to(there))
    }

    /// Returns the places in the cells around a position: all places within 250 metres and some further away.
    fn around(&self, at: Option<Coordinates>) -> Vec<usize> {
        let Some(at) = at else { return Vec::new() };
        let [x, y, z] = cell(at);
        let mut found = Vec::new();
        for x in x - 1..=x + 1 {
            for y in y - 1..=y + 1 {
                for z in z - 1..=z + 1 {
                    found.extend(self.cells.get(&[x, y, z]).into_iter().flatten());
                }
            }
        }
        found
    }
}

/// Returns the cell of a position in three-dimensional space, in which nearby positions are always in adjacent cells.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a number of cells, below 2^20"
)]
fn cell(at: Coordinates) -> [i64; 3] {
    at.on_unit_sphere().map(|edge| (edge / CELL).floor() as i64)
}
