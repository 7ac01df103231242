//! Links in confirmation emails.

use chassis::{email::Email, entropy::secret_token};
use sqlx::PgConnection;
use vocabulary::newsletters::Kind;

use super::{network, welcome};
use crate::{
    context::Context,
    domain::{Act, LinkToken, masked},
    error::Error,
    store::{
        consents::{self, NewEntry},
        links::{self, Link},
        refusals,
        requests::{self, Request},
        subscribers::{self, Subscriber},
        subscriptions,
    },
};

/// The newsletters that a link confirms.
#[derive(Debug)]
pub(crate) struct Confirmation {
    /// The shortened address.
    pub(crate) address: String,
    pub(crate) kinds: Vec<Kind>,
}

/// Returns the newsletters that a link confirms. Changes nothing, because programs that scan emails also follow links.
pub(crate) async fn get_confirmation(
    context: &Context,
    secret: &str,
) -> Result<Confirmation, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let link = links::find(&context.pool, &token, now).await?;
    let link = link.ok_or(Error::NoLink)?;
    let waiting = requests::waiting(&context.pool, &link.email_key, &link.kinds).await?;
    let address = waiting.first().ok_or(Error::NoLink)?.email.clone();
    let names = waiting.iter().map(|one| one.kind.as_str());
    Ok(confirmation(&address, names))
}

/// Switches on a link's newsletters and marks the link as used.
pub(crate) async fn confirm(context: &Context, secret: &str) -> Result<Confirmation, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let mut transaction = context.pool.begin().await?;
    let link = links::take(&mut transaction, &token, now).await?;
    let Link {
        email_key, kinds, ..
    } = link.ok_or(Error::NoLink)?;
    let requests = requests::take(&mut transaction, &email_key, &kinds).await?;
    let address = requests.first().ok_or(Error::NoLink)?.1.clone();
    let email = Email::parse(&address).map_err(|_| Error::NoLink)?;
    let reader = subscribers::lock_reader(&mut transaction, &email_key).await?;
    let subscriber = if let Some(reader) = reader {
        reader
    } else {
        let token = secret_token(context.entropy.as_ref());
        subscribers::enter_guest(&mut transaction, &email, &token, now).await?
    };
    for (request, _) in &requests {
        switch_on(context, &mut transaction, &subscriber, request).await?;
    }
    welcome(context, &mut transaction, &subscriber).await?;
    context.jobs.commit(transaction).await?;
    let names = requests.iter().map(|(request, _)| request.kind.as_str());
    Ok(confirmation(&address, names))
}

async fn switch_on(
    context: &Context,
    connection: &mut PgConnection,
    subscriber: &Subscriber,
    request: &Request,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let Some(kind) = Kind::named(&request.kind) else {
        return Ok(());
    };
    if !subscriptions::insert(connection, subscriber.id, kind, now).await? {
        return Ok(());
    }
    let entry = NewEntry {
        address: &context.addresses.hash(&subscriber.email_key),
        kind: &request.kind,
        act: Act::Given,
        wording: Some(&request.wording),
        way: &request.way,
        page: &request.page,
        // The network of the confirmation; the network of the form is part of the request.
        network: &network(),
    };
    consents::append(connection, &entry, now).await
}

/// Blocks further confirmation requests to the mailbox.
pub(crate) async fn refuse(context: &Context, secret: &str) -> Result<(), Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let mut transaction = context.pool.begin().await?;
    let link = links::take(&mut transaction, &token, now).await?;
    let link = link.ok_or(Error::NoLink)?;
    requests::delete(&mut transaction, &link.email_key).await?;
    let mailbox = context.addresses.hash(&link.mailbox);
    refusals::insert(&mut transaction, &mailbox, now).await?;
    let entry = NewEntry {
        address: &context.addresses.hash(&link.email_key),
        kind: "",
        act: Act::Refused,
        wording: None,
        way: "form",
        page: "",
        network: &network(),
    };
    consents::append(&mut transaction, &entry, now).await?;
    transaction.commit().await?;
    Ok(())
}

fn confirmation<'a>(address: &str, names: impl Iterator<Item = &'a str>) -> Confirmation {
    let mut kinds: Vec<_> = names.filter_map(Kind::named).collect();
    kinds.sort_unstable();
    Confirmation {
        address: masked(address),
        kinds,
    }
}
