//! A reader's private calendar feed: create, show, end, and find by its secret.

use chassis::{entropy, error::Fault};

use super::audit::record;
use crate::{
    context::Context,
    domain::{Act, CalendarFeed, LinkToken},
    error::Error,
    store::{calendar_feeds, profiles},
};

/// A feed with its secret, if the secret can still be derived.
pub(crate) struct ShownFeed {
    pub(crate) secret: Option<String>,
    pub(crate) feed: CalendarFeed,
}

/// The reader's feed, if there is one.
pub(crate) async fn get_feed(
    context: &Context,
    profile_id: i64,
) -> Result<Option<ShownFeed>, Error> {
    let found = calendar_feeds::find(&context.pool, profile_id).await?;
    Ok(found.map(|feed| ShownFeed {
        secret: context.feed_secrets.of(profile_id, &feed),
        feed,
    }))
}

/// Creates the reader's feed, or replaces its secret.
pub(crate) async fn make_feed(context: &Context, profile_id: i64) -> Result<ShownFeed, Error> {
    let nonce = entropy::uuid(context.entropy.as_ref());
    let secret = context.feed_secrets.make(profile_id, nonce);
    let feed = CalendarFeed {
        nonce,
        token_digest: LinkToken::new(&secret).digest().to_vec(),
        created_at: context.clock.now(),
    };
    let mut transaction = context.pool.begin().await?;
    // An erasure may be in progress.
    let held = profiles::lock(&mut transaction, profile_id).await?;
    held.ok_or(Error::NoSession)?;
    calendar_feeds::put(&mut transaction, profile_id, &feed).await?;
    record(context, &mut transaction, profile_id, Act::CalendarFeedMade).await?;
    transaction.commit().await?;
    Ok(ShownFeed {
        secret: Some(secret),
        feed,
    })
}

/// Ends the reader's feed, if there is one.
pub(crate) async fn end_feed(context: &Context, profile_id: i64) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    // Locks the account before the feed, in the same order as an erasure.
    record(
        context,
        &mut transaction,
        profile_id,
        Act::CalendarFeedEnded,
    )
    .await?;
    if calendar_feeds::delete(&mut transaction, profile_id).await? > 0 {
        transaction.commit().await?;
    }
    Ok(())
}

/// The reader whose feed has this secret.
pub(crate) async fn find_feed_reader(context: &Context, secret: &str) -> Result<i64, Error> {
    let token = LinkToken::new(secret);
    let found = calendar_feeds::reader(&context.pool, &token).await?;
    Ok(found.ok_or_else(Fault::not_found)?)
}
