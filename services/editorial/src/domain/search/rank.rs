//! Ranking of candidates.

use std::{cmp::Ordering, collections::HashSet};
use vocabulary::position::Coordinates;

use chrono::{DateTime, Utc};

use suggestions::{DocumentKind, folded};

use super::{meaning::Meaning, query::Term, related, stems};

/// A matching document with the data for its rank.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) kind: DocumentKind,
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) labels: String,
    pub(crate) type_slug: Option<String>,
    pub(crate) neighbourhood: Option<String>,
    pub(crate) is_closed: bool,
    pub(crate) position: Option<Coordinates>,
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) quality: f64,
    /// Whether the document contains each of the query's terms.
    pub(crate) has: Vec<bool>,
    /// Time of an event's next occurrence; `None` if it is over.
    pub(crate) starts_at: Option<DateTime<Utc>>,
}

/// Weights of a term by its location.
const IN_NAME: f64 = 1.0;
const IN_LABELS: f64 = 0.8;
const IN_TEXT: f64 = 0.3;

/// Distance in metres at which the score for proximity falls to about a third, if the query does not ask for nearby
/// places.
const NEAR: f64 = 700.0;
/// Numbers of days until an event and since an article at which the score for timeliness falls to about a third.
const SOON: f64 = 14.0;
const RECENT: f64 = 180.0;

/// The minimum match score of a document that is about the query's words. A document with a lower score only mentions
/// the words.
const ABOUT: f64 = 0.45;

/// Returns the candidates with their distances from the reader, best first. Candidates without at least half of the
/// words are omitted. "Near me" orders by distance, with documents about the words before documents that only mention
/// them.
pub(crate) fn rank(
    candidates: Vec<Candidate>,
    meaning: &Meaning,
    from: Option<Coordinates>,
    now: DateTime<Utc>,
) -> Vec<(Candidate, Option<f64>)> {
    let is_by_distance = meaning.is_near && from.is_some();
    let mut ranked: Vec<Ranked> = candidates
        .into_iter()
        .filter(|candidate| candidate.has_enough(meaning))
        .map(|candidate| {
            let distance = from
                .zip(candidate.position)
                .map(|(from, at)| from.metres_to(at));
            let (matched, score) = score(&candidate, meaning, distance, now);
            Ranked {
                is_about: matched >= ABOUT || meaning.query.terms.is_empty(),
                score,
                candidate,
                distance,
            }
        })
        .collect();
    ranked.sort_by(|one, other| {
        let by_distance = if is_by_distance {
            one.by_distance(other)
        } else {
            Ordering::Equal
        };
        by_distance.then_with(|| one.by_score(other))
    });
    ranked
        .into_iter()
        .map(|one| (one.candidate, one.distance))
        .collect()
}

struct Ranked {
    is_about: bool,
    score: f64,
    candidate: Candidate,
    distance: Option<f64>,
}

impl Ranked {
    /// Orders by distance, with permanently closed places last.
    fn by_distance(&self, other: &Self) -> Ordering {
        let group = |one: &Self| (!one.is_about, one.candidate.is_closed);
        let metres = |one: &Self| one.distance.unwrap_or(f64::INFINITY);
        let groups = group(self).cmp(&group(other));
        groups.then_with(|| metres(self).total_cmp(&metres(other)))
    }

    fn by_score(&self, other: &Self) -> Ordering {
        let scores = other.score.total_cmp(&self.score);
        let key = |one: &Self| (one.candidate.kind, one.candidate.id);
        scores.then_with(|| key(self).cmp(&key(other)))
    }
}

impl Candidate {
    /// Whether the document's kind has authors, if the query contains an author.
    pub(crate) fn may_have_author(&self, meaning: &Meaning) -> bool {
        meaning.author.is_none() || matches!(self.kind, DocumentKind::Article | DocumentKind::Video)
    }

    fn has_enough(&self, meaning: &Meaning) -> bool {
        let needed = meaning.query.terms.iter().zip(&self.has);
        let needed: Vec<bool> = needed
            .filter(|(term, _)| !term.is_filler)
            .map(|(_, has)| *has)
            .collect();
        let found = needed.iter().filter(|has| **has).count();
        2 * found >= needed.len()
    }
}

/// Returns the match of the words, from 0 to 1, and the score.
fn score(
    candidate: &Candidate,
    meaning: &Meaning,
    distance: Option<f64>,
    now: DateTime<Utc>,
) -> (f64, f64) {
    let words = folded(&candidate.name);
    let name: Vec<String> = words.iter().map(|word| stems::stem(word)).collect();
    let labels: HashSet<String> = folded(&candidate.labels)
        .iter()
        .map(|word| stems::stem(word))
        .collect();
    let terms = &meaning.query.terms;
    let matched = matched(candidate, terms, &name, &labels);
    let mut score = 2.0 * matched + likeness(terms, &name);
    if meaning.type_slug.is_some() && meaning.type_slug == candidate.type_slug {
        score += 0.7;
    }
    if meaning.neighbourhood.is_some() && meaning.neighbourhood == candidate.neighbourhood {
        score += 0.6;
    }
    score += 0.4 * candidate.quality;
    score += match candidate.kind {
        DocumentKind::BestOfList
            if terms
                .iter()
                .any(|term| !term.is_filler && in_words(term, &name) > 0.9) =>
        {
            0.5
        }
        DocumentKind::BestOfList => 0.0,
        DocumentKind::Listing => 0.1,
        DocumentKind::Article | DocumentKind::Video => {
            0.2 * fading(days(candidate.published_at, now), RECENT)
        }
        DocumentKind::Event => match candidate.starts_at {
            Some(starts_at) => 0.2 * fading(days(now, starts_at), SOON),
            None => -1.0,
        },
    };
    if candidate.is_closed {
        score -= 0.5;
    }
    if let Some(distance) = distance {
        score += 0.5 * fading(distance, NEAR);
    }
    (matched, score)
}

/// Returns how well the candidate's words match the query, from 0 to 1.
fn matched(
    candidate: &Candidate,
    terms: &[Term],
    name: &[String],
    labels: &HashSet<String>,
) -> f64 {
    let mut sum = 0.0;
    let mut most = 0.0;
    for (term, has) in terms.iter().zip(&candidate.has) {
        // A filler counts a little, as it may be part of the name.
        let weight = if term.is_filler { 0.1 } else { 1.0 };
        most += weight;
        let forms = term.forms.iter().map(|(stems, likeness)| {
            let place = if stems.iter().all(|stem| name.contains(stem)) {
                IN_NAME
            } else if stems
                .iter()
                .all(|stem| labels.contains(stem) || name.contains(stem))
            {
                IN_LABELS
            } else if *has {
                IN_TEXT
            } else {
                0.0
            };
            place * likeness
        });
        sum += weight * forms.fold(0.0, f64::max);
    }
    if most > 0.0 { sum / most } else { 0.0 }
}

/// Returns the similarity between the name and the query.
fn likeness(terms: &[Term], name: &[String]) -> f64 {
    if terms.is_empty() || name.is_empty() {
        return 0.0;
    }
    let counts: Vec<&String> = name
        .iter()
        .filter(|stem| !related::is_filler(stem))
        .collect();
    let covered = counts
        .iter()
        .filter(|stem| terms.iter().any(|term| fits(term, stem)))
        .count();
    #[expect(clippy::cast_precision_loss, reason = "names are short")]
    let part = covered as f64 / counts.len().max(1) as f64;
    let begins =
        terms.len() <= name.len() && terms.iter().zip(name).all(|(term, stem)| fits(term, stem));
    let is_whole = begins && terms.len() == name.len();
    0.3 * part + if begins { 0.25 } else { 0.0 } + if is_whole { 0.6 } else { 0.0 }
}

/// Whether a stem of a name is this term itself, and not only a related word.
fn fits(term: &Term, stem: &str) -> bool {
    let mut forms = term.forms.iter();
    forms.any(|(stems, weight)| *weight > 0.7 && stems.iter().any(|one| one == stem))
}

fn in_words(term: &Term, name: &[String]) -> f64 {
    let forms = term.forms.iter();
    forms
        .filter(|(stems, _)| stems.iter().all(|stem| name.contains(stem)))
        .fold(0.0, |most, (_, weight)| weight.max(most))
}

/// Decays exponentially: 1 at zero, about a third at `scale`, approaching 0.
fn fading(amount: f64, scale: f64) -> f64 {
    (-amount.max(0.0) / scale).exp()
}

fn days(from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
    (to - from).as_seconds_f64() / 86_400.0
}
