//! Compares business names regardless of case, accents, abbreviations, additions and misspellings.

use std::collections::BTreeSet;

use chassis::slug;

/// Words that do not identify a business.
const NOISE: &[&str] = &[
    "a",
    "and",
    "at",
    "by",
    "canada",
    "co",
    "company",
    "corp",
    "corporation",
    "de",
    "du",
    "el",
    "eatery",
    "inc",
    "incorporated",
    "la",
    "le",
    "les",
    "limited",
    "ltd",
    "n",
    "of",
    "on",
    "ontario",
    "restaurant",
    "restaurants",
    "ristorante",
    "resto",
    "the",
    "toronto",
];
/// Words for the kind of a business. They distinguish two businesses with the same name only if both names contain such
/// words and the words differ.
const KINDS: &[&str] = &[
    "bakery",
    "bar",
    "bbq",
    "beer",
    "bistro",
    "brewery",
    "brewing",
    "bubble",
    "buffet",
    "burger",
    "burgers",
    "burrito",
    "cafe",
    "caffe",
    "cantina",
    "catering",
    "chicken",
    "chinese",
    "cocktail",
    "coffee",
    "coffeehouse",
    "cuisine",
    "deli",
    "delicatessen",
    "diner",
    "dining",
    "donuts",
    "espresso",
    "express",
    "fish",
    "food",
    "foods",
    "fried",
    "gelato",
    "fine",
    "fresh",
    "grill",
    "grille",
    "house",
    "ice",
    "cream",
    "indian",
    "italian",
    "japanese",
    "juice",
    "kitchen",
    "korean",
    "lounge",
    "market",
    "mexican",
    "noodle",
    "noodles",
    "pasta",
    "pastry",
    "pizza",
    "pizzeria",
    "place",
    "pub",
    "ramen",
    "roasters",
    "roti",
    "sandwich",
    "sandwiches",
    "shawarma",
    "shop",
    "snack",
    "sports",
    "steakhouse",
    "subs",
    "sushi",
    "taco",
    "tacos",
    "taqueria",
    "tavern",
    "tea",
    "thai",
    "vegan",
    "vegetarian",
    "vietnamese",
    "wine",
    "wings",
    "west",
    "east",
    "north",
    "south",
    "downtown",
    "uptown",
];
/// Minimum similarity of two spellings of the same word (Jaro–Winkler, 0 to 1).
const MISSPELT: f64 = 0.9;

/// Similarity of two names; a greater value is more similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameMatch {
    Different,
    /// Some of the identifying words are the same.
    Partial,
    /// One name contains all words of the other, and more.
    Contained,
    /// The names differ only in spelling.
    Misspelt,
    Same,
}

/// A parsed name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// All words without noise words, in order.
    words: Vec<String>,
    /// `words` without spaces.
    joined: String,
    /// Identifying words.
    distinct: BTreeSet<String>,
    kinds: BTreeSet<String>,
}

impl Name {
    pub(crate) fn new(name: &str) -> Self {
        let name = without_branch_numbers(name);
        let all: Vec<String> = slug::words(&name)
            .into_iter()
            .map(|word| word.folded)
            .collect();
        let mut words: Vec<String> = all
            .iter()
            .filter(|word| !NOISE.contains(&word.as_str()))
            .cloned()
            .collect();
        if words.is_empty() {
            words = all;
        }
        let is_kind = |word: &String| KINDS.contains(&word.as_str());
        let (kinds, distinct) = words.iter().cloned().partition(is_kind);
        Self {
            joined: words.concat(),
            words,
            distinct,
            kinds,
        }
    }

    /// Returns the normalised name, which is equal for names that are [`NameMatch::Same`] with the same order of words.
    pub(crate) fn joined(&self) -> &str {
        &self.joined
    }

    pub(crate) fn compare(&self, other: &Self) -> NameMatch {
        if self.joined.is_empty() || other.joined.is_empty() {
            return NameMatch::Different;
        }
        if self.joined == other.joined || self.has_words_of(other) {
            return NameMatch::Same;
        }
        if self.is_misspelt(other) {
            return NameMatch::Misspelt;
        }
        let (few, many) = if self.distinct.len() <= other.distinct.len() {
            (self, other)
        } else {
            (other, self)
        };
        let found = few
            .distinct
            .iter()
            .filter(|word| many.distinct.iter().any(|other| is_one_word(word, other)))
            .count();
        if found == 0 {
            NameMatch::Different
        } else if found == few.distinct.len() {
            NameMatch::Contained
        } else {
            NameMatch::Partial
        }
    }

    /// Whether both names have the same words, ignoring words for the kind in only one of them.
    fn has_words_of(&self, other: &Self) -> bool {
        let sorted = |name: &Self| name.words.iter().cloned().collect::<BTreeSet<_>>();
        if sorted(self) == sorted(other) {
            return true;
        }
        !self.distinct.is_empty() && self.distinct == other.distinct && self.agrees_in_kind(other)
    }

    fn agrees_in_kind(&self, other: &Self) -> bool {
        self.kinds.is_subset(&other.kinds) || other.kinds.is_subset(&self.kinds)
    }

    fn is_misspelt(&self, other: &Self) -> bool {
        if numbers(&self.words) != numbers(&other.words) {
            return false;
        }
        let shorter = self.joined.len().min(other.joined.len());
        let alike = strsim::normalized_damerau_levenshtein(&self.joined, &other.joined);
        if shorter >= 5 && alike >= 0.88 {
            return true;
        }
        // Ignores spaces and a final s: "BURGER PRIEST", "Burger's Priest".
        let all_found = |few: &Self, many: &Self| {
            few.distinct
                .iter()
                .all(|word| many.distinct.iter().any(|other| is_one_word(word, other)))
        };
        !self.distinct.is_empty()
            && self.distinct.len() == other.distinct.len()
            && self.agrees_in_kind(other)
            && all_found(self, other)
            && all_found(other, self)
    }
}

/// Whether two words are the same except for spelling. Numbers and short words must be equal.
fn is_one_word(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let shorter = one.len().min(other.len());
    if shorter < 4 || has_digit(one) || has_digit(other) {
        return false;
    }
    let most = if shorter < 8 { 1 } else { 2 };
    strsim::damerau_levenshtein(one, other) <= most && strsim::jaro_winkler(one, other) >= MISSPELT
}

fn numbers(words: &[String]) -> Vec<&String> {
    let is_number = |word: &&String| word.bytes().any(|byte| byte.is_ascii_digit());
    let mut numbers: Vec<_> = words.iter().filter(is_number).collect();
    numbers.sort_unstable();
    numbers
}

/// Removes the branch numbers of chains: "SUBWAY #24571".
fn without_branch_numbers(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('#') {
        kept.push_str(before);
        let digits = after
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        let is_branch = digits.len() < after.trim_start().len() && !kept.trim().is_empty();
        kept.push(' ');
        rest = if is_branch { digits } else { after };
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::{NameMatch::*, *};

    #[test]
    fn names_are_compared_by_the_words_that_tell_them_apart() {
        for (one, other, expected) in [
            ("FRAN'S RESTAURANT", "Fran’s", Same),
            ("THE SECOND CUP", "Second Cup", Same),
            ("TIM HORTONS", "Tim Horton's", Same),
            ("STARBUCKS COFFEE #4521", "Starbucks", Same),
            ("CAFÉ MÉLANGE", "Cafe Melange", Same),
            ("MC DONALD'S", "McDonald's", Same),
            (
                "JOHN & SONS OYSTER HOUSE",
                "John and Sons Oyster House",
                Same,
            ),
            ("PIZZAIOLO", "Pizzaiolo Inc.", Same),
            ("TOKYO SUSHI", "Tokyo Grill", Contained),
            ("PHO 88", "Pho 66", Partial),
            ("VALANIMMAN THAI CUISINE", "Valaniman Thai", Misspelt),
            ("POPEYES LOUISIANA CHICKEN", "Popeyes", Contained),
            ("STARBUCKS CITYPLACE", "Starbucks", Contained),
            ("PHO RUA VANG (GOLDEN TURTLE)", "Golden Turtle", Contained),
            ("SUSHI SHOP", "Sushi Bar", Different),
            ("MEGAS", "Freshii", Different),
            ("", "Freshii", Different),
            ("#1 HAKKA", "Number 1 Hakka", Contained),
        ] {
            let found = Name::new(one).compare(&Name::new(other));
            assert_eq!(found, expected, "{one} and {other}");
            let back = Name::new(other).compare(&Name::new(one));
            assert_eq!(back, expected, "{other} and {one}");
        }
    }
}
