//! Names of places in texts.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

/// The numbers of words of a name that becomes a link: a single word may mean something else.
const WORDS: Range<usize> = 2..7;

pub(super) fn phrases_of(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = words.len();
    let begins_name = |word: &str| {
        let first = word.chars().find(|letter| letter.is_alphanumeric());
        first.is_some_and(|first| first.is_uppercase() || first.is_numeric())
    };
    let all = (0..count).flat_map(move |start| WORDS.map(move |length| start..start + length));
    let all = all
        .filter(move |range| range.end <= count)
        .collect::<Vec<_>>();
    let phrases = all.into_iter().filter_map(move |range| {
        let [first, .., last] = &words[range.clone()] else {
            return None;
        };
        (begins_name(first) && begins_name(last)).then(|| words[range].join(" "))
    });
    phrases.flat_map(|phrase| {
        let phrase = phrase.trim_matches(|letter: char| !letter.is_alphanumeric());
        let owner = phrase.strip_suffix("’s");
        let each = owner.into_iter().chain([phrase]).map(str::to_owned);
        each.collect::<Vec<_>>()
    })
}

/// Writes a name as texts do.
#[must_use]
pub fn typographic(name: &str) -> String {
    name.replace('\'', "’")
}

/// The open elements whose words stay as they are.
#[derive(Debug, Default)]
pub(super) struct Verbatim(usize);

impl Verbatim {
    pub(super) fn pass(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Link { .. } | Tag::CodeBlock(_)) => self.0 += 1,
            Event::End(TagEnd::Heading(_) | TagEnd::Link | TagEnd::CodeBlock) => self.0 -= 1,
            _ => {}
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.0 > 0
    }
}

/// Returns the position of a name that is not a part of longer words.
pub(super) fn position(text: &str, name: &str) -> Option<usize> {
    let is_word = |letter: char| letter.is_alphanumeric();
    let mut found = text.match_indices(name).map(|(at, _)| at);
    found.find(|at| {
        let (before, after) = (&text[..*at], &text[at + name.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_whole_words() {
        for (text, expected) in [
            ("At Tin Kettle.", Some(3)),
            ("Tin Kettles, Tin Kettle’s", Some(13)),
            ("aTin Kettle", None),
        ] {
            assert_eq!(position(text, "Tin Kettle"), expected, "{text}");
        }
    }
}
