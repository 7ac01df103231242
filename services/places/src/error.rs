//! The errors of this service.

use chassis::error::{Code, Fault};
use tonic::Status;

/// The errors of this service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Nothing published stands there.
    #[error("not found")]
    NotFound,
    /// A filter names a slug that nothing has.
    #[error("{field}: {slug:?} is not known")]
    UnknownSlug { field: &'static str, slug: String },
    /// An import broke off before its end: nothing of it was taken.
    #[error("the import ended before its last message")]
    Unfinished,
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
            Error::NotFound => Self::new(Code::NotFound, "Not found."),
            Error::UnknownSlug { field, slug } => Self::invalid_field(
                field,
                format!("Select a valid choice. {slug} is not one of the available choices."),
            ),
            Error::Unfinished => Self::new(Code::Invalid, error.to_string()),
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
