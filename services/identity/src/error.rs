//! This service's errors.

use chassis::error::{Code, Fault, FieldError};
use tonic::Status;

use crate::{
    domain::{MAX_PASSKEYS, Refusal},
    facebook::FacebookError,
    google::GoogleError,
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The input breaks the rules of these fields.
    #[error("the input is not valid")]
    Invalid(Vec<FieldError>),
    /// The address belongs to an account. Only registration reveals this.
    #[error("the address is taken")]
    EmailTaken,
    /// The address and the password do not match; the same for unknown addresses.
    #[error("wrong address or password")]
    WrongPair,
    /// An operator has disabled the account. Only a caller with the right password learns this.
    #[error("the account is disabled")]
    Disabled,
    /// The reader's last proof of identity is too old.
    #[error("no fresh proof")]
    NoFreshProof,
    /// The session does not exist, has ended or has expired.
    #[error("no session")]
    NoSession,
    /// The mailed link does not exist, was used or replaced, or has expired.
    #[error("no such link")]
    NoLink,
    /// The passkey belongs to no enabled account, or the response does not prove that its owner used it.
    #[error("the passkey is not an account's")]
    UnknownPasskey,
    /// The passkey's ceremony belongs to another browser, has expired or was used before.
    #[error("the passkey's ceremony is over")]
    StaleCeremony,
    /// The browser's response does not have the standard's format.
    #[error("the passkey's answer cannot be read")]
    UnreadablePasskey,
    /// The new passkey already belongs to an account.
    #[error("the passkey is known")]
    KnownPasskey,
    /// The account has the maximum number of passkeys.
    #[error("there are too many passkeys")]
    TooManyPasskeys,
    /// Without this passkey or connection, the reader could no longer sign in to the account.
    #[error("it is the last way in")]
    LastWayIn,
    /// An account that is not connected has the address returned by Facebook.
    #[error("an account has the address")]
    AddressTaken,
    /// Facebook returned no address, or an address that is not valid for an account.
    #[error("Facebook tells no address")]
    NoAddress,
    /// The Facebook account is connected to another account, or the account to another Facebook account.
    #[error("the Facebook account is another's")]
    OtherAccount,
    /// Facebook did not identify the person.
    #[error(transparent)]
    Facebook(#[from] FacebookError),
    /// Google did not carry out a request.
    #[error(transparent)]
    Google(#[from] GoogleError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stale => Self::StaleCeremony,
            Refusal::Unreadable => Self::UnreadablePasskey,
            Refusal::Unproven(error) => {
                tracing::info!(%error, "verifying a passkey's response failed");
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
            Error::NoFreshProof => Self::new(
                Code::FreshProofRequired,
                "Log in again first: this changes how your account is accessed.",
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
