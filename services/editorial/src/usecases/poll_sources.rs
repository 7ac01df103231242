//! Leases and results of scheduled polls.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use uuid::Uuid;

use crate::{
    context::Context,
    domain::polling::{Configured, Lease, Poll, SourceState},
    store::sources,
};

/// Maximum number of sources of a site.
const MAX_SOURCES: usize = 200;
/// Maximum duration of a lease.
const MAX: TimeDelta = TimeDelta::hours(1);
/// Maximum time until the next poll.
const MAX_PAUSE: TimeDelta = TimeDelta::days(31);
/// Maximum length of a name, header or digest, in bytes.
const MAX_TEXT: usize = 1_024;

/// Leases the source that has been due longest; `None` if no source is due or all are leased.
pub(crate) async fn lease(
    context: &Context,
    configured: &[Configured],
    seconds: u32,
    is_forced: bool,
) -> Result<Option<Lease>, Fault> {
    if configured.len() > MAX_SOURCES {
        let message = format!("A site has {MAX_SOURCES} sources at most.");
        return Err(Fault::new(Code::Invalid, message));
    }
    let is_long = |text: &str| text.is_empty() || text.len() > MAX_TEXT;
    if configured
        .iter()
        .any(|one| is_long(&one.name) || is_long(&one.config))
    {
        return Err(Fault::new(Code::Invalid, "A name or a digest is too long."));
    }
    let now = context.clock.now();
    let until = now + TimeDelta::seconds(seconds.into()).min(MAX);
    sources::see(&context.pool, configured, now).await?;
    Ok(sources::lease(&context.pool, configured, [now, until], is_forced).await?)
}

/// Ends a lease. Without a result, the source remains due as before.
pub(crate) async fn record(
    context: &Context,
    (name, lease): (&str, Uuid),
    poll: Option<Poll>,
    next_in_seconds: u32,
) -> Result<(), Fault> {
    let was_ours = match poll {
        None => sources::release(&context.pool, name, lease).await?,
        Some(poll) => {
            let headers = [&poll.etag, &poll.last_modified, &poll.digest, &poll.reason];
            if headers
                .iter()
                .any(|text| text.len() > MAX_TEXT || text.contains('\0'))
            {
                return Err(Fault::new(Code::Invalid, "A text of a poll is too long."));
            }
            let now = context.clock.now();
            let next = now + TimeDelta::seconds(next_in_seconds.into()).min(MAX_PAUSE);
            sources::record(&context.pool, (name, lease), &poll, [now, next]).await?
        }
    };
    if was_ours {
        Ok(())
    } else {
        let message = "The turn has expired, and another has begun.";
        Err(Fault::new(Code::Conflict, message))
    }
}

pub(crate) async fn list(context: &Context) -> Result<Vec<SourceState>, Fault> {
    Ok(sources::list(&context.pool).await?)
}
