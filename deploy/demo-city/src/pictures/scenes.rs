//! The scenes that are true to a place or an item, and the choice among them.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::Context;
use serde::Deserialize;

use crate::demo::{lists::Subject, random::Random};

/// Number of neighbours in a list that have different scenes.
pub(super) const WINDOW: usize = 4;
/// Maximum number of rounds of the search.
const ROUNDS: usize = 200;

/// The contents of `scenes.toml`: the scenes of sub-types by type, of sections, and of categories.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Scenes(pub(crate) BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl Scenes {
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(toml::from_str(&text)?)
    }

    /// The scenes of a sub-type of a type of places, or of a section or category of a folder of items.
    pub(crate) fn of(&self, kind: &str, sub_type: &str) -> Vec<&str> {
        let row = self.0.get(kind).and_then(|rows| rows.get(sub_type));
        row.into_iter().flatten().map(String::as_str).collect()
    }
}

/// Chooses one of the possible values (scenes or palettes) of each subject. No value repeats among `WINDOW` neighbours of
/// a list, if the search finds such a choice. Lists contain positions of subjects. The first choice depends on the
/// subject's name.
pub(super) fn choose<'a>(
    subjects: &[Subject<'_>],
    possible: impl Fn(&Subject<'_>) -> Vec<&'a str>,
    lists: &[Vec<usize>],
) -> Vec<Option<&'a str>> {
    let possible: Vec<_> = subjects.iter().map(possible).collect();
    let first = |(subject, values): (&Subject<'_>, &Vec<_>)| {
        (!values.is_empty()).then(|| Random::seeded(&subject.name).pick(values))
    };
    let mut chosen: Vec<_> = subjects.iter().zip(&possible).map(first).collect();
    let neighbours = neighbours(subjects.len(), lists);
    let mut random = Random::seeded("neighbours");
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for (subject, values) in possible.iter().enumerate() {
            let repeats = |value: &str| {
                let others = neighbours[subject].iter();
                others
                    .filter(|other| chosen[**other] == Some(value))
                    .count()
            };
            if chosen[subject].is_none_or(|value| repeats(value) == 0) || values.len() == 1 {
                continue;
            }
            is_done = false;
            let fewest = values.iter().map(|value| repeats(value)).min();
            let best = values.iter().filter(|value| Some(repeats(value)) == fewest);
            let best: Vec<_> = best.copied().collect();
            // Any of the best, so that the search does not return to the same dead end.
            chosen[subject] = Some(random.pick(&best));
        }
        if is_done {
            break;
        }
    }
    chosen
}

/// The neighbours of each subject in all lists.
fn neighbours(count: usize, lists: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for list in lists {
        for (position, subject) in list.iter().enumerate() {
            for other in list[position + 1..].iter().take(WINDOW - 1) {
                neighbours[*subject].push(*other);
                neighbours[*other].push(*subject);
            }
        }
    }
    neighbours
}
