//! Errors of this service.

use chassis::error::Fault;
use tonic::Status;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A link is unknown, used or expired.
    #[error("no such link")]
    NoLink,
    /// The address has neither refused emails nor been suppressed.
    #[error("no such refusal")]
    NoRefusal,
    /// The issue does not exist or is not available for the requested operation.
    #[error("no such issue")]
    NoIssue,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
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
