//! In-memory parts of the index: the lexicon and the names.

use std::{ops::Deref, sync::Arc, time::Duration};

use chassis::{
    computing::computed,
    error::{Code, Fault},
};
use chrono::{DateTime, Utc};
use sqlx::PgPool;
use suggestions::Names;

use super::cached::{Cached, Part};
use crate::{
    domain::search::Lexicon,
    store::search::{lexicon, names},
};

/// How long a query waits for the first lexicon, which it needs.
const FIRST_LEXICON: Duration = Duration::from_secs(10);
/// How long a suggestion waits for the first names before it continues without them. Must be less than callers' timeout
/// (`rpc.read_timeout_milliseconds`).
const FIRST_NAMES: Duration = Duration::from_millis(300);
/// How long queries and suggestions wait for changes.
const NEWER: Duration = Duration::from_millis(100);

/// Returns the lexicon for interpreting queries.
pub(crate) async fn current_lexicon(
    lexicon: &Cached<Revised<Lexicon>>,
) -> Result<Arc<Revised<Lexicon>>, Fault> {
    let lexicon = lexicon.current(FIRST_LEXICON, NEWER).await?;
    lexicon.ok_or_else(|| Fault::new(Code::Unavailable, "The search is not ready yet."))
}

/// Returns the names for suggestions; `None` while they are read for the first time, which takes seconds for millions
/// of names.
pub(crate) async fn current_names(
    names: &Cached<Revised<Names>>,
) -> Result<Option<Arc<Revised<Names>>>, Fault> {
    names.current(FIRST_NAMES, NEWER).await
}

/// A part, with the revision of the index from which it was read.
#[derive(Debug)]
pub(crate) struct Revised<T> {
    revision: i64,
    /// When PostgreSQL had last analysed the index, if the part contains its statistics.
    analyzed_at: Option<DateTime<Utc>>,
    part: T,
}

impl<T> Revised<T> {
    /// Returns the revision of the index from which the part was read.
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

/// The words and names for correcting and interpreting queries. Words added since the last reading are found, but
/// queries are not corrected to them.
impl Part for Revised<Lexicon> {
    /// Each reading covers the complete lexicon, so without a pause frequent changes of the index would keep the
    /// process busy.
    const RESTS: u32 = 10;

    async fn read(pool: PgPool, held: Option<Arc<Self>>) -> Result<Option<Self>, Fault> {
        let revision = lexicon::revision(&pool).await?;
        let analyzed_at = lexicon::analyzed_at(&pool).await?;
        let current = (revision, analyzed_at);
        if held.is_some_and(|held| (held.revision, held.analyzed_at) == current) {
            return Ok(None);
        }
        let part = lexicon::read(&pool).await?;
        Ok(Some(Self {
            revision,
            analyzed_at,
            part,
        }))
    }
}

/// The names for suggestions.
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
        Ok(Some(Self {
            revision,
            analyzed_at: None,
            part,
        }))
    }
}
