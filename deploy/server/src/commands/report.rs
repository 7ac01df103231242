//! The printed report of an import.

use cityguide_proto::{
    editorial::v1::{self as editorial, Kind},
    intake::v1::{Change, Counts, Refusal},
    places::v1 as places,
};

use super::console::print;
use crate::content::Answers;

/// Refusals that are written out; a broken file would else fill the screen.
const MOST_REFUSALS: usize = 50;

/// The outcome of an input, from either service.
pub(super) struct Report {
    /// The kinds in the order in which they are told.
    counts: Vec<(&'static str, Counts)>,
    refusals: Vec<Refusal>,
    changes: Vec<Change>,
    pub(super) applied: bool,
}

impl From<places::ImportResponse> for Report {
    fn from(answer: places::ImportResponse) -> Self {
        let kinds = [
            ("types", answer.types),
            ("neighbourhoods", answer.neighbourhoods),
            ("places", answer.listings),
            ("best-of lists", answer.best_of_lists),
        ];
        Self {
            counts: kinds
                .into_iter()
                .filter_map(|(what, counts)| Some((what, counts?)))
                .collect(),
            refusals: answer.refusals,
            changes: answer.changes,
            applied: answer.applied,
        }
    }
}

impl From<editorial::ImportResponse> for Report {
    fn from(answer: editorial::ImportResponse) -> Self {
        let counts = answer.kinds.iter().filter_map(|of| {
            let what = match of.kind() {
                Kind::Unspecified => "items",
                Kind::Article => "articles",
                Kind::Event => "events",
                Kind::Contest => "contests",
                Kind::Video => "videos",
                Kind::Page => "pages",
            };
            Some((what, of.counts?))
        });
        Self {
            counts: counts.collect(),
            refusals: answer.refusals,
            changes: answer.changes,
            applied: answer.applied,
        }
    }
}

impl From<Answers> for Report {
    fn from(answers: Answers) -> Self {
        let mut report = Self::from(answers.places);
        let other = Self::from(answers.editorial);
        report.counts.extend(other.counts);
        report.refusals.extend(other.refusals);
        report.changes.extend(other.changes);
        report.applied &= other.applied;
        report
    }
}

impl Report {
    /// Prints the counts of the input's items, and each refusal with its position and reason.
    pub(super) fn print(&self, source: &str) -> Result<(), String> {
        for refusal in self.refusals.iter().take(MOST_REFUSALS) {
            let at = if refusal.position.is_empty() {
                source
            } else {
                &refusal.position
            };
            print(&format!(
                "refused {} at {at}: {}",
                refusal.source_id, refusal.reason
            ))?;
        }
        if let Some(more) = beyond(self.refusals.len(), MOST_REFUSALS) {
            print(&format!("… and {more} more refusals"))?;
        }
        for (what, counts) in &self.counts {
            if total(counts) > 0 {
                let Counts {
                    created,
                    changed,
                    unchanged,
                    refused,
                } = counts;
                print(&format!(
                    "{what}: {} read, {created} created, {changed} changed, {unchanged} unchanged, {refused} refused",
                    total(counts)
                ))?;
            }
        }
        Ok(())
    }

    /// Prints a line for each item that is new or changed, and in what.
    pub(super) fn print_changes(&self) -> Result<(), String> {
        for change in &self.changes {
            let at = if change.position.is_empty() {
                &change.source_id
            } else {
                &change.position
            };
            if change.is_new {
                print(&format!("+ {at}"))?;
            } else {
                print(&format!("~ {at}: {}", change.fields.join(", ")))?;
            }
        }
        let counts = self.counts.iter();
        let all: u32 = counts.map(|(_, of)| of.created + of.changed).sum();
        let all = usize::try_from(all).unwrap_or(usize::MAX);
        if let Some(more) = beyond(all, self.changes.len()) {
            print(&format!("… and {more} more"))?;
        }
        Ok(())
    }
}

fn beyond(all: usize, told: usize) -> Option<usize> {
    all.checked_sub(told).filter(|more| *more > 0)
}

fn total(counts: &Counts) -> u32 {
    counts.created + counts.changed + counts.unchanged + counts.refused
}
