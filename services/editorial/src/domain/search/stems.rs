//! Stems, with which the index compares words.

use std::{cell::OnceCell, collections::BTreeMap, fmt::Write as _};

use rust_stemmers::{Algorithm, Stemmer};
use suggestions::{cut, folded};

thread_local! {
    static ENGLISH: OnceCell<Stemmer> = const { OnceCell::new() };
}

/// Returns a folded word without its ending: "bars" becomes "bar".
pub(super) fn stem(word: &str) -> String {
    let word = cut(word);
    ENGLISH.with(|stemmer| {
        let stemmer = stemmer.get_or_init(|| Stemmer::create(Algorithm::English));
        stemmer.stem(word).into_owned()
    })
}

/// Builds a PostgreSQL `tsvector` from weighted texts.
pub(super) fn vector(texts: &[(&str, char)], form: impl Fn(&str) -> String) -> String {
    let mut places: BTreeMap<String, Vec<(usize, char)>> = BTreeMap::new();
    let mut position = 0;
    for (text, weight) in texts {
        for word in folded(text) {
            position += 1;
            places
                .entry(form(&word))
                .or_default()
                .push((position, *weight));
        }
        // A gap keeps words of two texts from being adjacent.
        position += 10;
    }
    let mut vector = String::new();
    for (word, places) in places {
        let _ = write!(vector, "{word}:");
        for (number, (position, weight)) in places.iter().take(200).enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let _ = write!(vector, "{comma}{}{weight}", position.min(&16_383));
        }
        vector.push(' ');
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_each_word_once_with_its_places_and_weights() {
        let texts = [("The Bars’ Café", 'A'), ("bar", 'B')];
        assert_eq!(vector(&texts, stem), "bar:2A,14B cafe:3A the:1A ");
        assert_eq!(
            vector(&texts, str::to_owned),
            "bar:14B bars:2A cafe:3A the:1A "
        );
    }
}
