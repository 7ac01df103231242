//! Compares street addresses regardless of case, abbreviations and the order of their parts.

use chassis::slug::{self, Word};

/// Abbreviations of street types and their full forms.
const STREETS: &[(&str, &str)] = &[
    ("alley", "alley"),
    ("ave", "avenue"),
    ("av", "avenue"),
    ("avenue", "avenue"),
    ("blvd", "boulevard"),
    ("boul", "boulevard"),
    ("boulevard", "boulevard"),
    ("circ", "circle"),
    ("circle", "circle"),
    ("cir", "circle"),
    ("court", "court"),
    ("crt", "court"),
    ("ct", "court"),
    ("cres", "crescent"),
    ("crescent", "crescent"),
    ("dr", "drive"),
    ("drive", "drive"),
    ("gate", "gate"),
    ("gardens", "gardens"),
    ("gdns", "gardens"),
    ("highway", "highway"),
    ("hwy", "highway"),
    ("lane", "lane"),
    ("ln", "lane"),
    ("park", "park"),
    ("pk", "park"),
    ("parkway", "parkway"),
    ("pkwy", "parkway"),
    ("pl", "place"),
    ("place", "place"),
    ("quay", "quay"),
    ("rd", "road"),
    ("road", "road"),
    ("sq", "square"),
    ("square", "square"),
    ("st", "street"),
    ("str", "street"),
    ("street", "street"),
    ("ter", "terrace"),
    ("terr", "terrace"),
    ("terrace", "terrace"),
    ("trail", "trail"),
    ("trl", "trail"),
    ("way", "way"),
];
/// Directions and their abbreviations.
const DIRECTIONS: &[(&str, char)] = &[
    ("e", 'e'),
    ("east", 'e'),
    ("n", 'n'),
    ("north", 'n'),
    ("s", 's'),
    ("south", 's'),
    ("w", 'w'),
    ("west", 'w'),
];
/// Words before a unit number.
const UNITS: &[&str] = &[
    "apt", "bldg", "bsmt", "floor", "fl", "kiosk", "main", "no", "rm", "room", "shop", "ste",
    "store", "suite", "unit",
];
/// Words that may follow a street without a street type.
const AFTER: &[&str] = &["canada", "on", "ont", "ontario", "toronto"];
/// Maximum range of house numbers of a building: "60-64 King St".
const WIDEST: u32 = 20;

/// The result of comparing two addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressMatch {
    /// An address is missing or unreadable.
    Unknown,
    Different,
    /// Adjacent house numbers, or different letters, in the same street.
    Adjacent,
    /// Different units of the same building.
    OtherUnit,
    Same,
}

/// A parsed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// First and last house number of the building.
    numbers: (u32, u32),
    /// Letter after the house number: the a in 320A.
    letter: Option<String>,
    /// Name of the street, without spaces.
    street: String,
    kind: Option<&'static str>,
    direction: Option<char>,
    unit: Option<String>,
}

impl Address {
    /// Parses an address; `None` if it has no house number followed by a street.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // A half number is another door of the same building: 650 1/2 or 650.5.
        let text = &text.replacen(" 1/2 ", " ", 1).replacen(".5 ", " ", 1);
        let words = slug::words(text);
        let at = house_number(text, &words)?;
        let (last, letter) = number(&words.get(at)?.folded)?;
        let first = range_start(text, &words, at, last).unwrap_or(last);
        let mut street = Vec::new();
        let (mut kind, mut direction) = (None, None);
        let mut end = at + 1;
        while let Some(word) = words.get(end) {
            let is_after_comma =
                text[words[end - 1].range.end..word.range.start].contains([',', '#', ';']);
            let word = word.folded.as_str();
            let stops = UNITS.contains(&word) || number(word).is_some();
            if is_after_comma || (stops && !street.is_empty()) {
                break;
            }
            end += 1;
            let known = STREETS.iter().find(|(short, _)| *short == word);
            let towards = DIRECTIONS.iter().find(|(short, _)| *short == word);
            match (known, towards) {
                (Some((_, long)), _) if !street.is_empty() => {
                    // Some street names contain a street type: Victoria Park Avenue.
                    street.extend(kind.replace(*long));
                }
                (_, Some((_, towards)))
                    if kind.is_some() || (!street.is_empty() && is_last(text, &words, end)) =>
                {
                    direction = Some(*towards);
                    break;
                }
                _ if kind.is_some() => {
                    end -= 1;
                    break;
                }
                _ if AFTER.contains(&word) && !street.is_empty() => break,
                // Saint Clair Avenue is the same as St Clair Avenue.
                _ => street.push(if word == "saint" { "st" } else { word }),
            }
        }
        if street.is_empty() {
            return None;
        }
        Some(Self {
            numbers: (first, last),
            letter,
            street: street.concat(),
            kind,
            direction,
            unit: unit(text, &words, at, end),
        })
    }

    /// Returns the key for finding equal addresses: the first house number and the street's name.
    pub(crate) fn key(&self) -> (u32, &str) {
        (self.numbers.0, &self.street)
    }

    pub(crate) fn compare(one: Option<&Self>, other: Option<&Self>) -> AddressMatch {
        let (Some(one), Some(other)) = (one, other) else {
            return AddressMatch::Unknown;
        };
        if !one.has_street_of(other) {
            return AddressMatch::Different;
        }
        let overlaps = one.numbers.0 <= other.numbers.1 && other.numbers.0 <= one.numbers.1;
        if !overlaps {
            let gap = if one.numbers.0 > other.numbers.1 {
                one.numbers.0 - other.numbers.1
            } else {
                other.numbers.0 - one.numbers.1
            };
            return if gap <= 4 {
                AddressMatch::Adjacent
            } else {
                AddressMatch::Different
            };
        }
        let differs = |one: &Option<String>, other: &Option<String>| {
            one.as_ref()
                .zip(other.as_ref())
                .is_some_and(|(one, other)| one != other)
        };
        if differs(&one.letter, &other.letter) {
            AddressMatch::Adjacent
        } else if differs(&one.unit, &other.unit) {
            AddressMatch::OtherUnit
        } else {
            AddressMatch::Same
        }
    }

    fn has_street_of(&self, other: &Self) -> bool {
        let is_one = self.street == other.street
            || (self.street.len().min(other.street.len()) >= 6
                && strsim::damerau_levenshtein(&self.street, &other.street) <= 1);
        let agree = self
            .kind
            .zip(other.kind)
            .is_none_or(|(one, other)| one == other);
        let towards = self.direction.zip(other.direction);
        is_one && agree && towards.is_none_or(|(one, other)| one == other)
    }
}

/// Returns the index of the house number, which is followed by a word and does not follow a unit word.
fn house_number(text: &str, words: &[Word]) -> Option<usize> {
    (0..words.len()).find(|at| {
        let is_unit = *at > 0 && UNITS.contains(&words[at - 1].folded.as_str());
        let followed = words.get(at + 1).is_some_and(|next| {
            number(&next.folded).is_none()
                && next.folded.len() > 1
                && !text[words[*at].range.end..next.range.start].contains(',')
        });
        let has_mark = text[..words[*at].range.start].ends_with('#');
        number(&words[*at].folded).is_some() && !is_unit && followed && !has_mark
    })
}

/// Parses a number with an optional letter: "320a". Ordinals, as in 5th Street, are excluded.
fn number(word: &str) -> Option<(u32, Option<String>)> {
    let letters = word.trim_start_matches(|character: char| character.is_ascii_digit());
    let digits = &word[..word.len() - letters.len()];
    if letters.len() > 1 {
        return None;
    }
    let number = digits.parse().ok()?;
    Some((number, (!letters.is_empty()).then(|| letters.to_owned())))
}

/// Returns the first number of "60-64".
fn range_start(text: &str, words: &[Word], at: usize, last: u32) -> Option<u32> {
    let before = words.get(at.checked_sub(1)?)?;
    let between = &text[before.range.end..words[at].range.start];
    let (first, _) = number(&before.folded)?;
    let is_range = matches!(between, "-" | "–") && first < last && last - first <= WIDEST;
    is_range.then_some(first)
}

/// Whether the street ends here.
fn is_last(text: &str, words: &[Word], end: usize) -> bool {
    words.get(end).is_none_or(|next| {
        let between = &text[words[end - 1].range.end..next.range.start];
        between.contains([',', '#', ';'])
            || AFTER.contains(&next.folded.as_str())
            || UNITS.contains(&next.folded.as_str())
    })
}

/// Returns the unit, which follows "Unit" or #, before the house number or after the street.
fn unit(text: &str, words: &[Word], at: usize, end: usize) -> Option<String> {
    let is_named = |index: usize| {
        let before = &text[..words[index].range.start];
        before.ends_with('#')
            || (index > 0
                && matches!(
                    words[index - 1].folded.as_str(),
                    "unit" | "ste" | "suite" | "no" | "shop" | "store"
                ))
    };
    let found = (0..at)
        .chain(end..words.len())
        .find(|index| is_named(*index));
    let simple = |word: &str| word.trim_start_matches('0').to_owned();
    found
        .map(|index| simple(&words[index].folded))
        .filter(|unit| !unit.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{AddressMatch::*, *};

    #[test]
    fn addresses_are_compared_by_building_and_unit() {
        for (one, other, expected) in [
            ("361 OAKWOOD AVE", "361 Oakwood Avenue Toronto", Same),
            ("225 QUEEN ST W", "225 Queen Street West Toronto", Same),
            ("225 QUEEN ST W", "225 Queen Street East Toronto", Different),
            ("225 QUEEN ST W", "229 Queen Street West", Adjacent),
            ("225 QUEEN ST W", "225 King Street West", Different),
            ("1 ST CLAIR AVE W", "1 Saint Clair Avenue West", Same),
            ("126 MC CAUL ST", "126 McCaul Street", Same),
            (
                "3232 LAKE SHORE BLVD W",
                "3232 Lakeshore Boulevard West",
                Same,
            ),
            ("1233 THE QUEENSWAY, Ste-24", "1233 The Queensway", Same),
            ("145 KING ST W, #16", "Unit 16, 145 King Street West", Same),
            ("145 KING ST W, #16", "#12 - 145 King St. W.", OtherUnit),
            ("5 QUEENS QUAY W", "5 Queen's Quay West", Same),
            ("1980 AVENUE RD", "1980 Avenue Road", Same),
            ("320A PARLIAMENT ST", "320 Parliament Street", Same),
            ("320A PARLIAMENT ST", "320B Parliament Street", Adjacent),
            ("60-64 KING ST E", "62 King Street East", Same),
            (
                "37 KING ST E, Bsmt",
                "37 King Street East, Toronto, ON M5C 2Z4",
                Same,
            ),
            ("1500 O'CONNOR DR, Unit-2", "1500 O’Connor Drive", Same),
            ("351 BREMNER BLVD", "351 Bremmer Boulevard", Same),
            ("650 1/2 QUEEN ST W", "650.5 Queen Street West", Same),
            ("300 BOROUGH DR", "", Unknown),
            ("Union Station", "65 Front St W", Unknown),
        ] {
            let (first, second) = (Address::parse(one), Address::parse(other));
            let found = Address::compare(first.as_ref(), second.as_ref());
            assert_eq!(found, expected, "{one} and {other}: {first:?}, {second:?}");
            let back = Address::compare(second.as_ref(), first.as_ref());
            assert_eq!(back, expected, "{other} and {one}");
        }
    }

    #[test]
    fn an_address_has_a_number_a_street_and_perhaps_a_unit() {
        let read = Address::parse("1646 VICTORIA PARK AVE, Unit-1A").expect("an address");
        assert_eq!(read.key(), (1646, "victoriapark"));
        assert_eq!(read.unit.as_deref(), Some("1a"));
        for none in ["", "Toronto", "12", "#5", "Unit 7"] {
            assert_eq!(Address::parse(none), None, "{none}");
        }
    }
}
