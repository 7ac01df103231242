//! Reads and changes a recipient's subscriptions, by the token in the links of emails.

use vocabulary::newsletters::Kind;

use super::{choose, welcome};
use crate::{
    context::Context,
    domain::{Choices, Origin, is_token, masked},
    error::Error,
    store::{subscribers, subscriptions},
};

/// A recipient's subscriptions.
#[derive(Debug)]
pub(crate) struct Preferences {
    /// The shortened address.
    pub(crate) address: String,
    pub(crate) on: Vec<Kind>,
}

/// Returns a recipient's subscriptions.
pub(crate) async fn get_preferences(context: &Context, token: &str) -> Result<Preferences, Error> {
    if !is_token(token) {
        return Err(Error::NoLink);
    }
    let subscriber = subscribers::of_token(&context.pool, token).await?;
    let subscriber = subscriber.ok_or(Error::NoLink)?;
    Ok(Preferences {
        address: masked(&subscriber.email),
        on: subscriptions::of(&context.pool, subscriber.id).await?,
    })
}

/// Changes a recipient's subscriptions. A repetition has no effect.
pub(crate) async fn change_preferences(
    context: &Context,
    token: &str,
    choices: &Choices,
    origin: &Origin,
) -> Result<Preferences, Error> {
    if !is_token(token) {
        return Err(Error::NoLink);
    }
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let subscriber = subscribers::lock_token(&mut transaction, token, now).await?;
    let subscriber = subscriber.ok_or(Error::NoLink)?;
    choose(context, &mut transaction, &subscriber, choices, origin).await?;
    welcome(context, &mut transaction, &subscriber).await?;
    let on = subscriptions::of(&mut *transaction, subscriber.id).await?;
    context.jobs.commit(transaction).await?;
    Ok(Preferences {
        address: masked(&subscriber.email),
        on,
    })
}
