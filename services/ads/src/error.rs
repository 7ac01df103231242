//! This service's errors.

use chassis::error::Fault;
use tonic::Status;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The campaign does not exist.
    #[error("no such campaign")]
    NoCampaign,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
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
