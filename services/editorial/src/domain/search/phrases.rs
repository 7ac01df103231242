//! Phrases with a meaning beyond their words.

use chrono::Weekday;

use suggestions::DocumentKind;

use super::{query::Token, related};

/// Phrases of several words and their meanings.
const PHRASES: &[(&[&str], Phrase)] = &[
    (&["open", "right", "now"], Phrase::OpenNow),
    (&["open", "now"], Phrase::OpenNow),
    (&["open", "today"], Phrase::OpenNow),
    (&["near", "me"], Phrase::Near),
    (&["near", "here"], Phrase::Near),
    (&["around", "me"], Phrase::Near),
    (&["close", "to", "me"], Phrase::Near),
    (&["close", "by"], Phrase::Near),
    (&["nearby"], Phrase::Near),
    (&["nearest"], Phrase::Near),
    (&["this", "evening"], Phrase::Tonight),
    (&["tonight"], Phrase::Tonight),
    (&["today"], Phrase::Today),
    (&["tomorrow"], Phrase::Tomorrow),
    (&["this", "weekend"], Phrase::Weekend),
    (&["on", "the", "weekend"], Phrase::Weekend),
    (&["weekend"], Phrase::Weekend),
    (&["things", "to", "do"], Phrase::Kind(DocumentKind::Event)),
    (&["what", "s", "on"], Phrase::Kind(DocumentKind::Event)),
    (&["whats", "on"], Phrase::Kind(DocumentKind::Event)),
    (&["event"], Phrase::Kind(DocumentKind::Event)),
    (&["events"], Phrase::Kind(DocumentKind::Event)),
    (&["articles"], Phrase::Kind(DocumentKind::Article)),
    (&["stories"], Phrase::Kind(DocumentKind::Article)),
    (&["videos"], Phrase::Kind(DocumentKind::Video)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    OpenNow,
    Near,
    Tonight,
    Today,
    Tomorrow,
    Weekend,
    Day(Weekday),
    Kind(DocumentKind),
}

/// Returns the phrase that begins at a word, and its number of words.
pub(super) fn phrase_at(tokens: &[Token], at: usize) -> Option<(Phrase, usize)> {
    let word = |at: usize| tokens.get(at).map(|token| token.word.as_str());
    let found = PHRASES.iter().find(|(words, _)| {
        let mut words = words.iter().enumerate();
        words.all(|(number, expected)| word(at + number) == Some(expected))
    });
    if let Some((words, phrase)) = found {
        return Some((*phrase, words.len()));
    }
    // "pubs open", but not "open mic".
    if word(at) == Some("open") && at > 0 && at + 1 == tokens.len() {
        return Some((Phrase::OpenNow, 1));
    }
    let day: Weekday = word(at)?
        .parse()
        .ok()
        .filter(|_| word(at).is_some_and(|word| word.len() > 5))?;
    // "Pierogi Sunday" is a name: a day means a time only if all other words are about events.
    let others = tokens.iter().enumerate().filter(|(other, _)| *other != at);
    let about_events = others
        .map(|(_, token)| token.word.as_str())
        .all(|word| EVENT_WORDS.contains(&word) || related::is_filler(word));
    about_events.then_some((Phrase::Day(day), 1))
}

/// Words for events, with which a day of the week means a time.
pub(super) const EVENT_WORDS: &[&str] = &[
    "comedy",
    "community",
    "concert",
    "concerts",
    "event",
    "events",
    "family",
    "film",
    "films",
    "flea",
    "free",
    "kids",
    "live",
    "market",
    "markets",
    "music",
    "outdoors",
    "show",
    "shows",
    "sports",
    "theatre",
    "things",
    "this",
];
