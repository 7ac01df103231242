//! The words and names of everything that can be found: what queries are corrected with and understood by.

use std::collections::{BTreeMap, HashMap};

use fst::{
    Automaton, IntoStreamer, Map, Streamer,
    automaton::{Levenshtein, Str},
};
use strsim::osa_distance;
use suggestions::{Labels, Named, cut};

use super::stems;

/// Words of which none is corrected: shorter ones are near to too many.
const SHORTEST: usize = 3;
/// The longest that are: looking for what is near to a word takes more time and memory the longer it is.
const MAX: usize = 20;
/// Documents that match, beyond which only the best are looked at.
pub(super) const FREQUENT: f64 = 5_000.0;
/// Completions of an unfinished word.
const MAX_COMPLETIONS: usize = 8;

/// Words and names.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// Of names and labels, with the number of documents that have each.
    words: Map<Vec<u8>>,
    /// The frequent stems of whole documents, texts included, with about as many documents as have each.
    stems: HashMap<String, u64>,
    /// Of the most frequent word.
    most_documents: u64,
    labels: Labels,
}

impl Lexicon {
    /// `words` with the number of documents that have each in their names or labels, and frequent `stems` with about the
    /// number that have each anywhere.
    pub(crate) fn new(
        words: BTreeMap<String, u64>,
        stems: HashMap<String, u64>,
        names: Vec<Named>,
    ) -> Self {
        let numbers = words.values().chain(stems.values());
        Self {
            most_documents: numbers.copied().max().unwrap_or(0),
            stems,
            // The words are sorted and unique, as a map needs them.
            words: Map::from_iter(words).unwrap_or_default(),
            labels: Labels::new(names),
        }
    }

    /// The names of types, neighbourhoods and authors.
    pub(crate) fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The number of documents whose name or labels have a word.
    pub(super) fn documents(&self, word: &str) -> u64 {
        self.words.get(cut(word)).unwrap_or(0)
    }

    /// About the number of documents that have a word anywhere; 0 if they are few and only their texts have it.
    pub(super) fn documents_anywhere(&self, word: &str) -> u64 {
        let of_stem = self.stems.get(&stems::stem(word));
        self.documents(word).max(of_stem.copied().unwrap_or(0))
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
        found.truncate(MAX_COMPLETIONS);
        found.into_iter().map(|(_, word)| word).collect()
    }

    /// The most likely words for a misspelt one: usually one, or two that were written as one.
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
