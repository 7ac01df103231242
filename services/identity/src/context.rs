//! The state shared by use cases, consumers and jobs.

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
    register::Register,
};

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    /// The site, as the sender of mails to readers.
    pub(crate) site: Site,
    pub(crate) jobs: JobQueue,
    pub(crate) outbox: Outbox,
    pub(crate) cache: SharedCache,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) passwords: PasswordHasher,
    pub(crate) feed_secrets: FeedSecrets,
    /// The Web Authentication relying party; `None` if browsers do not support passkeys at the site's address.
    pub(crate) relying_party: Option<Arc<RelyingParty>>,
    /// Creates the pseudonyms of departed readers in the audit log.
    pub(crate) pseudonyms: Pseudonyms,
    /// The retention period of audit log entries.
    pub(crate) audit_kept: TimeDelta,
    /// Encrypts calendar tokens.
    pub(crate) sealer: Sealer,
    /// The client for readers' calendars, if configured.
    pub(crate) google: Option<Google>,
    /// The site's Facebook app, if configured.
    pub(crate) facebook: Option<Facebook>,
    /// Signs receipts.
    pub(crate) signer: Arc<Signer>,
    /// The register of erasures, if configured.
    pub(crate) register: Option<Register>,
}

chassis::opaque_debug!(Context);
