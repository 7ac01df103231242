//! The consent ledger: links entries, verifies the chain and shows the data of an address.

use chassis::{email::Email, error::Fault};
use vocabulary::newsletters::Kind;

use crate::{
    context::Context,
    domain::{BEFORE_FIRST, Entry, Link, mailbox},
    error::Error,
    store::{consents, refusals, subscribers, subscriptions, suppressions},
};

/// Number of entries linked per transaction.
const BATCH: i64 = 1_000;
/// Maximum number of entries shown for an address.
const SHOWN: i64 = 1_000;
/// Maximum number of links verified per call.
const FOLLOWED: i64 = 10_000;

/// Links all unlinked entries; returns their number.
pub(crate) async fn link_entries(context: &Context) -> Result<u64, Fault> {
    let mut all = 0;
    loop {
        let mut transaction = context.pool.begin().await?;
        let linked = consents::link(&mut transaction, BATCH).await?;
        transaction.commit().await?;
        all += linked;
        if linked < BATCH.unsigned_abs() {
            return Ok(all);
        }
    }
}

/// The data of an address.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) entries: Vec<Entry>,
    pub(crate) on: Vec<Kind>,
    pub(crate) is_reader: bool,
    pub(crate) is_refused: bool,
    /// Why the address is undeliverable, if it is.
    pub(crate) suppressed: Option<String>,
}

/// Returns the evidence and subscriptions for this address.
pub(crate) async fn show_consents(context: &Context, email: &Email) -> Result<Known, Error> {
    let pool = &context.pool;
    let hash = context.addresses.hash(&email.key());
    let mailbox = context.addresses.hash(&mailbox(email));
    let mut on = Vec::new();
    let found = subscribers::of_address(pool, &email.key()).await?;
    for subscriber in &found {
        on.extend(subscriptions::of(pool, subscriber.id).await?);
    }
    on.sort_unstable();
    on.dedup();
    Ok(Known {
        entries: consents::of_address(pool, &hash, 0, SHOWN).await?,
        on,
        is_reader: found.iter().any(|one| one.profile_id.is_some()),
        is_refused: refusals::has(pool, &mailbox).await?,
        suppressed: suppressions::reason(pool, &hash).await?,
    })
}

/// Allows emails to an address whose owner has refused requests or which was undeliverable.
pub(crate) async fn allow_address(context: &Context, email: &Email) -> Result<(), Error> {
    let mailbox = context.addresses.hash(&mailbox(email));
    let address = context.addresses.hash(&email.key());
    let mut transaction = context.pool.begin().await?;
    let was_refused = refusals::delete(&mut transaction, &mailbox).await?;
    if !suppressions::delete(&mut transaction, &address).await? && !was_refused {
        return Err(Error::NoRefusal);
    }
    transaction.commit().await?;
    Ok(())
}

/// A verified part of the chain.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) entries: i64,
    pub(crate) emptied: i64,
    /// First invalid position.
    pub(crate) broken_at: Option<i64>,
    pub(crate) last: Link,
    pub(crate) is_end: bool,
}

/// Verifies the chain after a link.
pub(crate) async fn verify_consents(context: &Context, from: Link) -> Result<Followed, Error> {
    let links = consents::links_after(&context.pool, from.position, FOLLOWED).await?;
    let mut followed = Followed {
        entries: 0,
        emptied: 0,
        broken_at: None,
        last: from,
        is_end: i64::try_from(links.len()).unwrap_or(FOLLOWED) < FOLLOWED,
    };
    for link in links {
        let expected = followed.last.position + 1;
        let next = if let Some(entry) = &link.entry {
            followed.last.next(entry)
        } else {
            // The content was removed, so its digest is used.
            followed.emptied += 1;
            let digest = link.digest.as_slice().try_into();
            Link {
                position: expected,
                digest: digest.unwrap_or(BEFORE_FIRST),
            }
        };
        if link.position != expected || link.digest != next.digest {
            followed.broken_at = Some(expected);
            return Ok(followed);
        }
        followed.entries += 1;
        followed.last = next;
    }
    Ok(followed)
}
