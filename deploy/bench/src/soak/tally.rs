//! The answers that visitors got.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;

/// Stands for a connection that the site closed without an answer.
pub(super) const CLOSED: u16 = 0;
/// Unexpected answers that are told one by one.
const EXAMPLES: usize = 20;

/// Counts answers by kind of visitor and by status.
#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    answers: BTreeMap<&'static str, BTreeMap<u16, u64>>,
    unexpected: u64,
    examples: Vec<String>,
}

/// The answers to one kind of visitor.
#[derive(Debug, Serialize)]
pub(crate) struct Answers {
    kind: &'static str,
    /// By status; `closed` for connections that ended without one.
    statuses: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts an answer; one of another status than these is told at the end.
    pub(super) fn note(&self, kind: &'static str, status: u16, expected: &[u16], what: &str) {
        let mut counts = self.counts();
        let answers = counts.answers.entry(kind).or_default();
        *answers.entry(status).or_default() += 1;
        if !expected.contains(&status) {
            counts.tell(format!("{kind}: {what} was answered {}", name(status)));
        }
    }

    /// Counts a visit that broke off.
    pub(super) fn fail(&self, kind: &'static str, error: &anyhow::Error) {
        self.counts().tell(format!("{kind}: {error:#}"));
    }

    /// The number of answers so far.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub(super) fn total(&self) -> f64 {
        let counts = self.counts();
        let each = counts.answers.values().flat_map(BTreeMap::values);
        each.sum::<u64>() as f64
    }

    pub(super) fn answers(&self) -> Vec<Answers> {
        let counts = self.counts();
        let each = counts.answers.iter().map(|(kind, statuses)| Answers {
            kind,
            statuses: statuses
                .iter()
                .map(|(status, number)| (name(*status), *number))
                .collect(),
        });
        each.collect()
    }

    /// The number of answers that should not have been, and the first of them.
    pub(super) fn unexpected(&self) -> (u64, Vec<String>) {
        let counts = self.counts();
        (counts.unexpected, counts.examples.clone())
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn tell(&mut self, what: String) {
        self.unexpected += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(what);
        }
    }
}

fn name(status: u16) -> String {
    if status == CLOSED {
        "closed".to_owned()
    } else {
        status.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_nobody_expects_is_counted_and_told() {
        let tally = Tally::default();
        tally.note("pages", 200, &[200, 304], "/");
        tally.note("pages", 503, &[200, 304], "/a");
        tally.note("half a head", CLOSED, &[CLOSED], "");
        tally.fail("pages", &anyhow::anyhow!("it broke off"));
        let (unexpected, examples) = tally.unexpected();
        assert_eq!(unexpected, 2);
        assert_eq!(
            examples,
            ["pages: /a was answered 503", "pages: it broke off"]
        );
        let answers = tally.answers();
        let statuses: Vec<_> = answers.iter().map(|one| one.statuses.clone()).collect();
        let expected = |pairs: &[(&str, u64)]| -> BTreeMap<String, u64> {
            let owned = pairs
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count));
            owned.collect()
        };
        assert_eq!(
            statuses,
            [
                expected(&[("closed", 1)]),
                expected(&[("200", 1), ("503", 1)])
            ]
        );
        assert!((tally.total() - 3.0).abs() < f64::EPSILON);
    }
}
