//! What suggestions are made from, for processes that answer letters themselves.

use std::sync::Arc;

use chassis::error::{Code, Fault};
use suggestions::{Changes, Labels, Names};

use super::parts::{Revised, current_lexicon, current_names};
use crate::{
    context::Context,
    domain::search::Lexicon,
    store::search::{lexicon, names},
};

/// The revisions of the names and of the labels that a process holds; `None` if it holds none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeldRevisions {
    pub(crate) names: Option<i64>,
    pub(crate) labels: Option<i64>,
}

/// What is new to a process.
#[derive(Debug)]
pub(crate) struct Newer {
    pub(crate) names: NewerNames,
    /// Has the labels.
    pub(crate) lexicon: Arc<Revised<Lexicon>>,
    /// Whether the process does not hold these labels.
    pub(crate) has_labels: bool,
    /// The memory that all names take, in bytes.
    pub(crate) bytes: usize,
}

impl Newer {
    /// All labels, if the process does not hold them.
    pub(crate) fn labels(&self) -> Option<&Labels> {
        self.has_labels.then(|| self.lexicon.labels())
    }
}

/// Names that are new to a process, and the revision with them.
#[derive(Debug)]
pub(crate) enum NewerNames {
    Whole(Arc<Revised<Names>>),
    Changes(i64, Changes),
}

/// What has changed since the revisions that a process holds. [`Code::Unavailable`] while the names are read for the first
/// time.
pub(crate) async fn read_names(context: &Context, held: HeldRevisions) -> Result<Newer, Fault> {
    let lexicon = current_lexicon(&context.lexicon).await?;
    let names = current_names(&context.names).await?;
    let names = names.ok_or_else(|| Fault::new(Code::Unavailable, "The names are being read."))?;
    Ok(Newer {
        has_labels: held.labels != Some(lexicon.revision()),
        lexicon,
        bytes: names.bytes(),
        names: newer_names(context, names, held.names).await?,
    })
}

async fn newer_names(
    context: &Context,
    names: Arc<Revised<Names>>,
    held: Option<i64>,
) -> Result<NewerNames, Fault> {
    let Some(held) = held else {
        return Ok(NewerNames::Whole(names));
    };
    let current = names.revision();
    if held == current {
        return Ok(NewerNames::Changes(held, Changes::new()));
    }
    if held > current {
        // Another process has told it of a change that this one does not know yet. Only a database that was restored from
        // a copy has a lower number itself.
        return Ok(if held > lexicon::revision(&context.pool).await? {
            NewerNames::Whole(names)
        } else {
            NewerNames::Changes(held, Changes::new())
        });
    }
    let changes = names::since(&context.pool, (held, current)).await?;
    Ok(match changes {
        Some(changes) => NewerNames::Changes(current, changes),
        None => NewerNames::Whole(names),
    })
}
