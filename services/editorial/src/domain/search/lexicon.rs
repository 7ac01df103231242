//! The words and names of everything that can be found: what queries are corrected with and understood by.

use std::collections::{BTreeMap, HashMap};

use fst::{
    Automaton, IntoStreamer, Map, Streamer,
    automaton::{Levenshtein, Str},
};
use strsim::osa_distance;

use super::stems;

/// Words of which none is corrected: shorter ones are near to too many.
const SHORTEST: usize = 3;
/// The longest that are: looking for what is near to a word takes more time and memory the longer it is.
const LONGEST: usize = 20;
/// Documents that match, beyond which only the best are looked at.
pub(super) const FREQUENT: f64 = 5_000.0;
/// Completions of an unfinished word.
const MOST_COMPLETIONS: usize = 8;

/// What a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Type,
    Neighbourhood,
    Author,
}

impl Field {
    /// The name in the database, and in answers.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Neighbourhood => "neighbourhood",
            Self::Author => "author",
        }
    }

    /// Reads what [`Field::as_str`] writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Type, Self::Neighbourhood, Self::Author]
            .into_iter()
            .find(|field| field.as_str() == text)
    }
}

/// A type, a neighbourhood or an author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) field: Field,
    pub(crate) slug: String,
    pub(crate) name: String,
}

/// Words and names.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// Of names and labels, with the number of documents that have each.
    words: Map<Vec<u8>>,
    /// Of the most frequent word.
    most_documents: u64,
    names: Vec<Named>,
    /// The words of each name, folded.
    folded: Vec<Vec<String>>,
    /// Names and their short forms, by their first word.
    forms: HashMap<String, Vec<(Vec<String>, usize)>>,
}

/// Words that make a short form of the one before them: "Kensington" is Kensington Market.
const GENERIC: &[&str] = &[
    "beach", "district", "gardens", "grove", "heights", "hill", "market", "park", "square", "town",
    "village",
];

impl Lexicon {
    /// `words` with the number of documents that have each.
    pub(crate) fn new(words: BTreeMap<String, u64>, names: Vec<Named>) -> Self {
        let mut forms: HashMap<String, Vec<(Vec<String>, usize)>> = HashMap::new();
        for (number, named) in names.iter().enumerate() {
            for form in forms_of(named) {
                if let Some(first) = form.first() {
                    let sharing = forms.entry(first.clone()).or_default();
                    sharing.push((form, number));
                }
            }
        }
        // The longest is tried first.
        for sharing in forms.values_mut() {
            sharing.sort_by_key(|(form, number)| (usize::MAX - form.len(), names[*number].field));
        }
        let most_documents = words.values().copied().max().unwrap_or(0);
        Self {
            most_documents,
            // The words are sorted and unique, as a map needs them.
            words: Map::from_iter(words).unwrap_or_default(),
            folded: names
                .iter()
                .map(|named| stems::folded(&named.name))
                .collect(),
            names,
            forms,
        }
    }

    /// The number of documents whose name or labels have a word.
    pub(super) fn documents(&self, word: &str) -> u64 {
        self.words.get(stems::cut(word)).unwrap_or(0)
    }

    /// Documents that probably have all of some words, of which each stands for these documents; as if words were spread
    /// evenly.
    pub(super) fn expected(&self, numbers: &[u64]) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let all = self.most_documents.max(1) as f64;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let parts = numbers.iter().map(|number| (*number as f64 / all).min(1.0));
        all * parts.product::<f64>()
    }

    /// The name that words begin with, the longest if there are several, and how many words it takes.
    pub(super) fn name_at<'a>(
        &self,
        words: impl Fn(usize) -> Option<&'a str>,
    ) -> Option<(&Named, usize)> {
        let sharing = self.forms.get(words(0)?)?;
        let (form, number) = sharing.iter().find(|(form, _)| {
            let mut parts = form.iter().enumerate();
            parts.all(|(at, part)| words(at) == Some(part.as_str()))
        })?;
        Some((&self.names[*number], form.len()))
    }

    /// Names that begin with these words, the last of which may be unfinished, in the order of their kinds.
    pub(crate) fn names_from(&self, words: &[String]) -> impl Iterator<Item = &Named> {
        let begins = move |name: &[String]| {
            let (Some((last, before)), true) = (words.split_last(), words.len() <= name.len())
            else {
                return false;
            };
            name.starts_with(before) && name[before.len()].starts_with(last.as_str())
        };
        let known = self.names.iter().zip(&self.folded);
        known
            .filter(move |(_, folded)| begins(folded))
            .map(|(named, _)| named)
    }

    /// The name of a type in the plural, which is the longer one.
    pub(crate) fn type_name(&self, slug: &str) -> &str {
        let names = self.names.iter();
        let names = names.filter(|named| named.field == Field::Type && named.slug == slug);
        let longest = names.max_by_key(|named| named.name.len());
        longest.map_or("", |named| &named.name)
    }

    /// A type and a neighbourhood that a text names together, the second perhaps unfinished: "bars in par".
    pub(crate) fn type_in_area(&self, words: &[String]) -> Option<(&Named, &Named)> {
        let (kind, length) = self.name_at(|at| words.get(at).map(String::as_str))?;
        let rest = match words.get(length..)? {
            [first, rest @ ..] if first == "in" => rest,
            rest => rest,
        };
        let area = self
            .names_from(rest)
            .find(|named| named.field == Field::Neighbourhood)?;
        (kind.field == Field::Type).then_some((kind, area))
    }

    /// Words that begin with an unfinished one, the most frequent first.
    pub(super) fn completions(&self, word: &str) -> Vec<String> {
        if word.len() < SHORTEST {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut stream = self
            .words
            .search(Str::new(word).starts_with())
            .into_stream();
        while let Some((known, documents)) = stream.next() {
            if let Ok(known) = std::str::from_utf8(known) {
                found.push((documents, known.to_owned()));
            }
        }
        found.sort_by(|(some, one), (other, another)| other.cmp(some).then(one.cmp(another)));
        found.truncate(MOST_COMPLETIONS);
        found.into_iter().map(|(_, word)| word).collect()
    }

    /// The most likely words for a misspelt one: usually one, or two that were written as one.
    pub(super) fn correction(&self, word: &str) -> Option<Vec<String>> {
        let word = stems::cut(word);
        let letters = word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !(SHORTEST..=LONGEST).contains(&word.len()) || !letters {
            return None;
        }
        let allowed = if word.len() < 6 { 1 } else { 2 };
        let nearest = self.nearest(word, allowed);
        let parts = self.parts(word);
        match (nearest, parts) {
            // Two whole words are likelier than two faults.
            (Some((distance, _)), Some(parts)) if distance > 1 => Some(parts),
            (Some((_, nearest)), _) => Some(vec![nearest]),
            (None, parts) => parts,
        }
    }

    /// The nearest known word, and its distance. An exchange of two letters is one fault, while the automaton counts
    /// two.
    fn nearest(&self, word: &str, allowed: usize) -> Option<(usize, String)> {
        let automaton = Levenshtein::new(word, 2).ok()?;
        let mut stream = self.words.search(automaton).into_stream();
        let mut best: Option<(f64, usize, String)> = None;
        while let Some((known, documents)) = stream.next() {
            let Ok(known) = std::str::from_utf8(known) else {
                continue;
            };
            let distance = osa_distance(word, known);
            if distance > allowed || known.len() < SHORTEST {
                continue;
            }
            // A first letter is rarely wrong, and a frequent word is likelier.
            let first = f64::from(u8::from(known.as_bytes()[0] != word.as_bytes()[0]));
            #[expect(clippy::cast_precision_loss, reason = "only their order matters")]
            let cost = distance as f64 + 0.5 * first - 0.12 * (documents as f64).ln_1p();
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, distance, known.to_owned()));
            }
        }
        best.map(|(_, distance, known)| (distance, known))
    }

    /// Two known words that were written as one: "icecream".
    fn parts(&self, word: &str) -> Option<Vec<String>> {
        let cuts = SHORTEST..=word.len().saturating_sub(SHORTEST);
        let parts = cuts
            .map(|at| word.split_at(at))
            .max_by_key(|(one, other)| self.documents(one).min(self.documents(other)))?;
        let known = self.documents(parts.0).min(self.documents(parts.1)) > 0;
        known.then(|| vec![parts.0.to_owned(), parts.1.to_owned()])
    }
}

/// The forms in which a name stands in queries.
fn forms_of(named: &Named) -> Vec<Vec<String>> {
    let words = stems::folded(&named.name);
    let mut forms = vec![words.clone()];
    match named.field {
        Field::Type => {}
        Field::Neighbourhood => {
            if let [first, rest @ ..] = words.as_slice()
                && first == "the"
            {
                forms.push(rest.to_vec());
            }
            if let [first, last] = words.as_slice()
                && GENERIC.contains(&last.as_str())
            {
                forms.push(vec![first.clone()]);
            }
            // "Kensington-Chinatown" is either.
            forms.extend(named.name.split('-').map(stems::folded));
        }
        // "Sunniva" and "Okafor" are Sunniva Okafor-Bell, if the query says that they write.
        Field::Author => forms.push(words.iter().take(1).cloned().collect()),
    }
    forms.retain(|form| !form.is_empty());
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        let words = [
            "bar",
            "bars",
            "coffee",
            "cream",
            "dim",
            "ice",
            "ramen",
            "raman",
            "sum",
            "switchyard",
        ];
        let mut words: BTreeMap<String, u64> = words.map(|word| (word.to_owned(), 3)).into();
        words.insert("ramen".to_owned(), 40);
        let one = |field, slug: &str, name: &str| Named {
            field,
            slug: slug.to_owned(),
            name: name.to_owned(),
        };
        let names = vec![
            one(
                Field::Neighbourhood,
                "kensington-market",
                "Kensington Market",
            ),
            one(Field::Neighbourhood, "the-annex", "The Annex"),
            one(Field::Type, "bars", "Bars"),
            one(Field::Author, "ada-king", "Ada King"),
        ];
        Lexicon::new(words, names)
    }

    #[test]
    fn a_misspelt_word_becomes_the_nearest_frequent_one_or_two() {
        let lexicon = lexicon();
        for (word, expected) in [
            ("ramne", "ramen"),
            ("rammen", "ramen"),
            ("swichyard", "switchyard"),
            ("icecream", "ice cream"),
            ("dimsum", "dim sum"),
        ] {
            let found = lexicon.correction(word).map(|words| words.join(" "));
            assert_eq!(found.as_deref(), Some(expected), "{word}");
        }
        let long = "switchyard".repeat(3);
        for word in ["xy", "xylophone", "24", "r4m3n", long.as_str()] {
            assert_eq!(lexicon.correction(word), None, "{word}");
        }
    }

    #[test]
    fn an_unfinished_word_is_completed_most_frequent_first() {
        assert_eq!(lexicon().completions("ram"), ["ramen", "raman"]);
        assert_eq!(lexicon().completions("ra"), [""; 0]);
    }

    #[test]
    fn names_are_known_by_their_short_forms() {
        let lexicon = lexicon();
        let at = |query: &'static str| {
            let words: Vec<&str> = query.split(' ').collect();
            let (named, length) = lexicon.name_at(|at| words.get(at).copied())?;
            Some((named.slug.clone(), length))
        };
        assert_eq!(
            at("kensington market bars"),
            Some(("kensington-market".to_owned(), 2))
        );
        assert_eq!(
            at("kensington coffee"),
            Some(("kensington-market".to_owned(), 1))
        );
        assert_eq!(at("annex"), Some(("the-annex".to_owned(), 1)));
        assert_eq!(at("ada"), Some(("ada-king".to_owned(), 1)));
        assert_eq!(at("market"), None);
    }
}
