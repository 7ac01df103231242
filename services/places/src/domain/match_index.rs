//! The places that an establishment can be, found by position and by address.

use std::collections::{HashMap, HashSet};

use super::{
    listing::Coordinates,
    match_addresses::Address,
    match_names::{Name, NameMatch},
    match_rules::Comparison,
};

/// The edge of a cell in which positions are looked up, in radii of the Earth: 250 metres.
const CELL: f64 = 250.0 / 6_371_008.8;

/// A food place that an establishment can be.
#[derive(Debug, Clone)]
pub(crate) struct MatchPlace {
    pub(crate) id: i64,
    pub(crate) source_id: String,
    pub(crate) name: String,
    pub(crate) address: Option<String>,
    pub(crate) coordinates: Option<Coordinates>,
    /// The establishment that it is, by its publisher.
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

/// Places, ready to be compared with establishments.
pub(crate) struct MatchIndex {
    places: Vec<MatchPlace>,
    prepared: Vec<Prepared>,
    cells: HashMap<[i64; 3], Vec<usize>>,
    streets: HashMap<(u32, String), Vec<usize>>,
    /// Names that several places have.
    chains: HashSet<String>,
}

impl MatchIndex {
    pub(crate) fn new(places: Vec<MatchPlace>) -> Self {
        let mut index = Self {
            prepared: Vec::with_capacity(places.len()),
            cells: HashMap::new(),
            streets: HashMap::new(),
            chains: HashSet::new(),
            places,
        };
        let mut names = HashSet::new();
        for (number, place) in index.places.iter().enumerate() {
            let prepared = Prepared::new(&place.name, place.address.as_deref().unwrap_or_default());
            let joined = prepared.name.joined().to_owned();
            if !names.insert(joined.clone()) {
                index.chains.insert(joined);
            }
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

    /// The places around an establishment or at its address, compared with it; none that names an establishment itself.
    pub(crate) fn compare(&self, establishment: &Establishment) -> Vec<(usize, Comparison)> {
        let prepared = Prepared::new(&establishment.name, &establishment.address);
        let mut numbers = self.around(establishment.coordinates);
        if let Some(address) = &prepared.address {
            let (house, street) = address.key();
            let there = self.streets.get(&(house, street.to_owned()));
            numbers.extend(there.into_iter().flatten());
        }
        numbers.sort_unstable();
        numbers.dedup();
        let compared = numbers.into_iter().filter_map(|number| {
            let place = &self.places[number];
            if place.establishment_id.is_some() {
                return None;
            }
            let there = &self.prepared[number];
            let name = prepared.name.compare(&there.name);
            (name > NameMatch::Different).then(|| {
                let comparison = Comparison {
                    name,
                    address: Address::compare(prepared.address.as_ref(), there.address.as_ref()),
                    metres: establishment
                        .coordinates
                        .zip(place.coordinates)
                        .map(|(here, there)| here.metres_to(there)),
                    is_chain: self.chains.contains(there.name.joined()),
                };
                (number, comparison)
            })
        });
        compared.collect()
    }

    /// The places in the cells around a position: all within 250 metres, and some beyond.
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

/// The cell of a position, in the space around the Earth's centre: near positions are in cells side by side everywhere.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a number of cells, below 2^20"
)]
fn cell(at: Coordinates) -> [i64; 3] {
    at.on_unit_sphere().map(|edge| (edge / CELL).floor() as i64)
}
