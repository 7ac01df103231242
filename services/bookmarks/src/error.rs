//! What can go wrong here.

use chassis::error::{Code, Fault};
use tonic::Status;

/// The errors of this service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The place is not there, or not published.
    #[error("no such place")]
    UnknownListing,
    /// The record is not there, or somebody else's.
    #[error("no such record")]
    NotFound,
    /// What the database says.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// What a rule of the chassis or another service says.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownListing => {
                Self::invalid_field("listing", "Invalid pk - object does not exist.")
            }
            Error::NotFound => Self::new(Code::NotFound, "Not found."),
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
