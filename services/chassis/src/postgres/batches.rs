//! Deletes an unknown number of rows in bounded statements, so that no statement holds locks or a connection for long.

use crate::error::Fault;

/// The maximum number of rows per statement.
const BATCH: u64 = 5_000;

/// Repeats a statement that deletes at most the given number of rows and returns how many it deleted, until it deletes
/// fewer; returns the total.
pub async fn in_batches<F>(delete: impl Fn(i64) -> F) -> Result<u64, Fault>
where
    F: Future<Output = Result<u64, sqlx::Error>>,
{
    let mut all = 0;
    loop {
        let deleted = delete(BATCH.cast_signed()).await?;
        all += deleted;
        if deleted < BATCH {
            return Ok(all);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn no_statement_deletes_more_than_a_batch() {
        let left = Mutex::new(2 * BATCH + 1);
        let statements = Mutex::new(0);
        let deleted = in_batches(|most| {
            let mut left = left.lock().expect("no panic");
            let deleted = (*left).min(most.cast_unsigned());
            *left -= deleted;
            *statements.lock().expect("no panic") += 1;
            std::future::ready(Ok(deleted))
        })
        .await;
        assert_eq!(deleted.expect("deletes"), 2 * BATCH + 1);
        assert_eq!(*statements.lock().expect("no panic"), 3);
    }
}
