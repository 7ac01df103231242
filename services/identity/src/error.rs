//! The errors of this service.

use chassis::error::{Code, Fault, FieldError};
use tonic::Status;

use crate::google::GoogleError;

/// The errors of this service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The input breaks the rules of these fields.
    #[error("the input is not valid")]
    Invalid(Vec<FieldError>),
    /// The address belongs to an account. Only registration reveals that.
    #[error("the address is taken")]
    EmailTaken,
    /// The address and the password do not match; the same for unknown addresses.
    #[error("wrong address or password")]
    WrongPair,
    /// An operator has disabled the account. Only who knows its password is told.
    #[error("the account is disabled")]
    Disabled,
    /// There is no such session: it never existed, has ended or expired.
    #[error("no session")]
    NoSession,
    /// There is no such mailed link: it never existed, was used or replaced, or has expired.
    #[error("no such link")]
    NoLink,
    /// Google did not do what it was asked for.
    #[error(transparent)]
    Google(#[from] GoogleError),
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
            Error::Invalid(fields) => Self::invalid(fields),
            Error::EmailTaken => Self::invalid_field(
                "email",
                "An account with this email address already exists.",
            ),
            Error::WrongPair => Self::invalid_field(
                "non_field_errors",
                "The email address and the password do not match an account.",
            ),
            Error::Disabled => Self::invalid_field(
                "non_field_errors",
                "This account has been disabled. Please write to us if you think that this is a mistake.",
            ),
            Error::NoSession => Self::new(
                Code::NotAuthenticated,
                "Authentication credentials were not provided.",
            ),
            Error::NoLink => {
                Self::invalid_field("token", "This link has expired, or it was used before.")
            }
            Error::Google(error) => Self::new(Code::Unavailable, error.to_string()),
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
