//! The table `plan_revisions`: the revision of the plan.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

/// The revision of the plan.
#[sql("revisions.get")]
pub(crate) async fn get(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("SELECT revision FROM plan_revisions")
        .fetch_one(pool)
        .await
}

/// Increments the revision of the plan; returns the new revision.
#[sql("revisions.next")]
pub(crate) async fn next(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("UPDATE plan_revisions SET revision = revision + 1 RETURNING revision")
        .fetch_one(connection)
        .await
}
