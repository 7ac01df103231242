//! Marks the words of a text that match a query.

use std::collections::HashSet;

use chassis::slug::words;

use super::{query::Query, stems};

/// Length in bytes after which a passage is cut at the end of a word.
const PASSAGE: usize = 180;
/// Maximum length in bytes of the text before the first match of a passage.
const BEFORE: usize = 60;

/// A part of a text that matches completely or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) matches: bool,
}

/// Splits a complete text into parts.
pub(crate) fn whole(text: &str, query: &Query) -> Vec<Part> {
    let looked_for: HashSet<&str> = query
        .terms
        .iter()
        .filter(|term| !term.is_filler)
        .flat_map(|term| term.forms.iter())
        .flat_map(|(stems, _)| stems.iter().map(String::as_str))
        .collect();
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |text: &str, matches: bool| match parts.last_mut() {
        _ if text.is_empty() => {}
        // Matches separated only by a space are merged.
        Some(last) if last.matches == matches => last.text.push_str(text),
        _ => parts.push(Part {
            text: text.to_owned(),
            matches,
        }),
    };
    let mut at = 0;
    for word in words(text) {
        if looked_for.contains(stems::stem(&word.folded).as_str()) {
            add(&text[at..word.range.start], false);
            add(&text[word.range.clone()], true);
            at = word.range.end;
        }
    }
    add(&text[at..], false);
    parts
}

/// Returns the passage around the first match of a text, or its beginning.
pub(crate) fn passage(text: &str, query: &Query) -> Vec<Part> {
    let before: usize = match whole(text, query).as_slice() {
        [
            Part {
                text,
                matches: false,
            },
            _,
            ..,
        ] => text.len(),
        _ => 0,
    };
    let begin = if before > BEFORE + 20 {
        boundary(text, before - BEFORE)
    } else {
        0
    };
    let rest = &text[begin..];
    let cut = if rest.len() > PASSAGE {
        let end = text[begin..boundary(text, begin + PASSAGE)].trim_end();
        format!("{end}…")
    } else {
        rest.to_owned()
    };
    let dots = if begin > 0 { "…" } else { "" };
    whole(&format!("{dots}{}", cut.trim_start()), query)
}

/// Returns the beginning of the first word at or after a position.
fn boundary(text: &str, at: usize) -> usize {
    let from = (at..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len());
    text[from..]
        .find(' ')
        .map_or(text.len(), |space| from + space + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::search::{lexicon::Lexicon, query::tokens};

    fn marked(parts: Vec<Part>) -> String {
        let parts = parts.into_iter().map(
            |Part { text, matches }| {
                if matches { format!("[{text}]") } else { text }
            },
        );
        parts.collect()
    }

    fn query(text: &str) -> Query {
        Query::new(&tokens(text), &Lexicon::default(), &|_: &str| true)
    }

    #[test]
    fn words_match_by_their_stems_whatever_their_accents() {
        let parts = whole("Café Brisa & the bars", &query("cafe bar"));
        assert_eq!(marked(parts), "[Café] Brisa & the [bars]");
        assert_eq!(marked(whole("", &query("cafe"))), "");
    }

    #[test]
    fn a_passage_is_around_the_first_match_and_ends_with_words() {
        let text = format!(
            "{} The ramen is good. {}",
            "é word".repeat(40),
            "more words ".repeat(40)
        );
        let found = marked(passage(&text, &query("ramen")));
        assert!(
            found.starts_with('…')
                && found.contains("The [ramen] is good.")
                && found.ends_with("…"),
            "{found}"
        );
        assert!(found.len() < 230, "{found}");
        assert_eq!(marked(passage("Short.", &query("ramen"))), "Short.");
        let long = "é".repeat(400);
        assert_eq!(marked(passage(&long, &query("ramen"))), format!("{long}…"));
    }
}
