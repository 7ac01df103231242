//! The errors of this service.

use chassis::error::{Code, Fault, FieldError};
use tonic::Status;

/// The errors of this service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Nothing published stands there.
    #[error("not found")]
    NotFound,
    /// A filter that cannot be.
    #[error("{field}: {value:?} cannot be")]
    InvalidFilter { field: &'static str, value: String },
    /// Input that breaks the rules named by the fields.
    #[error("the input is not valid")]
    Invalid(Vec<FieldError>),
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
            Error::InvalidFilter { field, value } => Self::invalid_field(
                field,
                format!("Select a valid choice. {value} is not one of the available choices."),
            ),
            Error::Invalid(fields) => Self::invalid(fields),
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
