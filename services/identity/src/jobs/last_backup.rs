//! Reports the instant of the last backup as a metric.

use chassis::error::Fault;

use crate::{context::Context, store::last_backup};

/// Reports when the last backup was made, if there is one.
pub(crate) async fn measure_backup(context: &Context) -> Result<u64, Fault> {
    let Some(at) = last_backup::at(&context.pool).await? else {
        return Ok(0);
    };
    #[expect(clippy::cast_precision_loss, reason = "seconds are far below 2^52")]
    metrics::gauge!("backup_last_timestamp_seconds").set(at.timestamp() as f64);
    Ok(1)
}
