//! The errors of this service.

use chassis::error::Fault;
use tonic::Status;

/// The errors of this service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// There is no campaign of this name.
    #[error("no such campaign")]
    NoCampaign,
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
            Error::NoCampaign => Self::not_found(),
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
