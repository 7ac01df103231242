//! Types and rules of accounts and sessions.

mod password;
mod profile;
mod registration;
mod session;

pub(crate) use password::PasswordHasher;
pub(crate) use profile::{LastUpdate, Profile};
pub(crate) use registration::{Registration, check_sign_in};
pub(crate) use session::{CAP, IDLE, SessionToken, TOUCH_AFTER};
