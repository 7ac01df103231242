//! Distinguishes outages from defects.

/// Whether the database is unavailable or busy, so that a retry of the same statement may succeed.
#[must_use]
pub fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // Connection exceptions, transaction rollbacks (a deadlock), insufficient resources, lock timeouts, operator
        // intervention (PostgreSQL, appendix A).
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            let mut codes = ["08", "40", "53", "55P03", "57"].iter();
            codes.any(|begin| code.starts_with(begin))
        }),
        _ => false,
    }
}

/// The SQLSTATE of the trigger `refuse_erased_reader` (`migrations/erased`).
const ERASED_READER: &str = "CG001";

/// Whether the trigger `refuse_erased_reader` has refused a row.
pub(crate) fn is_of_erased_reader(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    error.is_some_and(|error| error.code().as_deref() == Some(ERASED_READER))
}
