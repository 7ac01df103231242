//! Reads and changes a reader's newsletters.

use chassis::{email::Email, entropy::secret_token};
use chrono::TimeDelta;
use vocabulary::newsletters::Kind;

use super::{absorb_guest, choose, welcome};
use crate::{
    context::Context,
    domain::{Choices, Origin},
    error::Error,
    store::{
        subscribers::{self, Account},
        subscriptions,
    },
};

/// Assumed maximum age of an address in a call: an event about a change since then takes precedence.
const CALL: TimeDelta = TimeDelta::seconds(30);

/// Returns the newsletters of an account, including a guest's choices for its confirmed address.
pub(crate) async fn get_settings(
    context: &Context,
    profile_id: i64,
    verified: Option<&Email>,
) -> Result<Vec<Kind>, Error> {
    let subscriber = subscribers::of_reader(&context.pool, profile_id, verified).await?;
    let Some(subscriber) = subscriber else {
        return Ok(Vec::new());
    };
    Ok(subscriptions::of(&context.pool, subscriber.id).await?)
}

/// Switches newsletters on and off; returns the newsletters that are then on. No newsletters are sent before the
/// address is confirmed.
pub(crate) async fn change_settings(
    context: &Context,
    profile_id: i64,
    (email, is_confirmed): (&Email, bool),
    choices: &Choices,
    origin: &Origin,
) -> Result<Vec<Kind>, Error> {
    let now = context.clock.now();
    let account = Account {
        profile_id,
        email,
        is_confirmed,
        at: now - CALL,
    };
    let token = secret_token(context.entropy.as_ref());
    let mut transaction = context.pool.begin().await?;
    let subscriber = subscribers::enter(&mut transaction, &account, &token, now).await?;
    absorb_guest(&mut transaction, &subscriber).await?;
    choose(context, &mut transaction, &subscriber, choices, origin).await?;
    welcome(context, &mut transaction, &subscriber).await?;
    let on = subscriptions::of(&mut *transaction, subscriber.id).await?;
    context.jobs.commit(transaction).await?;
    Ok(on)
}
