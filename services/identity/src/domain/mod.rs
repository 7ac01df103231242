//! Types and rules of accounts and sessions.

mod access;
mod account;
mod audit;
mod calendar;
mod calendar_feed;
mod device;
mod facebook;
mod letters;
mod mailed_link;
mod oauth;
mod passkey;
mod password;
mod password_reset;
mod profile;
mod receipt;
mod registration;
mod session;
mod signature;

pub(crate) use access::{Access, AccessChoice};
pub(crate) use account::SupportView;
pub(crate) use audit::{Act, AuditCursor, AuditEntry, MAX_ENTRIES, MAX_NETWORKS, Pseudonyms, hour};
pub(crate) use calendar::{
    AUTHORIZATION_KEPT, CHECKED_FOR, Entry, Grant, MAX_WRITTEN_AGAIN, REMOVAL_KEPT, RevokeJob,
    SaveJob, SyncJob, TOKEN_MARGIN, Tokens, google_id, state_digest,
};
pub(crate) use calendar_feed::{CalendarFeed, FeedSecrets};
pub(crate) use device::device_name;
pub(crate) use facebook::{
    BegunLogin, Connection, DELETION_KEPT, DeletionOutcome, DeletionRequest, DisconnectJob,
    FacebookId, LoginOutcome, LoginStates, Person, Return,
};
pub(crate) use letters::Site;
pub(crate) use mailed_link::{LinkToken, MAX_LINKS, Purpose, RESET_AGAIN_AFTER};
pub(crate) use oauth::{ConsentPage, LIFETIME, MAX_BEGUN, Outcome};
pub(crate) use passkey::{
    Answer, Begun, Claim, Credential, MAX_PASSKEYS, Made, Passkey, Refusal, RelyingParty, Used,
    User,
};
pub(crate) use password::{Fit, PasswordHasher, check_new};
pub(crate) use password_reset::PasswordReset;
pub(crate) use profile::{Change, LastUpdate, Profile};
pub use receipt::RepeatErasure;
pub(crate) use receipt::{
    EraseJob, Erasure, Kept, KeptEntries, Pass, RECEIPT_KEPT, RegisterErasure, Statement,
};
pub(crate) use registration::{Newcomer, Registration, check_sign_in};
pub(crate) use session::{
    Account, CAP, IDLE, MAX_SESSIONS, OpenSession, Proofs, SessionToken, TOUCH_AFTER,
};
pub(crate) use signature::{Signed, Signer};
