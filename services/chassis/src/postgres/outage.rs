//! Distinguishes outages from defects.

/// Whether an error means that the database is unavailable or busy, rather than that our statement is wrong: the
/// same statement may succeed later.
#[must_use]
pub fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // Connection exceptions, transaction rollbacks (a deadlock), insufficient resources, locks that were not
        // free in time, operator intervention (PostgreSQL, appendix A).
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            let mut codes = ["08", "40", "53", "55P03", "57"].iter();
            codes.any(|begin| code.starts_with(begin))
        }),
        _ => false,
    }
}
