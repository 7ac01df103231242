//! Notifies a reader by mail that a photo was refused.

use chassis::postgres;
use cityguide_proto::events::v1::PhotoRefused;
use uuid::Uuid;

use super::post;
use crate::{context::Context, error::Error, store::profiles};

/// Queues the mail, once per message. An unconfirmed address receives no mail, because it may belong to a stranger.
pub(crate) async fn mail_refusal(
    context: &Context,
    (queue, message): (&str, Uuid),
    refused: &PhotoRefused,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    if !postgres::first_time(&mut transaction, queue, message, now).await? {
        return Ok(());
    }
    let profile = profiles::lock(&mut transaction, refused.profile_id).await?;
    if let Some(profile) = profile.filter(|profile| profile.email_verified) {
        let site = &context.site;
        let mail = site.photo_refused(&profile.email, &refused.listing_name, &refused.reason);
        post(context, &mut transaction, mail).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}
