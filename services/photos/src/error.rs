//! This service's errors.

use chassis::error::{Code, Fault};
use pictures::Refusal;
use tonic::Status;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The photo does not exist, is not visible to this caller, or belongs to another reader.
    #[error("no such photo")]
    NotFound,
    /// The photo was deleted while it was being created, by its reader or with the account.
    #[error("the photo has been deleted")]
    Deleted,
    /// The place does not exist or is not published.
    #[error("no such place")]
    UnknownListing,
    /// The place has closed.
    #[error("the place has closed")]
    ClosedListing,
    /// The file is not an accepted picture.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// An operator has forbidden this reader to upload.
    #[error("the reader may not upload")]
    Banned,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// An error of the chassis, of the blob store or of another service.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound => Self::not_found(),
            Error::Deleted => Self::new(Code::Conflict, "This photo has been deleted."),
            Error::UnknownListing => {
                Self::invalid_field("listing", "Invalid pk - object does not exist.")
            }
            Error::ClosedListing => Self::invalid_field("listing", "This place has closed."),
            Error::Refused(refusal) => Self::invalid_field("image", refusal.to_string()),
            Error::Banned => Self::new(Code::Forbidden, "You cannot upload photos."),
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
