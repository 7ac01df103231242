//! The lexicon that a process holds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chassis::{clock::SharedClock, error::Fault};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;

use crate::{domain::search::Lexicon, store::search::lexicon};

/// How old the lexicon may be. A word that is newer is found all the same, but queries are not corrected to it.
const AGE: TimeDelta = TimeDelta::seconds(1);

#[derive(Debug)]
struct Held {
    revision: i64,
    checked_at: DateTime<Utc>,
    lexicon: Arc<Lexicon>,
}

/// Reads the lexicon when it has changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lexicons {
    held: Arc<Mutex<Option<Held>>>,
    /// Held while one call reads; others go on with what there is.
    reading: Arc<tokio::sync::Mutex<()>>,
}

impl Lexicons {
    /// The words and names of a second ago, at most, unless another call is just reading newer ones.
    pub(crate) async fn current(
        &self,
        pool: &PgPool,
        clock: &SharedClock,
    ) -> Result<Arc<Lexicon>, Fault> {
        let held = self
            .lock()
            .as_ref()
            .map(|held| (held.checked_at, Arc::clone(&held.lexicon)));
        let _reading = match held {
            Some((checked_at, lexicon)) if clock.now() - checked_at < AGE => return Ok(lexicon),
            Some((_, lexicon)) => match self.reading.try_lock() {
                Ok(reading) => reading,
                Err(_) => return Ok(lexicon),
            },
            None => self.reading.lock().await,
        };
        let now = clock.now();
        let revision = lexicon::revision(pool).await?;
        if let Some(held) = self
            .lock()
            .as_mut()
            .filter(|held| held.revision == revision)
        {
            held.checked_at = now;
            return Ok(Arc::clone(&held.lexicon));
        }
        let lexicon = Arc::new(lexicon::read(pool).await?);
        *self.lock() = Some(Held {
            revision,
            checked_at: now,
            lexicon: Arc::clone(&lexicon),
        });
        Ok(lexicon)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
