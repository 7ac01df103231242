//! The queue of mail: a use case appends a mail in its own transaction; after the commit the relay hands
//! it over, and forgets it only once the mail server has taken it.

mod relay;

use std::sync::Arc;

use sqlx::{PgConnection, Postgres, Transaction};
use tokio::sync::Notify;
use uuid::Uuid;

pub use self::relay::{MailRelay, forget_refused};
use crate::{
    clock::SharedClock,
    entropy::{self, SharedEntropy},
    mail::Mail,
    trace,
};

/// Where use cases put their mail.
#[derive(Clone)]
pub struct MailQueue {
    clock: SharedClock,
    entropy: SharedEntropy,
    wake: Arc<Notify>,
}

impl std::fmt::Debug for MailQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailQueue").finish_non_exhaustive()
    }
}

impl MailQueue {
    /// A queue for one service.
    #[must_use]
    pub fn new(clock: SharedClock, entropy: SharedEntropy) -> Self {
        Self {
            clock,
            entropy,
            wake: Arc::new(Notify::new()),
        }
    }

    /// Appends a mail to the transaction that it reports; answers its id, which its `Message-ID` is
    /// made of.
    pub async fn append(
        &self,
        transaction: &mut PgConnection,
        mail: &Mail,
    ) -> Result<Uuid, sqlx::Error> {
        let id = entropy::uuid(self.entropy.as_ref());
        let reply_to = mail.reply_to.as_ref();
        let now = self.clock.now();
        sqlx::query!(
            "INSERT INTO mails (id, kind, recipient, reply_name, reply_address, subject, body,
                traceparent, created_at, next_attempt_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
            id,
            mail.kind,
            mail.to.to_string(),
            reply_to.and_then(|reply_to| reply_to.name.clone()),
            reply_to.map(|reply_to| reply_to.email.to_string()),
            mail.subject,
            mail.text,
            trace::current(),
            now,
        )
        .execute(transaction)
        .await?;
        Ok(id)
    }

    /// Commits, then wakes the relay of this process.
    pub async fn commit(&self, transaction: Transaction<'_, Postgres>) -> Result<(), sqlx::Error> {
        transaction.commit().await?;
        self.wake.notify_one();
        Ok(())
    }
}
