//! Matches establishments of the inspection register with places, by name, address and distance. Only certain matches
//! are linked; uncertain ones are reviewed manually.

use std::collections::{HashMap, HashSet};

use super::{
    match_index::{Establishment, MatchIndex, MatchPlace},
    match_verdict::{CLEARLY, Candidate, Verdict},
};

/// Maximum number of uncertain matches that are kept, most likely first.
pub(crate) const MAX_DOUBTFUL: usize = 5_000;
/// Maximum number of claims on a place that are kept, best first; further claims become uncertain matches.
const CLAIMS: usize = 3;
/// An uncertain match between an establishment and a place, to be reviewed manually.
#[derive(Debug, Clone)]
pub(crate) struct Doubt {
    pub(crate) establishment: Establishment,
    /// Index of the place.
    pub(crate) place: usize,
    pub(crate) metres: Option<f64>,
    pub(crate) reason: &'static str,
    score: i32,
}

impl Doubt {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a distance on Earth is neither negative nor above 20,016 km"
    )]
    pub(crate) fn whole_metres(&self) -> Option<u32> {
        self.metres.map(|metres| metres.round() as u32)
    }
}

/// An establishment's claim on a place.
struct Claim {
    establishment: Establishment,
    metres: Option<f64>,
    score: i32,
}

impl Claim {
    /// Returns a claim and the index of its place.
    fn new(establishment: Establishment, found: Candidate) -> (usize, Self) {
        let claim = Self {
            establishment,
            metres: found.metres,
            score: found.score,
        };
        (found.place, claim)
    }
}

/// Reason for linking an establishment and a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The place has the establishment's id.
    Id,
    /// Name, address and distance.
    Match,
    /// A person's decision.
    Decision,
}

#[derive(Debug, Default)]
pub(crate) struct Matches {
    /// Establishments with the ids of their places.
    pub(crate) links: Vec<(String, i64, Basis)>,
    /// Most likely uncertain matches.
    pub(crate) doubts: Vec<Doubt>,
    /// Number of establishments with an uncertain match.
    pub(crate) doubtful: u32,
    /// Number of establishments without a place.
    pub(crate) unmatched: u32,
}

/// Matches establishments with places, one at a time.
pub(crate) struct Matcher {
    index: MatchIndex,
    by_establishment: HashMap<String, usize>,
    /// People's decisions, by establishment.
    decisions: HashMap<String, Vec<(usize, bool)>>,
    /// Places linked by people.
    decided: HashSet<usize>,
    claims: HashMap<usize, Vec<Claim>>,
    matches: Matches,
}

impl Matcher {
    /// Creates a matcher of these places, with decisions that consist of establishment, place and whether they are the
    /// same.
    pub(crate) fn new(places: Vec<MatchPlace>, decisions: Vec<(String, i64, bool)>) -> Self {
        let mut matcher = Self {
            by_establishment: HashMap::new(),
            decisions: HashMap::new(),
            decided: HashSet::new(),
            claims: HashMap::new(),
            matches: Matches::default(),
            index: MatchIndex::new(places),
        };
        let mut numbers = HashMap::new();
        for (number, place) in matcher.index.places().iter().enumerate() {
            if let Some(id) = &place.establishment_id {
                matcher.by_establishment.insert(id.clone(), number);
            }
            numbers.insert(place.id, number);
        }
        for (establishment, listing_id, is_same) in decisions {
            // Ignores decisions about places that are no longer food places.
            let Some(&number) = numbers.get(&listing_id) else {
                continue;
            };
            if is_same {
                matcher.decided.insert(number);
            }
            let of = matcher.decisions.entry(establishment).or_default();
            of.push((number, is_same));
        }
        matcher
    }

    pub(crate) fn place(&self, number: usize) -> &MatchPlace {
        &self.index.places()[number]
    }

    pub(crate) fn add(&mut self, establishment: Establishment) {
        if let Some(&number) = self.by_establishment.get(&establishment.id) {
            return self.link(establishment.id, number, Basis::Id);
        }
        let decisions = self.decisions.get(&establishment.id);
        let decided = decisions.and_then(|all| all.iter().find(|(_, is_same)| *is_same));
        if let Some(&(number, _)) = decided {
            return self.link(establishment.id, number, Basis::Decision);
        }
        // A place with an establishment id cannot match another establishment.
        let may_be = |number| {
            self.place(number).establishment_id.is_none()
                && !decisions.is_some_and(|all| all.contains(&(number, false)))
        };
        match self.index.find(establishment.sought(), may_be) {
            Verdict::Certain(found) => {
                let (number, claim) = Claim::new(establishment, found);
                self.claim(claim, number);
            }
            Verdict::Doubtful(found, reason) => {
                let (number, claim) = Claim::new(establishment, found);
                self.doubt(claim, number, reason);
            }
            Verdict::None => self.matches.unmatched += 1,
        }
    }

    /// Links each claimed place to its best establishment, if the place has no decision and the establishment is
    /// clearly better than all others. The remaining claims become uncertain matches.
    pub(crate) fn finish(&mut self) -> Matches {
        let mut claims: Vec<_> = std::mem::take(&mut self.claims).into_iter().collect();
        claims.sort_by_key(|(number, _)| *number);
        for (number, mut claims) in claims {
            claims.sort_by(|one, other| {
                (other.score, &one.establishment.id).cmp(&(one.score, &other.establishment.id))
            });
            let is_clear = match claims.as_slice() {
                [best, second, ..] => best.score - second.score >= CLEARLY,
                _ => true,
            };
            let mut claims = claims.into_iter();
            if is_clear
                && !self.decided.contains(&number)
                && let Some(best) = claims.next()
            {
                self.link(best.establishment.id, number, Basis::Match);
            }
            for claim in claims {
                let why = "another establishment matches as well";
                self.doubt(claim, number, why);
            }
        }
        self.trim();
        std::mem::take(&mut self.matches)
    }

    fn link(&mut self, establishment_id: String, number: usize, basis: Basis) {
        let place = self.place(number).id;
        self.matches.links.push((establishment_id, place, basis));
    }

    fn claim(&mut self, claim: Claim, number: usize) {
        let claims = self.claims.entry(number).or_default();
        claims.push(claim);
        if claims.len() > CLAIMS {
            claims.sort_by_key(|claim| std::cmp::Reverse(claim.score));
            if let Some(worst) = claims.pop() {
                self.doubt(worst, number, "another establishment matches as well");
            }
        }
    }

    fn doubt(&mut self, claim: Claim, place: usize, reason: &'static str) {
        self.add_doubt(Doubt {
            establishment: claim.establishment,
            place,
            metres: claim.metres,
            reason,
            score: claim.score,
        });
    }

    fn add_doubt(&mut self, doubt: Doubt) {
        self.matches.doubtful += 1;
        self.matches.doubts.push(doubt);
        if self.matches.doubts.len() >= 2 * MAX_DOUBTFUL {
            self.trim();
        }
    }

    fn trim(&mut self) {
        let doubts = &mut self.matches.doubts;
        doubts.sort_by(|one, other| {
            (other.score, &one.establishment.id).cmp(&(one.score, &other.establishment.id))
        });
        doubts.truncate(MAX_DOUBTFUL);
    }
}

#[cfg(test)]
mod tests {
    use vocabulary::position::Coordinates;

    use super::*;

    /// Invented pairs with irregularities of real registers, each with the expected result.
    const PAIRS: &str = include_str!("matching_pairs.tsv");

    fn position(text: &str) -> Option<Coordinates> {
        let (latitude, longitude) = text.split_once(',')?;
        let degrees = |text: &str| text.parse().expect("degrees");
        Some(Coordinates {
            latitude: degrees(latitude),
            longitude: degrees(longitude),
        })
    }

    fn place(id: i64, name: &str, address: &str, at: Option<Coordinates>) -> MatchPlace {
        MatchPlace {
            id,
            source_id: format!("test:{id}"),
            name: name.to_owned(),
            address: (!address.is_empty()).then(|| address.to_owned()),
            coordinates: at,
            establishment_id: None,
        }
    }

    fn establishment(
        id: &str,
        name: &str,
        address: &str,
        at: Option<Coordinates>,
    ) -> Establishment {
        Establishment {
            id: id.to_owned(),
            name: name.to_owned(),
            address: address.to_owned(),
            coordinates: at,
        }
    }

    #[test]
    fn of_two_hundred_pairs_those_that_are_linked_are_the_same() {
        let (mut places, mut establishments, mut truth) = (Vec::new(), Vec::new(), HashSet::new());
        for (number, line) in (0..).zip(PAIRS.lines().skip(1)) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [
                same,
                _,
                name,
                address,
                at,
                place_name,
                place_address,
                place_at,
            ] = fields[..]
            else {
                panic!("{line:?} has not eight fields");
            };
            let id = number.to_string();
            if !place_name.is_empty() {
                places.push(place(number, place_name, place_address, position(place_at)));
            }
            if same == "yes" {
                truth.insert((id.clone(), number));
            }
            establishments.push(establishment(&id, name, address, position(at)));
        }
        assert_eq!(establishments.len(), 200);
        let mut matcher = Matcher::new(places, Vec::new());
        for one in establishments {
            matcher.add(one);
        }
        let found = matcher.finish();
        let linked: Vec<_> = found
            .links
            .iter()
            .map(|(id, place, _)| (id.clone(), *place))
            .collect();
        let wrong: Vec<_> = linked
            .iter()
            .filter(|pair| !truth.contains(*pair))
            .collect();
        let missed: Vec<_> = truth.iter().filter(|pair| !linked.contains(pair)).collect();
        // At least 98% of the links are correct, and at least 90% of the possible links are made.
        assert!(50 * wrong.len() <= linked.len(), "{wrong:?}");
        assert!(10 * missed.len() <= truth.len(), "{missed:?}");
        let counted = linked.len() + found.doubts.len();
        assert_eq!(counted + found.unmatched as usize, 200);
    }

    const HERE: Coordinates = Coordinates {
        latitude: 43.65,
        longitude: -79.38,
    };

    fn north(metres: f64) -> Coordinates {
        Coordinates {
            latitude: HERE.latitude + metres / 111_195.0,
            ..HERE
        }
    }

    fn matches(
        places: Vec<MatchPlace>,
        decisions: Vec<(String, i64, bool)>,
        establishments: &[Establishment],
    ) -> Matches {
        let mut matcher = Matcher::new(places, decisions);
        establishments
            .iter()
            .cloned()
            .for_each(|one| matcher.add(one));
        matcher.finish()
    }

    #[test]
    fn two_that_match_as_well_are_left_to_people() {
        let twins = [
            establishment("1", "PAI", "18 DUNCAN ST", Some(HERE)),
            establishment("2", "PAI", "18 DUNCAN ST", Some(HERE)),
        ];
        let pai = || place(7, "Pai", "18 Duncan Street", Some(north(10.0)));
        let found = matches(vec![pai()], Vec::new(), &twins);
        assert_eq!((found.links.len(), found.doubtful), (0, 2));
        // A decision about one establishment does not affect the other.
        let decided = vec![("2".to_owned(), 7, true)];
        let found = matches(vec![pai()], decided, &twins);
        assert_eq!(found.links, [("2".to_owned(), 7, Basis::Decision)]);
        assert_eq!(found.doubts[0].establishment.id, "1");
        let refused = vec![("2".to_owned(), 7, false)];
        let found = matches(vec![pai()], refused, &twins);
        assert_eq!(found.links, [("1".to_owned(), 7, Basis::Match)]);
        assert_eq!(found.unmatched, 1);
        let two = vec![
            pai(),
            place(8, "Pai", "18 Duncan Street", Some(north(12.0))),
        ];
        let found = matches(two, Vec::new(), &twins[..1]);
        assert_eq!((found.links.len(), found.doubtful), (0, 1));
    }

    #[test]
    fn an_id_that_a_place_names_is_an_exact_match_and_leaves_no_other() {
        let named = MatchPlace {
            establishment_id: Some("9".to_owned()),
            ..place(7, "Pai", "18 Duncan Street", Some(HERE))
        };
        let register = [
            establishment("1", "PAI", "18 DUNCAN ST", Some(HERE)),
            establishment("9", "SOMETHING ELSE", "1 FAR AWAY RD", Some(north(9_000.0))),
        ];
        let found = matches(vec![named], Vec::new(), &register);
        assert_eq!(found.links, [("9".to_owned(), 7, Basis::Id)]);
        assert_eq!((found.doubtful, found.unmatched), (0, 1));
    }

    #[test]
    fn places_are_found_by_address_where_no_position_is_known() {
        let register = [establishment("1", "PAI", "18 DUNCAN ST", None)];
        let places = vec![place(7, "Pai", "18 Duncan Street", Some(HERE))];
        let found = matches(places, Vec::new(), &register);
        assert_eq!(found.links, [("1".to_owned(), 7, Basis::Match)]);
    }
}
