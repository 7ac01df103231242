//! Slugs: the readable part of a page's path; also the words of a text, folded in the same way.

use std::ops::Range;

/// The maximum length of a slug, in characters.
pub const MAX_LENGTH: usize = 80;

/// The slug of a name: lower case, accents removed, words joined by single hyphens. A name without any letter or digit
/// that folds to ASCII yields an empty slug; callers then use an id.
#[must_use]
pub fn from_name(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    let mut gap = false;
    for character in name.chars() {
        match fold(character) {
            // An apostrophe is dropped: "McDonald's" becomes "mcdonalds".
            Folded::Nothing => {}
            Folded::Text(text) => {
                if gap && !slug.is_empty() {
                    slug.push('-');
                }
                gap = false;
                slug.push_str(&text);
            }
            Folded::Gap => gap = true,
        }
    }
    slug.truncate(
        slug.char_indices()
            .nth(MAX_LENGTH)
            .map_or(slug.len(), |(at, _)| at),
    );
    slug.trim_end_matches('-').to_owned()
}

/// A word of a text, folded as in slugs: lower case, without accents and apostrophes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word in ASCII letters and digits.
    pub folded: String,
    /// The position of the word in the text, in bytes.
    pub range: Range<usize>,
}

/// The words of a text. Combining accents belong to the letters before them.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut gap = true;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match fold(character) {
            _ if ('\u{300}'..='\u{36f}').contains(&character) => {
                if let Some(word) = words.last_mut().filter(|_| !gap) {
                    word.range.end = end;
                }
            }
            Folded::Nothing => {}
            Folded::Gap => gap = true,
            Folded::Text(folded) => {
                if let Some(word) = words.last_mut().filter(|_| !gap) {
                    word.folded.push_str(&folded);
                    word.range.end = end;
                } else {
                    gap = false;
                    words.push(Word {
                        folded,
                        range: at..end,
                    });
                }
            }
        }
    }
    words
}

/// Whether a text has the form of a generated slug.
#[must_use]
pub fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_LENGTH
        && text.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

enum Folded {
    Text(String),
    Gap,
    Nothing,
}

fn fold(character: char) -> Folded {
    if character.is_ascii_alphanumeric() {
        return Folded::Text(character.to_ascii_lowercase().to_string());
    }
    if matches!(character, '\'' | '\u{2019}' | '\u{2018}' | '`') {
        return Folded::Nothing;
    }
    if character == '&' {
        return Folded::Gap;
    }
    let folded: String = deunicode::deunicode_char(character)
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if folded.is_empty() || !character.is_alphanumeric() {
        Folded::Gap
    } else {
        Folded::Text(folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_know_where_they_stand() {
        let text = "Za’atar & Cafe\u{301}s, 24/7";
        let found: Vec<_> = words(text)
            .into_iter()
            .map(|word| (word.folded, &text[word.range]))
            .collect();
        let expected = [
            ("zaatar", "Za’atar"),
            ("cafes", "Cafe\u{301}s"),
            ("24", "24"),
            ("7", "7"),
        ];
        assert_eq!(found, expected.map(|(word, part)| (word.to_owned(), part)));
        assert_eq!(words(" –'! "), []);
    }

    #[test]
    fn names_fold_to_readable_slugs() {
        for (name, slug) in [
            ("Pai Toronto", "pai-toronto"),
            ("McDonald's", "mcdonalds"),
            ("Café Crêpe", "cafe-crepe"),
            ("#DESI", "desi"),
            ("A&W", "a-w"),
            ("% Arabica", "arabica"),
            ("  --  ", ""),
            ("Ångström   Bar", "angstrom-bar"),
        ] {
            assert_eq!(from_name(name), slug, "{name}");
        }
    }

    #[test]
    fn a_long_name_is_cut_without_a_hanging_hyphen() {
        let slug = from_name(&"ab ".repeat(60));
        assert!(slug.len() <= MAX_LENGTH && is_slug(&slug), "{slug}");
    }

    #[test]
    fn only_what_of_makes_is_a_slug() {
        assert!(is_slug("pai-toronto-2"));
        for text in ["", "-a", "a-", "a--b", "A", "é", "a_b", "a/b"] {
            assert!(!is_slug(text), "{text}");
        }
    }
}
