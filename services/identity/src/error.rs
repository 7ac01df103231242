//! The errors of this service.

use chassis::error::{Code, Fault, FieldError};
use tonic::Status;

use crate::{
    domain::{MAX_PASSKEYS, Refusal},
    facebook::FacebookError,
    google::GoogleError,
};

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
    /// A passkey that no account has, or no enabled one; or an answer that does not prove that its owner has used it.
    #[error("the passkey is not an account's")]
    UnknownPasskey,
    /// A passkey's ceremony that is not this browser's, has expired or was used before.
    #[error("the passkey's ceremony is over")]
    StaleCeremony,
    /// An answer of a browser that is not in the form that the standard gives.
    #[error("the passkey's answer cannot be read")]
    UnreadablePasskey,
    /// A new passkey that an account has already.
    #[error("the passkey is known")]
    KnownPasskey,
    /// An account with as many passkeys as one may have.
    #[error("there are too many passkeys")]
    TooManyPasskeys,
    /// A passkey or a connection without which nobody could sign in to its account.
    #[error("it is the last way in")]
    LastWayIn,
    /// An account that is not connected has the address that Facebook tells.
    #[error("an account has the address")]
    AddressTaken,
    /// Facebook tells no address, or none that an account can have.
    #[error("Facebook tells no address")]
    NoAddress,
    /// The Facebook account belongs to another account, or the account is connected with another one.
    #[error("the Facebook account is another's")]
    OtherAccount,
    /// Facebook did not tell who somebody is.
    #[error(transparent)]
    Facebook(#[from] FacebookError),
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

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stale => Self::StaleCeremony,
            Refusal::Unreadable => Self::UnreadablePasskey,
            Refusal::Unproven(error) => {
                tracing::info!(%error, "the answer of a passkey does not verify");
                Self::UnknownPasskey
            }
        }
    }
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
            Error::UnknownPasskey => Self::invalid_field(
                "non_field_errors",
                "This passkey does not belong to an account here.",
            ),
            Error::StaleCeremony => Self::invalid_field(
                "non_field_errors",
                "This took too long, or it was done before. Please try again.",
            ),
            Error::UnreadablePasskey => {
                Self::invalid_field("credential", "This is not the answer of a passkey.")
            }
            Error::KnownPasskey => Self::invalid_field(
                "non_field_errors",
                "This passkey belongs to an account already.",
            ),
            Error::TooManyPasskeys => Self::invalid_field(
                "non_field_errors",
                format!("An account can have {MAX_PASSKEYS} passkeys. Remove one first."),
            ),
            Error::LastWayIn => Self::invalid_field(
                "non_field_errors",
                "This is your only way to log in. Set a password or add a passkey first.",
            ),
            Error::AddressTaken => Self::new(
                Code::Conflict,
                "An account with this email address already exists. Log in to it, then connect Facebook in your \
                 profile.",
            ),
            Error::NoAddress => Self::invalid_field(
                "non_field_errors",
                "Facebook did not tell us your email address. Sign up with your email address instead.",
            ),
            Error::OtherAccount => Self::new(
                Code::Conflict,
                "This Facebook account belongs to another account here, or your account is connected with another one.",
            ),
            Error::Facebook(FacebookError::Refused) => Self::invalid_field(
                "fb_token",
                "Facebook does not confirm this log-in. Please try again.",
            ),
            Error::Facebook(FacebookError::NoAnswer(why)) => Self::new(Code::Unavailable, why),
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
