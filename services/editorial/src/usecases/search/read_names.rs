//! Data for processes that compute suggestions themselves.

use std::sync::Arc;

use chassis::error::{Code, Fault};
use suggestions::{Changes, Labels, Names};

use super::parts::{Revised, current_lexicon, current_names};
use crate::{
    context::Context,
    domain::search::Lexicon,
    store::search::{lexicon, names},
};

/// Revisions of a process's names and labels; `None` if the process does not have any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeldRevisions {
    pub(crate) names: Option<i64>,
    pub(crate) labels: Option<i64>,
}

/// Data that is newer than the process's revisions.
#[derive(Debug)]
pub(crate) struct Newer {
    pub(crate) names: NewerNames,
    /// The lexicon, which contains the labels.
    pub(crate) lexicon: Arc<Revised<Lexicon>>,
    /// Whether the process needs these labels.
    pub(crate) has_labels: bool,
    /// Memory size of all names in bytes.
    pub(crate) bytes: usize,
}

impl Newer {
    /// Returns all labels if the process needs them.
    pub(crate) fn labels(&self) -> Option<&Labels> {
        self.has_labels.then(|| self.lexicon.labels())
    }
}

/// Names that are new to a process, with their revision.
#[derive(Debug)]
pub(crate) enum NewerNames {
    Whole(Arc<Revised<Names>>),
    Changes(i64, Changes),
}

/// Returns the changes since a process's revisions. Fails with [`Code::Unavailable`] while the names are read for the
/// first time.
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
        // The caller has received a later revision than the cached one from another process. If it is later than the
        // database's revision, the database was restored from a backup.
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
