//! Handles a reader's confirmation of an address.

use chassis::{email::Email, entropy::secret_token, error::Fault, instant, postgres};
use cityguide_proto::events::v1::ProfileChanged;
use uuid::Uuid;

use super::{absorb_guest, welcome};
use crate::{
    context::Context,
    store::subscribers::{self, Account},
};

/// Changes the address to which the reader's newsletters are sent, and merges a guest's subscriptions for this address;
/// once per event.
pub(crate) async fn address_confirmed(
    context: &Context,
    (queue, event_id): (&str, Uuid),
    change: &ProfileChanged,
) -> Result<(), Fault> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    if !postgres::first_time(&mut transaction, queue, event_id, now).await? {
        return Ok(());
    }
    let at = change.at.as_ref().and_then(instant::from_proto);
    if let (Ok(email), Some(at)) = (Email::parse(&change.verified_email), at) {
        let account = Account {
            profile_id: change.profile_id,
            email: &email,
            is_confirmed: true,
            at,
        };
        let reader = subscribers::lock_profile(&mut transaction, change.profile_id).await?;
        let guest = subscribers::lock_guest(&mut transaction, &email.key()).await?;
        if reader.is_some() || guest.is_some() {
            subscribers::move_to(&mut transaction, &account).await?;
            let token = secret_token(context.entropy.as_ref());
            let subscriber = subscribers::enter(&mut transaction, &account, &token, now).await?;
            absorb_guest(&mut transaction, &subscriber).await?;
            welcome(context, &mut transaction, &subscriber).await?;
        }
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}
