//! A consumer's queue was lost: ask the owner of its events to tell anew.

use std::time::Duration;

use chrono::TimeDelta;
use cityguide_proto::events::v1::Retell;
use sqlx::PgPool;

use super::Outbox;
use crate::{bus::exchange::RETELL, error::Fault, instant};

/// What is told anew must find the queue, which is declared after it has been asked for: longer than
/// the bus may take for that.
const AFTER: Duration = Duration::from_secs(10);
/// Events come a little out of order, by the relay's pauses and by clocks that differ.
const OVERLAP: TimeDelta = TimeDelta::hours(1);

/// Asks, by the consumer's outbox, that what has changed since the last handled event be told anew.
/// `exchange` is the one that `queue` listens to.
pub async fn ask_anew(
    pool: &PgPool,
    outbox: &Outbox,
    queue: &str,
    exchange: &str,
) -> Result<(), Fault> {
    let mut transaction = pool.begin().await?;
    let last = sqlx::query_scalar!("SELECT max(handled_at) FROM inbox WHERE queue = $1", queue)
        .fetch_one(&mut *transaction)
        .await?;
    let request = Retell {
        since: last.map(|last| instant::to_proto(last - OVERLAP)),
    };
    outbox
        .append_for_later(&mut transaction, RETELL, exchange, &request, AFTER)
        .await?;
    outbox.commit(transaction).await?;
    Ok(())
}
