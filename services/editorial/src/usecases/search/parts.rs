//! The parts of the index that a process holds: the lexicon and the names.

use std::{ops::Deref, sync::Arc, time::Duration};

use chassis::{
    computing::computed,
    error::{Code, Fault},
};
use sqlx::PgPool;
use suggestions::Names;

use super::cached::{Cached, Part};
use crate::{
    domain::search::Lexicon,
    store::search::{lexicon, names},
};

/// How long a query waits for the first lexicon, without which it cannot be understood.
const FIRST_LEXICON: Duration = Duration::from_secs(10);
/// How long a letter waits for the first names; then it is answered without. Less than callers wait for an answer
/// (`rpc.read_timeout_milliseconds`).
const FIRST_NAMES: Duration = Duration::from_millis(300);
/// How long either waits for what has changed.
const NEWER: Duration = Duration::from_millis(100);

/// The lexicon that queries are understood by.
pub(crate) async fn current_lexicon(
    lexicon: &Cached<Revised<Lexicon>>,
) -> Result<Arc<Revised<Lexicon>>, Fault> {
    let lexicon = lexicon.current(FIRST_LEXICON, NEWER).await?;
    lexicon.ok_or_else(|| Fault::new(Code::Unavailable, "The search is not ready yet."))
}

/// The names that suggestions are made from: none while they are read for the first time, which takes seconds where there are
/// millions.
pub(crate) async fn current_names(
    names: &Cached<Revised<Names>>,
) -> Result<Option<Arc<Revised<Names>>>, Fault> {
    names.current(FIRST_NAMES, NEWER).await
}

/// A part as of a revision of the index.
#[derive(Debug)]
pub(crate) struct Revised<T> {
    revision: i64,
    part: T,
}

impl<T> Revised<T> {
    /// The revision of the index that it is as of.
    pub(crate) fn revision(&self) -> i64 {
        self.revision
    }
}

impl<T> Deref for Revised<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.part
    }
}

/// The words and names that queries are corrected with and understood by. A word that is newer is found all the same, but
/// queries are not corrected to it.
impl Part for Revised<Lexicon> {
    /// It is read as a whole, so that much work on the index would keep the process busy with reading it.
    const RESTS: u32 = 10;

    async fn read(pool: PgPool, held: Option<Arc<Self>>) -> Result<Option<Self>, Fault> {
        let revision = lexicon::revision(&pool).await?;
        if held.is_some_and(|held| held.revision == revision) {
            return Ok(None);
        }
        let part = lexicon::read(&pool).await?;
        Ok(Some(Self { revision, part }))
    }
}

/// The names that suggestions are made from.
impl Part for Revised<Names> {
    const RESTS: u32 = 0;

    async fn read(pool: PgPool, held: Option<Arc<Self>>) -> Result<Option<Self>, Fault> {
        let revision = lexicon::revision(&pool).await?;
        let changes = match held.as_ref() {
            None => None,
            Some(held) if held.revision == revision && !held.has_next() => return Ok(None),
            Some(held) => names::since(&pool, (held.revision, revision)).await?,
        };
        let mut part = if let Some((held, changes)) = held.zip(changes) {
            computed("a change of names", move || held.changed(changes)).await?
        } else {
            let builder = names::all(&pool).await?;
            computed("the sorting of names", move || Names::new(builder)).await?
        };
        if let Some(rebuilding) = part.start_next() {
            tokio::task::spawn_blocking(move || rebuilding.run());
        }
        #[expect(clippy::cast_precision_loss, reason = "gauges")]
        {
            metrics::gauge!("search_names").set(part.len() as f64);
            metrics::gauge!("search_names_bytes").set(part.bytes() as f64);
        }
        Ok(Some(Self { revision, part }))
    }
}
