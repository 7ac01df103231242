//! This service's errors.

use chassis::error::Fault;
use tonic::Status;

use crate::domain::TargetKind;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// This service does not store bookmarks of this kind.
    #[error("no such kind of bookmark")]
    UnknownKind,
    /// The target does not exist or is not published.
    #[error("no such {}", .0.as_str())]
    UnknownTarget(TargetKind),
    /// The record does not exist or belongs to another reader.
    #[error("no such record")]
    NotFound,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// An error of the chassis or of another service.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownKind => Self::invalid_field("kind", error.to_string()),
            Error::UnknownTarget(kind) => {
                Self::invalid_field(kind.field(), "Invalid pk - object does not exist.")
            }
            Error::NotFound => Self::not_found(),
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
