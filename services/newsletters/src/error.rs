//! The errors of this service.

use chassis::error::Fault;
use tonic::Status;

/// The errors of this service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A link is unknown, used up or too old.
    #[error("no such link")]
    NoLink,
    /// An address has not refused to be asked.
    #[error("no such refusal")]
    NoRefusal,
    /// There is no issue of this id that could be cancelled.
    #[error("no such issue")]
    NoIssue,
    /// An error of the database.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// A fault of the chassis's rules.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::NoLink | Error::NoRefusal | Error::NoIssue => Self::not_found(),
            Error::Database(error) => error.into(),
            Error::Fault(fault) => fault,
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        Fault::from(error).into()
    }
}
