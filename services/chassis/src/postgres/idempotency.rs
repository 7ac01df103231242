//! Idempotency keys: a call with a key stores the key and its response in the transaction of its effect. A repeated
//! call gets the same response, on any process and after any failure; of concurrent calls the first is executed, and
//! the others wait for it.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};

use super::{batches::in_batches, periodic_jobs::PeriodicJobs};
use crate::{
    clock::SharedClock,
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// How long a repeated call is recognised.
const REMEMBERED: TimeDelta = TimeDelta::hours(24);

/// A call that may be repeated. A call without a key is never a repeat.
#[derive(Debug, Clone)]
pub struct Attempt {
    name: Option<String>,
    request: [u8; 32],
}

impl Attempt {
    /// A call, identified by its sender, RPC and key, joined into `name`; `None` or empty if no key was sent. A
    /// repeated call must have an equal `request`, which must not contain the name.
    pub fn new(name: Option<&str>, request: &impl prost::Message) -> Self {
        Self {
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            request: Sha256::digest(request.encode_to_vec()).into(),
        }
    }

    /// The response to an earlier call with this key; `None` if this is the first call. Other calls with this key then
    /// wait here until the transaction ends: committed after [`Attempt::answered`], or rolled back without a trace.
    ///
    /// [`Code::Conflict`] if the key was used with a different request.
    pub async fn begin<A: prost::Message + Default>(
        &self,
        transaction: &mut PgConnection,
        now: DateTime<Utc>,
    ) -> Result<Option<A>, Fault> {
        let Some(name) = &self.name else {
            return Ok(None);
        };
        // A concurrent repeat waits here for the first call's transaction.
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

    /// Stores the response for repeated calls, in the transaction of the effect.
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

/// Deletes keys that are too old for a repeated call; returns how many.
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

/// Runs [`forget_keys`] hourly, until the process stops.
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
