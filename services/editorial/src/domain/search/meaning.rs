//! The meaning of a query beyond its words: open places, a time of events, a neighbourhood …

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;

use suggestions::{DocumentKind, Field};

use super::{
    lexicon::Lexicon,
    phrases::{EVENT_WORDS, Phrase, phrase_at},
    query::{Query, Token, tokens},
    related,
};

/// Hours at which evenings begin and nights end.
const EVENING: u32 = 17;
const NIGHT_ENDS: u32 = 5;

/// The current time in a time zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) now: DateTime<Utc>,
    pub(crate) zone: Tz,
}

/// A filter found in a query, and the query without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Name in the API.
    pub(crate) field: &'static str,
    pub(crate) label: String,
    pub(crate) rest: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Meaning {
    pub(crate) query: Query,
    /// Kinds of documents named in the query; empty if none.
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) type_slug: Option<String>,
    pub(crate) neighbourhood: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) is_open_now: bool,
    pub(crate) is_near: bool,
    pub(crate) is_free: bool,
    /// Events that end after the first time and begin before the second.
    pub(crate) time: Option<(DateTime<Utc>, DateTime<Utc>)>,
    pub(crate) taken: Vec<Taken>,
    /// All words of the query, if some of them are used as filters instead of search terms: a name may contain them.
    pub(crate) literal: Option<Query>,
}

/// Words before "free" that change its meaning.
const FREE_OF: &[&str] = &["dairy", "gluten", "nut", "smoke", "sugar"];

/// Interprets a query. `occurs` returns whether any document's text contains a stem.
pub(crate) fn understand(
    text: &str,
    lexicon: &Lexicon,
    moment: Moment,
    occurs: impl Fn(&str) -> bool,
) -> Meaning {
    let tokens = tokens(text);
    let mut meaning = Meaning::default();
    let mut is_word = vec![true; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        let found = (!tokens[at].is_literal)
            .then(|| phrase_at(&tokens, at))
            .flatten();
        let Some((phrase, length)) = found else {
            at += 1;
            continue;
        };
        let part = at..at + length;
        meaning.take_phrase(phrase, moment, || rest(text, &tokens, &part));
        is_word[part].fill(false);
        at += length;
    }
    let names = meaning.take_names(text, &tokens, &mut is_word, lexicon);
    meaning.take_free(text, &tokens, &mut is_word);
    if is_word.contains(&false) {
        meaning.literal = Some(Query::new(&tokens, lexicon, &occurs));
    }
    let words: Vec<Token> = tokens
        .into_iter()
        .zip(is_word)
        .filter_map(|(token, is_word)| is_word.then_some(token))
        .collect();
    meaning.query = Query::new(&words, lexicon, &occurs);
    meaning.query.note_names(&names);
    meaning.take_misspelt_names(lexicon);
    // "tonight" alone requests events; the rest of "events in the" has no meaning.
    let is_narrowed = !meaning.taken.is_empty() || !meaning.kinds.is_empty();
    if is_narrowed && words.iter().all(|token| related::is_filler(&token.word)) {
        meaning.query.terms.clear();
    }
    meaning.query.corrected = meaning.query.corrected.take().map(|corrected| {
        let filters = meaning.taken.iter().filter(|taken| is_cut(taken.field));
        let labels = filters.map(|taken| taken.label.to_lowercase());
        std::iter::once(corrected)
            .chain(labels)
            .collect::<Vec<_>>()
            .join(" ")
    });
    meaning
}

/// Whether the words of a filter are removed from the search terms.
fn is_cut(field: &str) -> bool {
    matches!(field, "open_now" | "near" | "time" | "free")
}

/// Returns the query without a part of it.
fn rest(text: &str, tokens: &[Token], part: &std::ops::Range<usize>) -> String {
    let begin = tokens[part.start].range.start;
    let end = tokens[part.end - 1].range.end;
    let rest = format!("{} {}", &text[..begin], &text[end..]);
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Meaning {
    /// Returns the query with all its words as search terms and without filters.
    pub(crate) fn literally(&self) -> Self {
        Self {
            query: self.literal.as_ref().unwrap_or(&self.query).clone(),
            ..Self::default()
        }
    }

    fn take_phrase(&mut self, phrase: Phrase, moment: Moment, rest: impl Fn() -> String) {
        let today = moment.now.with_timezone(&moment.zone).date_naive();
        let (field, label) = match phrase {
            Phrase::OpenNow => {
                self.is_open_now = true;
                self.kinds = vec![DocumentKind::Listing];
                ("open_now", "Open now".to_owned())
            }
            Phrase::Near => {
                self.is_near = true;
                self.kinds = vec![DocumentKind::Listing];
                ("near", "Near me".to_owned())
            }
            Phrase::Kind(kind) => {
                self.kinds = vec![kind];
                return;
            }
            Phrase::Tonight => {
                let begin = moment.at(today, EVENING).max(moment.now);
                self.time = Some((begin, moment.at(day_after(today), NIGHT_ENDS)));
                ("time", "Tonight".to_owned())
            }
            Phrase::Today => {
                self.time = Some((moment.now, moment.at(day_after(today), 0)));
                ("time", "Today".to_owned())
            }
            Phrase::Tomorrow => {
                let day = day_after(today);
                self.time = Some((moment.at(day, 0), moment.at(day_after(day), 0)));
                ("time", "Tomorrow".to_owned())
            }
            Phrase::Weekend => {
                self.time = Some(moment.weekend(today));
                ("time", "This weekend".to_owned())
            }
            Phrase::Day(day) => {
                let ahead =
                    (7 + day.num_days_from_monday() - today.weekday().num_days_from_monday()) % 7;
                let date = today
                    .checked_add_days(Days::new(ahead.into()))
                    .unwrap_or(today);
                let begin = moment.at(date, 0).max(moment.now);
                self.time = Some((begin, moment.at(day_after(date), 0)));
                ("time", date.format("%A").to_string())
            }
        };
        if field == "time" {
            self.kinds = vec![DocumentKind::Event];
        }
        self.taken.push(Taken {
            field,
            label,
            rest: rest(),
        });
    }

    /// Extracts types, neighbourhoods and authors; returns their words, which remain search terms, because documents
    /// contain them.
    fn take_names(
        &mut self,
        text: &str,
        tokens: &[Token],
        is_word: &mut [bool],
        lexicon: &Lexicon,
    ) -> Vec<String> {
        let mut of_names = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let words = |number: usize| {
                let word = tokens.get(at + number).filter(|token| !token.is_literal);
                word.filter(|_| is_word[at + number])
                    .map(|token| token.word.as_str())
            };
            let Some((named, length)) = lexicon.labels().name_at(words) else {
                at += 1;
                continue;
            };
            let is_by = at > 0 && tokens[at - 1].word == "by";
            let slot = match named.field {
                Field::Type => &mut self.type_slug,
                Field::Neighbourhood => &mut self.neighbourhood,
                // A first name alone means an author only after "by".
                Field::Author if is_by || length > 1 => &mut self.author,
                Field::Author => {
                    at += 1;
                    continue;
                }
            };
            let part = at..at + length;
            of_names.extend(tokens[part.clone()].iter().map(|token| token.word.clone()));
            if slot.is_none() {
                *slot = Some(named.slug.clone());
                let label = match named.field {
                    Field::Type => lexicon.labels().type_name(&named.slug),
                    Field::Neighbourhood | Field::Author => &named.name,
                };
                self.taken.push(Taken {
                    field: named.field.as_str(),
                    label: label.to_owned(),
                    rest: rest(text, tokens, &part),
                });
            }
            at += length;
        }
        // "Maren Oyelaran news": articles by her, not about news.
        for (number, token) in tokens.iter().enumerate() {
            if self.author.is_some()
                && matches!(token.word.as_str(), "news" | "article" | "by")
                && !token.is_literal
            {
                is_word[number] = false;
                if token.word != "by" && self.kinds.is_empty() {
                    self.kinds = vec![DocumentKind::Article];
                }
            }
        }
        of_names
    }

    /// Extracts names from a corrected query.
    fn take_misspelt_names(&mut self, lexicon: &Lexicon) {
        if let Some(corrected) = self.query.corrected.clone() {
            let words = tokens(&corrected);
            let mut is_word = vec![true; words.len()];
            let names = self.take_names(&corrected, &words, &mut is_word, lexicon);
            self.query.note_names(&names);
        }
    }

    /// Extracts "free", if the query is about events.
    fn take_free(&mut self, text: &str, tokens: &[Token], is_word: &mut [bool]) {
        let Some(at) = tokens
            .iter()
            .position(|token| token.word == "free" && !token.is_literal)
        else {
            return;
        };
        let before = at.checked_sub(1).map(|before| tokens[before].word.as_str());
        let about_events = self.kinds == [DocumentKind::Event]
            || tokens
                .iter()
                .all(|token| token.word == "free" || EVENT_WORDS.contains(&token.word.as_str()));
        if before.is_some_and(|word| FREE_OF.contains(&word)) || !about_events {
            return;
        }
        is_word[at] = false;
        self.is_free = true;
        self.kinds = vec![DocumentKind::Event];
        self.taken.push(Taken {
            field: "free",
            label: "Free".to_owned(),
            rest: rest(text, tokens, &(at..at + 1)),
        });
    }
}

fn day_after(day: NaiveDate) -> NaiveDate {
    day.checked_add_days(Days::new(1)).unwrap_or(day)
}

impl Moment {
    /// Returns an hour of a day in local time, or the next existing hour if a clock change skips it.
    fn at(self, day: NaiveDate, hour: u32) -> DateTime<Utc> {
        let time = NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default();
        let local = day.and_time(time);
        let tried = [TimeDelta::zero(), TimeDelta::hours(1)];
        let found = tried
            .into_iter()
            .find_map(|later| (local + later).and_local_timezone(self.zone).earliest());
        found.map_or_else(|| local.and_utc(), |at| at.to_utc())
    }

    /// Returns the weekend: from Friday evening, or now if the weekend has begun, to the end of Sunday.
    fn weekend(self, today: NaiveDate) -> (DateTime<Utc>, DateTime<Utc>) {
        let days = i64::from(today.weekday().num_days_from_monday());
        let friday = today + TimeDelta::days(4 - days);
        let begin = self.at(friday, EVENING).max(self.now);
        (begin, self.at(friday + TimeDelta::days(3), 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, HashMap};
    use suggestions::Named;

    fn meaning(text: &str) -> Meaning {
        let words = [
            "bars",
            "coffee",
            "kensington",
            "market",
            "ramen",
            "sunday",
            "pierogi",
        ];
        let words: BTreeMap<String, u64> = words.map(|word| (word.to_owned(), 5)).into();
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
            one(Field::Type, "bars", "Bars"),
            one(Field::Author, "ada-king", "Ada King"),
        ];
        // A Friday, 6:30 p.m. local time.
        let now = "2026-11-27T23:30:00Z".parse().expect("an instant");
        let moment = Moment {
            now,
            zone: chrono_tz::America::Toronto,
        };
        let lexicon = Lexicon::new(words, HashMap::new(), names);
        understand(text, &lexicon, moment, |_| false)
    }

    fn taken(text: &str) -> Vec<String> {
        let taken = meaning(text).taken.into_iter();
        taken
            .map(|one| format!("{}: {} → {}", one.field, one.label, one.rest))
            .collect()
    }

    #[test]
    fn phrases_are_filters_and_no_words_to_look_for() {
        let found = meaning("ramen open now");
        assert!(found.is_open_now);
        assert_eq!(found.query.all().as_deref(), Some("(ramen|noodl)"));
        assert_eq!(taken("ramen open now"), ["open_now: Open now → ramen"]);
        assert!(meaning("coffee near me").is_near);
        assert!(meaning("bars open").is_open_now);
        assert!(!meaning("open mic").is_open_now);
        assert!(!meaning("\"open now\"").is_open_now);
        assert_eq!(meaning("tonight").query.all(), None);
    }

    #[test]
    fn words_of_filters_may_also_be_words_of_a_name() {
        let literal = |text: &str| meaning(text).literally().query.all();
        assert_eq!(
            literal("ramen weekend").as_deref(),
            Some("(ramen|noodl) & (weekend)")
        );
        assert_eq!(literal("free events").as_deref(), Some("(free) & (event)"));
        assert_eq!(meaning("ramen").literal, None);
        assert_eq!(literal("ramen").as_deref(), Some("(ramen|noodl)"));
    }

    #[test]
    fn names_are_filters_by_their_words() {
        let found = meaning("coffee in Kensington");
        assert_eq!(found.neighbourhood.as_deref(), Some("kensington-market"));
        assert_eq!(
            taken("coffee in Kensington"),
            ["neighbourhood: Kensington Market → coffee in"]
        );
        assert_eq!(meaning("bars").type_slug.as_deref(), Some("bars"));
        assert_eq!(
            meaning("articles by ada").author.as_deref(),
            Some("ada-king")
        );
        assert_eq!(meaning("ada").author, None);
        assert_eq!(meaning("brs").type_slug.as_deref(), Some("bars"));
        let misspelt = taken("cofffee kensignton");
        assert_eq!(misspelt, ["neighbourhood: Kensington Market → coffee"]);
    }

    #[test]
    fn a_document_with_a_name_alone_matches_no_other_word() {
        let any = |text: &str| meaning(text).query.any();
        assert_eq!(
            any("pierogi kensington market").as_deref(),
            Some("(pierogi)")
        );
        assert_eq!(any("pierogi kensignton").as_deref(), Some("(pierogi)"));
        assert_eq!(
            any("bars kensington").as_deref(),
            Some("(bar) | (kensington)")
        );
    }

    #[test]
    fn times_are_the_citys() {
        let time = |text: &str| {
            let (from, to) = meaning(text).time?;
            Some(
                [from, to]
                    .map(|at| at.format("%d %H:%M").to_string())
                    .join(" to "),
            )
        };
        assert_eq!(time("tonight").as_deref(), Some("27 23:30 to 28 10:00"));
        assert_eq!(time("today").as_deref(), Some("27 23:30 to 28 05:00"));
        assert_eq!(
            time("events tomorrow").as_deref(),
            Some("28 05:00 to 29 05:00")
        );
        assert_eq!(
            time("this weekend").as_deref(),
            Some("27 23:30 to 30 05:00")
        );
        assert_eq!(
            time("market sunday").as_deref(),
            Some("29 05:00 to 30 05:00")
        );
        assert_eq!(time("pierogi sunday"), None);
    }

    #[test]
    fn free_is_about_events() {
        assert!(meaning("free events").is_free);
        assert!(meaning("free this weekend").is_free);
        assert!(!meaning("gluten free ramen").is_free);
        assert!(!meaning("free ramen").is_free);
    }
}
