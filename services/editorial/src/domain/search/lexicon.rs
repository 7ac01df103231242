//! Words and names of all searchable objects, for correcting and interpreting queries.

use std::collections::{BTreeMap, HashMap};

use fst::{
    Automaton, IntoStreamer, Map, Streamer,
    automaton::{Levenshtein, Str},
};
use strsim::osa_distance;
use suggestions::{Labels, Named, cut};

use super::stems;

/// Minimum length of a word that is corrected: shorter words are similar to too many others.
const SHORTEST: usize = 3;
/// Maximum length of a word that is corrected: the time and memory for finding similar words grow with its length.
const MAX: usize = 20;
/// Number of matching documents above which only the best are examined.
pub(super) const FREQUENT: f64 = 2_000.0;
/// Maximum number of completions of an unfinished word.
const MAX_COMPLETIONS: usize = 8;

/// Words and names for interpreting queries.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// Words of names and labels, with their numbers of documents.
    words: Map<Vec<u8>>,
    /// Frequent stems of complete documents, including their texts, with their approximate numbers of documents.
    stems: HashMap<String, u64>,
    /// Number of documents of the most frequent word.
    most_documents: u64,
    labels: Labels,
}

impl Lexicon {
    /// Creates a lexicon of `words` with the numbers of documents that contain them in names or labels, and of frequent
    /// `stems` with the approximate numbers of documents that contain them anywhere.
    pub(crate) fn new(
        words: BTreeMap<String, u64>,
        stems: HashMap<String, u64>,
        names: Vec<Named>,
    ) -> Self {
        let numbers = words.values().chain(stems.values());
        Self {
            most_documents: numbers.copied().max().unwrap_or(0),
            stems,
            // The words are sorted and unique, as required.
            words: Map::from_iter(words).unwrap_or_default(),
            labels: Labels::new(names),
        }
    }

    /// Returns the names of types, neighbourhoods and authors.
    pub(crate) fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Returns the number of documents with a word in their name or labels.
    pub(super) fn documents(&self, word: &str) -> u64 {
        self.words.get(cut(word)).unwrap_or(0)
    }

    /// Returns the approximate number of documents with a word anywhere; 0 if they are few and only their texts contain
    /// it.
    pub(super) fn documents_anywhere(&self, word: &str) -> u64 {
        let of_stem = self.stems.get(&stems::stem(word));
        self.documents(word).max(of_stem.copied().unwrap_or(0))
    }

    /// Estimates the number of documents that contain all of several words, from each word's number of documents and
    /// assuming that words are independent.
    pub(super) fn expected(&self, numbers: &[u64]) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let all = self.most_documents.max(1) as f64;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let parts = numbers.iter().map(|number| (*number as f64 / all).min(1.0));
        all * parts.product::<f64>()
    }

    /// Returns completions of an unfinished word, most frequent first.
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
        found.truncate(MAX_COMPLETIONS);
        found.into_iter().map(|(_, word)| word).collect()
    }

    /// Returns the most likely correction of a misspelt word: usually one word, or two words written as one.
    pub(super) fn correction(&self, word: &str) -> Option<Vec<String>> {
        let word = cut(word);
        let letters = word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !(SHORTEST..=MAX).contains(&word.len()) || !letters {
            return None;
        }
        let allowed = if word.len() < 6 { 1 } else { 2 };
        let nearest = self.nearest(word, allowed);
        let parts = self.parts(word);
        match (nearest, parts) {
            // Two complete words are more likely than two errors.
            (Some((distance, _)), Some(parts)) if distance > 1 => Some(parts),
            (Some((_, nearest)), _) => Some(vec![nearest]),
            (None, parts) => parts,
        }
    }

    /// Returns the most similar known word and its distance. Swapped letters count as one error, while the automaton
    /// counts two.
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
            // First letters are rarely wrong, and frequent words are more likely.
            let first = f64::from(u8::from(known.as_bytes()[0] != word.as_bytes()[0]));
            #[expect(clippy::cast_precision_loss, reason = "only their order matters")]
            let cost = distance as f64 + 0.5 * first - 0.12 * (documents as f64).ln_1p();
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, distance, known.to_owned()));
            }
        }
        best.map(|(_, distance, known)| (distance, known))
    }

    /// Returns two known words that were written as one: "icecream".
    fn parts(&self, word: &str) -> Option<Vec<String>> {
        let cuts = SHORTEST..=word.len().saturating_sub(SHORTEST);
        let parts = cuts
            .map(|at| word.split_at(at))
            .max_by_key(|(one, other)| self.documents(one).min(self.documents(other)))?;
        let known = self.documents(parts.0).min(self.documents(parts.1)) > 0;
        known.then(|| vec![parts.0.to_owned(), parts.1.to_owned()])
    }
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
        Lexicon::new(words, HashMap::new(), Vec::new())
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
}
