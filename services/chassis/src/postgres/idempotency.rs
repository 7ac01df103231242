//! Idempotency keys: a call that carries one stores it, with its answer, in the
//! transaction of its effect. A repeat gets the same answer, whichever process it reaches and whatever has
//! failed since; of parallel calls the first is carried out, and the others wait for it.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};

use super::{batches::in_batches, periodic_jobs::PeriodicJobs};
use crate::{
    clock::SharedClock,
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// A repeat within this time is recognised.
const REMEMBERED: TimeDelta = TimeDelta::hours(24);

/// A call that may be repeated. Without a key it is always the first.
#[derive(Debug, Clone)]
pub struct Attempt {
    name: Option<String>,
    request: [u8; 32],
}

impl Attempt {
    /// A call, named by its sender, the RPC and the key together; `None` or empty if no key was sent. A
    /// repeat must have an equal `request`, which must not contain the name.
    pub fn new(name: Option<&str>, request: &impl prost::Message) -> Self {
        Self {
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            request: Sha256::digest(request.encode_to_vec()).into(),
        }
    }

    /// The answer that a call with this key got before; `None` if this is the first. In that case other calls
    /// with this key wait here until the transaction ends: after [`Attempt::answered`], or by a rollback,
    /// which leaves no trace.
    ///
    /// [`Code::Conflict`] if the key came with another request before.
    pub async fn begin<A: prost::Message + Default>(
        &self,
        transaction: &mut PgConnection,
        now: DateTime<Utc>,
    ) -> Result<Option<A>, Fault> {
        let Some(name) = &self.name else {
            return Ok(None);
        };
        // A parallel repeat waits here for the first one's transaction.
        let is_first = sqlx::query!(
            "INSERT INTO idempotency_keys AS k (name, request, answer, created_at)
             VALUES ($1, $2, '', $3)
             ON CONFLICT (name) DO UPDATE SET
                request = excluded.request, answer = excluded.answer, created_at = excluded.created_at
             WHERE k.created_at <= $4",
            name,
            &self.request,
            now,
            now - REMEMBERED,
        )
        .execute(&mut *transaction)
        .await?
        .rows_affected()
            == 1;
        if is_first {
            return Ok(None);
        }
        let known = sqlx::query!(
            "SELECT request, answer FROM idempotency_keys WHERE name = $1",
            name
        )
        .fetch_one(transaction)
        .await?;
        if known.request != self.request {
            let message = "This Idempotency-Key came with another request before.";
            return Err(Fault::new(Code::Conflict, message));
        }
        let answer = A::decode(known.answer.as_slice()).map_err(|error| {
            let message = format!("an answer under an idempotency key cannot be read: {error}");
            Fault::new(Code::Internal, message)
        })?;
        Ok(Some(answer))
    }

    /// Stores the answer that repeats get, in the transaction of the effect.
    pub async fn answered(
        &self,
        transaction: &mut PgConnection,
        answer: &impl prost::Message,
    ) -> Result<(), sqlx::Error> {
        let Some(name) = &self.name else {
            return Ok(());
        };
        sqlx::query!(
            "UPDATE idempotency_keys SET answer = $2 WHERE name = $1",
            name,
            answer.encode_to_vec(),
        )
        .execute(transaction)
        .await?;
        Ok(())
    }
}

/// Deletes keys that are too old for a repeat; returns how many.
pub async fn forget_keys(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let before = now - REMEMBERED;
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM idempotency_keys WHERE created_at <= $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Deletes them every hour, until the process stops.
pub fn forget_keys_hourly(
    life: &Lifecycle,
    jobs: &PeriodicJobs,
    pool: &PgPool,
    clock: &SharedClock,
) {
    let context = (pool.clone(), clock.clone());
    jobs.hourly(
        life,
        "forget idempotency keys",
        &context,
        async |(pool, clock): &(PgPool, SharedClock)| forget_keys(pool, clock.now()).await,
    );
}
