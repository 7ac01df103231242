//! Distinguishes outages from defects.

/// Whether an error means that the database is unavailable, rather than that our statement is wrong.
#[must_use]
pub fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // Connection exceptions, insufficient resources, operator intervention (PostgreSQL,
        // appendix A).
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            ["08", "53", "57"]
                .iter()
                .any(|class| code.starts_with(class))
        }),
        _ => false,
    }
}
