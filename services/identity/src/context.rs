//! The state that use cases, consumers and jobs share.

use std::sync::Arc;

use chassis::{
    cache::SharedCache,
    clock::SharedClock,
    entropy::SharedEntropy,
    postgres::{Outbox, jobs::JobQueue},
    sealed::Sealer,
};
use chrono::TimeDelta;
use sqlx::PgPool;

use crate::{
    domain::{FeedSecrets, PasswordHasher, Pseudonyms, RelyingParty, Signer, Site},
    facebook::Facebook,
    google::Google,
};

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    /// The site that writes to readers.
    pub(crate) site: Site,
    pub(crate) jobs: JobQueue,
    pub(crate) outbox: Outbox,
    pub(crate) cache: SharedCache,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) passwords: PasswordHasher,
    pub(crate) feed_secrets: FeedSecrets,
    /// The site as authenticators know it, if browsers offer passkeys to its address.
    pub(crate) relying_party: Option<Arc<RelyingParty>>,
    /// Names readers who have left in the audit log.
    pub(crate) pseudonyms: Pseudonyms,
    /// How long entries of the audit log are kept.
    pub(crate) audit_kept: TimeDelta,
    /// Encrypts the tokens of calendars.
    pub(crate) sealer: Sealer,
    /// Where readers' calendars are, if the site has them.
    pub(crate) google: Option<Google>,
    /// The site's app at Facebook, if it has one.
    pub(crate) facebook: Option<Facebook>,
    /// Signs receipts.
    pub(crate) signer: Arc<Signer>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}
