//! Imports: items arrive on a stream and are stored in one transaction, which commits only when the stream's final
//! message arrives. An import is idempotent by source id and reports every refusal.
//!
//! A service implements [`Intake`] to store its items and update derived data; this module implements the protocol.

mod item;
mod report;

use std::{collections::HashSet, pin::pin};

use async_trait::async_trait;
use cityguide_proto::intake::v1::{Finish, Report as Answer};
use futures::{Stream, StreamExt};
use sqlx::{PgPool, Postgres, Transaction};

pub use item::{Kind, Message, Origin};
pub use report::Outcome;

use crate::{
    error::{Code, Fault},
    postgres::{self, Outbox},
};
use report::Report;

/// The reason that an item is not stored.
#[derive(Debug)]
pub enum Rejection {
    /// The item is refused for this reason; the import continues.
    Refused(String),
    /// The import must be aborted.
    Failed(Fault),
}

impl From<String> for Rejection {
    fn from(reason: String) -> Self {
        Self::Refused(reason)
    }
}

impl<E: Into<Fault>> From<E> for Rejection {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The service-specific part of an import.
#[async_trait]
pub trait Intake: Send {
    /// The kinds of items.
    type Kind: Kind;
    /// A decoded item.
    type Item: Send;

    /// The name of the lock that serialises the service's imports.
    const LOCK: &'static str;

    /// Stores an item. Returns `None` for an item that is deferred and stored together with other items: its outcome is
    /// then recorded later ([`Import::note`]), in [`Intake::flush`] at the latest.
    async fn take(
        &mut self,
        import: &mut Import<Self::Kind>,
        origin: &Origin,
        item: Self::Item,
    ) -> Result<Option<Outcome>, Rejection>;

    /// Stores the deferred items.
    async fn flush(&mut self, import: &mut Import<Self::Kind>) -> Result<(), Fault>;

    /// Before the commit, updates data derived from the changed items and appends the events.
    async fn conclude(self, import: &mut Import<Self::Kind>) -> Result<(), Fault>;
}

/// An import in progress.
#[derive(Debug)]
pub struct Import<K> {
    /// The transaction that contains the whole import.
    pub transaction: Transaction<'static, Postgres>,
    report: Report<K>,
    seen: HashSet<(&'static str, String)>,
}

impl<K: Kind> Import<K> {
    /// Begins an import, after waiting for any other import with the same lock.
    async fn begin(pool: &PgPool, lock: &str) -> Result<Self, Fault> {
        let mut transaction = pool.begin().await?;
        postgres::lock_until_commit(&mut transaction, lock).await?;
        Ok(Self {
            transaction,
            report: Report::default(),
            seen: HashSet::new(),
        })
    }

    /// Records an item's source id; returns false if this input already contained it.
    pub fn see(&mut self, kind: K, source_id: &str) -> bool {
        self.seen.insert((kind.namespace(), source_id.to_owned()))
    }

    /// Whether this input has contained an item with this source id so far.
    #[must_use]
    pub fn has_seen(&self, kind: K, source_id: &str) -> bool {
        self.seen
            .contains(&(kind.namespace(), source_id.to_owned()))
    }

    /// Records the outcome of a deferred item.
    pub fn note(&mut self, kind: K, origin: Origin, outcome: Outcome) {
        self.report.note(kind, origin, outcome);
    }

    /// Records that a deferred item is refused for this reason.
    pub fn refuse(&mut self, kind: K, origin: Origin, reason: String) {
        self.report.refuse(kind, origin, reason);
    }

    /// Whether items of a kind were created or changed.
    #[must_use]
    pub fn has_written(&self, kind: K) -> bool {
        self.report.written(kind) > 0
    }

    async fn take<I: Intake<Kind = K>>(
        &mut self,
        intake: &mut I,
        (kind, origin): (K, Origin),
        item: Result<I::Item, String>,
    ) -> Result<(), Fault> {
        let taken = match item {
            Ok(_) if kind.is_told_apart() && !self.see(kind, &origin.source_id) => {
                let reason = "the same source id came before in this input";
                Err(Rejection::Refused(reason.to_owned()))
            }
            Ok(item) => intake.take(self, &origin, item).await,
            Err(reason) => Err(Rejection::Refused(reason)),
        };
        match taken {
            Ok(Some(outcome)) => self.report.note(kind, origin, outcome),
            Ok(None) => {}
            Err(Rejection::Refused(reason)) => self.report.refuse(kind, origin, reason),
            Err(Rejection::Failed(fault)) => return Err(fault),
        }
        Ok(())
    }

    /// Commits, unless the sender requested a dry run or more items were refused than the sender allows.
    async fn finish<I: Intake<Kind = K>>(
        mut self,
        mut intake: I,
        finish: Finish,
        outbox: &Outbox,
    ) -> Result<Answer, Fault> {
        intake.flush(&mut self).await?;
        let allowed = if finish.all_or_nothing {
            0
        } else {
            finish.refuse_at_most.unwrap_or(u32::MAX)
        };
        if finish.dry_run || self.report.refused() > allowed {
            self.transaction.rollback().await?;
            return Ok(self.report.answer(false));
        }
        intake.conclude(&mut self).await?;
        outbox.commit(self.transaction).await?;
        Ok(self.report.answer(true))
    }
}

/// Imports the items of a stream of messages, each decoded by `read`. A stream that does not end with
/// [`Message::Finish`] changes nothing.
pub async fn import<I: Intake, M, E: Into<Fault>>(
    pool: &PgPool,
    outbox: &Outbox,
    mut intake: I,
    messages: impl Stream<Item = Result<M, E>>,
    read: fn(M) -> Message<I::Kind, I::Item>,
) -> Result<Answer, Fault> {
    let mut import = Import::begin(pool, I::LOCK).await?;
    let mut messages = pin!(messages);
    while let Some(message) = messages.next().await {
        match read(message.map_err(Into::into)?) {
            Message::Item { kind, origin, item } => {
                import.take(&mut intake, (kind, origin), item).await?;
            }
            Message::Finish(finish) => return import.finish(intake, finish, outbox).await,
        }
    }
    let why = "the import ended before its last message";
    Err(Fault::new(Code::Invalid, why))
}
