//! A query: its words, and which words of documents each of them stands for.

use chassis::slug::words;
use suggestions::cut;

use super::{
    lexicon::{FREQUENT, Lexicon},
    related, stems,
};

/// Words of a query that count.
const MAX_WORDS: usize = 16;

/// Words of a query that are completed or corrected; in a longer one with more unknown words they are taken as they stand.
const MAX_UNKNOWN: usize = 6;

/// A word of a query, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) word: String,
    /// Within quotation marks: it is taken as it stands.
    pub(super) is_literal: bool,
    /// Where it stands in the query, in bytes.
    pub(super) range: std::ops::Range<usize>,
}

/// The words of a query as it was typed.
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

/// One thing that is looked for: documents have it if they have one of its forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    /// Stems, each with its weight from 0 to 1. A form of two words has two.
    pub(crate) forms: Vec<(Vec<String>, f64)>,
    /// The word itself, folded, as it is understood.
    pub(crate) word: String,
    /// Documents need not have it.
    pub(crate) is_filler: bool,
    /// Whether more documents have it than can be ranked in a short time.
    is_frequent: bool,
}

impl Term {
    /// What a document with this term has, as PostgreSQL reads a `tsquery`.
    pub(crate) fn condition(&self) -> String {
        let forms = self.forms.iter().map(|(stems, _)| stems.join("&"));
        format!("({})", forms.collect::<Vec<_>>().join("|"))
    }
}

/// The words to look for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Query {
    pub(crate) terms: Vec<Term>,
    /// The words as they were understood, if one of them was corrected.
    pub(crate) corrected: Option<String>,
    /// Whether more documents have all words than can be ranked in a short time.
    pub(crate) is_frequent: bool,
}

/// The stems of a query's words that are neither known nor frequent. Those that no text contains may be corrected.
pub(crate) fn unknown_stems(text: &str, lexicon: &Lexicon) -> Vec<String> {
    let tokens = tokens(text).into_iter();
    let unknown = tokens.filter(|token| {
        lexicon.documents_anywhere(&token.word) == 0 && !related::is_filler(&token.word)
    });
    unknown.map(|token| stems::stem(&token.word)).collect()
}

impl Query {
    /// Finds out what each word stands for. `occurs` says which words some document has in its text.
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
            // A short beginning fits many words: a correction is likelier. A word of some text is not misspelt.
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
        // A query of such words alone means them.
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

    /// What documents must have, as PostgreSQL reads a `tsquery`; `None` without words.
    pub(crate) fn all(&self) -> Option<String> {
        joined(" & ", self.needed())
    }

    /// The same with any one of the words that are not frequent; `None` if there are none.
    pub(crate) fn any(&self) -> Option<String> {
        joined(" | ", self.needed().filter(|term| !term.is_frequent))
    }

    fn needed(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(|term| !term.is_filler)
    }
}

fn joined<'a>(operator: &str, terms: impl Iterator<Item = &'a Term>) -> Option<String> {
    let parts: Vec<String> = terms.map(Term::condition).collect();
    (!parts.is_empty()).then(|| parts.join(operator))
}

/// A word that is taken as it stands.
fn known(word: &str) -> Term {
    let mut term = Term {
        forms: vec![(vec![stems::stem(word)], 1.0)],
        word: word.to_owned(),
        is_filler: related::is_filler(word),
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
        // Of many, the first.
        let many = query(&"ramne ".repeat(8), &[]).corrected;
        assert_eq!(many, Some(format!("{}ramne ramne", "ramen ".repeat(6))));
        // A word that some text has is not misspelt.
        let occurring = query("ramez", &["ramez"]);
        assert_eq!(occurring.corrected, None);
        assert_eq!(occurring.all().as_deref(), Some("(ramez)"));
    }

    #[test]
    fn words_that_very_many_documents_have_together_are_frequent() {
        let numbers = [("restaurant", 60_000), ("street", 100_000), ("ramen", 900)];
        let words = numbers.map(|(word, number)| (word.to_owned(), number));
        // "Winter" is in texts alone.
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
