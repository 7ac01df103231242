//! Queries: their words and the corresponding words of documents.

use chassis::slug::words;
use suggestions::cut;

use super::{
    lexicon::{FREQUENT, Lexicon},
    related, stems,
};

/// Maximum number of words of a query; further words are ignored.
const MAX_WORDS: usize = 16;

/// Maximum number of words of a query that are completed or corrected; further unknown words are used literally.
const MAX_UNKNOWN: usize = 6;

/// A folded word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) word: String,
    /// Whether the word is within quotation marks and therefore used literally.
    pub(super) is_literal: bool,
    /// Position in the query, in bytes.
    pub(super) range: std::ops::Range<usize>,
}

/// Returns the words of a query as typed.
pub(super) fn tokens(query: &str) -> Vec<Token> {
    let quotes = |at: usize| query[..at].matches(['"', '“', '”']).count();
    let found = words(query).into_iter().take(MAX_WORDS);
    found
        .map(|word| Token {
            is_literal: quotes(word.range.start) % 2 == 1,
            word: cut(&word.folded).to_owned(),
            range: word.range,
        })
        .collect()
}

/// A search term. A document contains it if it contains one of its forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    /// Stems with their weights from 0 to 1. A form of two words has two stems.
    pub(crate) forms: Vec<(Vec<String>, f64)>,
    /// The folded word, after correction.
    pub(crate) word: String,
    /// Whether documents may lack the term.
    pub(crate) is_filler: bool,
    /// Whether the term belongs to the name of a type, neighbourhood or author.
    is_of_name: bool,
    /// Whether too many documents contain the term to rank them quickly.
    is_frequent: bool,
}

impl Term {
    /// Returns the condition for documents with this term, as a PostgreSQL `tsquery`.
    pub(crate) fn condition(&self) -> String {
        let forms = self.forms.iter().map(|(stems, _)| stems.join("&"));
        format!("({})", forms.collect::<Vec<_>>().join("|"))
    }
}

/// The search terms of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Query {
    pub(crate) terms: Vec<Term>,
    /// The corrected words, if any was corrected.
    pub(crate) corrected: Option<String>,
    /// Whether too many documents contain all words to rank them quickly.
    pub(crate) is_frequent: bool,
}

/// Returns the stems of a query's words that are neither known nor frequent. Words that no text contains may be
/// corrected.
pub(crate) fn unknown_stems(text: &str, lexicon: &Lexicon) -> Vec<String> {
    let tokens = tokens(text).into_iter();
    let unknown = tokens.filter(|token| {
        lexicon.documents_anywhere(&token.word) == 0 && !related::is_filler(&token.word)
    });
    unknown.map(|token| stems::stem(&token.word)).collect()
}

impl Query {
    /// Interprets each word. `occurs` returns whether any document's text contains a word.
    pub(super) fn new(tokens: &[Token], lexicon: &Lexicon, occurs: &impl Fn(&str) -> bool) -> Self {
        let mut query = Self::default();
        let mut is_corrected = false;
        let mut unknown = 0;
        let mut at = 0;
        let mut spoken: Vec<String> = Vec::new();
        while let Some(token) = tokens.get(at) {
            at += 1;
            let word = token.word.as_str();
            // Two words that are usually written as one: "sea food".
            if let Some(next) = tokens.get(at)
                && !token.is_literal
                && lexicon.documents(&format!("{word}{}", next.word)) > 0
                && (lexicon.documents(word) == 0 || lexicon.documents(&next.word) == 0)
            {
                let joined = format!("{word}{}", next.word);
                query.terms.push(known(&joined));
                spoken.push(joined);
                is_corrected = true;
                at += 1;
                continue;
            }
            let is_known = lexicon.documents(word) > 0;
            if token.is_literal
                || is_known
                || related::is_filler(word)
                || !related::related(word).is_empty()
            {
                query.terms.push(known(word));
                spoken.push(word.to_owned());
                continue;
            }
            let mut term = known(word);
            unknown += 1;
            if unknown > MAX_UNKNOWN {
                query.terms.push(term);
                spoken.push(word.to_owned());
                continue;
            }
            let is_somewhere = lexicon.documents_anywhere(word) > 0 || occurs(&stems::stem(word));
            let completions = lexicon.completions(word);
            let corrections = lexicon.correction(word);
            // A short prefix has many completions: a correction is more likely. A word that occurs in a text is not
            // misspelt.
            let corrections = corrections.filter(|_| !is_somewhere);
            let completes = !completions.is_empty() && (word.len() > 3 || corrections.is_none());
            if completes {
                for completion in completions {
                    term.forms.push((vec![stems::stem(&completion)], 0.8));
                }
                spoken.push(word.to_owned());
            } else if let Some(words) = corrections {
                let stems = words.iter().map(|word| stems::stem(word)).collect();
                term.forms = vec![(stems, 1.0)];
                if let [word] = words.as_slice() {
                    add_related(&mut term, word);
                    term.word.clone_from(word);
                }
                is_corrected = true;
                spoken.extend(words);
            } else {
                spoken.push(word.to_owned());
            }
            term.forms.dedup();
            query.terms.push(term);
        }
        // In a query with only fillers, the fillers are search terms.
        if query.terms.iter().all(|term| term.is_filler) {
            for term in &mut query.terms {
                term.is_filler = false;
            }
        }
        query.corrected = is_corrected.then(|| spoken.join(" "));
        let mut numbers = Vec::new();
        for term in query.terms.iter_mut().filter(|term| !term.is_filler) {
            let number = lexicon.documents_anywhere(&term.word);
            term.is_frequent = lexicon.expected(&[number]) > FREQUENT;
            numbers.push(number);
        }
        query.is_frequent = !numbers.is_empty() && lexicon.expected(&numbers) > FREQUENT;
        query
    }

    /// Returns the condition that all terms occur, as a PostgreSQL `tsquery`; `None` without terms.
    pub(crate) fn all(&self) -> Option<String> {
        joined(" & ", self.needed())
    }

    /// Returns the condition that any infrequent term occurs; `None` without such a term. A name alone does not suffice:
    /// "patio queen west" finds no other things in Queen West.
    pub(crate) fn any(&self) -> Option<String> {
        let has_others = self.needed().any(|term| !term.is_of_name);
        let terms = self.needed().filter(|term| !term.is_frequent);
        joined(" | ", terms.filter(|term| !(has_others && term.is_of_name)))
    }

    /// Notes which words belong to names.
    pub(super) fn note_names(&mut self, words: &[String]) {
        for term in &mut self.terms {
            term.is_of_name |= words.contains(&term.word);
        }
    }

    fn needed(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(|term| !term.is_filler)
    }
}

fn joined<'a>(operator: &str, terms: impl Iterator<Item = &'a Term>) -> Option<String> {
    let parts: Vec<String> = terms.map(Term::condition).collect();
    (!parts.is_empty()).then(|| parts.join(operator))
}

/// Creates the term for a word, without completions or corrections.
fn known(word: &str) -> Term {
    let mut term = Term {
        forms: vec![(vec![stems::stem(word)], 1.0)],
        word: word.to_owned(),
        is_filler: related::is_filler(word),
        is_of_name: false,
        is_frequent: false,
    };
    add_related(&mut term, word);
    term
}

fn add_related(term: &mut Term, word: &str) {
    for other in related::related(word) {
        let stems = other.split(' ').map(stems::stem).collect();
        term.forms.push((stems, 0.6));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, HashMap};

    fn lexicon() -> Lexicon {
        let words = ["bar", "coffee", "ramen", "seafood", "food", "listening"];
        let words: BTreeMap<String, u64> = words.map(|word| (word.to_owned(), 5)).into();
        Lexicon::new(words, HashMap::new(), Vec::new())
    }

    fn query(text: &str, occurs: &[&str]) -> Query {
        Query::new(&tokens(text), &lexicon(), &|word: &str| {
            occurs.contains(&word)
        })
    }

    #[test]
    fn words_are_corrected_unless_they_are_known_or_quoted() {
        assert_eq!(query("ramen bar", &[]).corrected, None);
        assert_eq!(
            query("ramne bars", &[]).corrected.as_deref(),
            Some("ramen bar")
        );
        assert_eq!(query("\"ramne\"", &[]).corrected, None);
        assert_eq!(query("sea food", &[]).corrected.as_deref(), Some("seafood"));
        assert_eq!(query("listeni", &[]).corrected, None);
        // Only the first unknown words are corrected.
        let many = query(&"ramne ".repeat(8), &[]).corrected;
        assert_eq!(many, Some(format!("{}ramne ramne", "ramen ".repeat(6))));
        // A word that occurs in a text is not misspelt.
        let occurring = query("ramez", &["ramez"]);
        assert_eq!(occurring.corrected, None);
        assert_eq!(occurring.all().as_deref(), Some("(ramez)"));
    }

    #[test]
    fn words_that_very_many_documents_have_together_are_frequent() {
        let numbers = [("restaurant", 60_000), ("street", 100_000), ("ramen", 900)];
        let words = numbers.map(|(word, number)| (word.to_owned(), number));
        // "Winter" occurs only in texts.
        let stems = HashMap::from([("winter".to_owned(), 90_000), ("ramen".to_owned(), 1_000)]);
        let lexicon = Lexicon::new(words.into(), stems, Vec::new());
        for (text, is_frequent, any) in [
            ("restaurant", true, None),
            ("the restaurant street", true, None),
            ("winter", true, None),
            ("ramen", false, Some("(ramen|noodl)")),
            ("ramen restaurant", false, Some("(ramen|noodl)")),
            ("xylophone winter", false, Some("(xylophon)")),
            ("", false, None),
        ] {
            let query = Query::new(&tokens(text), &lexicon, &|_: &str| true);
            assert_eq!(query.is_frequent, is_frequent, "{text}");
            assert_eq!(query.any().as_deref(), any, "{text}");
        }
    }

    #[test]
    fn fillers_are_not_needed_unless_there_is_nothing_else() {
        assert_eq!(
            query("the best ramen in", &[]).all().as_deref(),
            Some("(ramen|noodl)")
        );
        assert_eq!(query("the", &[]).all().as_deref(), Some("(the)"));
        assert_eq!(query("  –!", &[]).all(), None);
    }
}
