//! Use cases, one file each. A change has its own transaction.

pub(crate) mod address_confirmed;
pub(crate) mod archive;
pub(crate) mod ask_to_confirm;
pub(crate) mod clicks;
pub(crate) mod compose;
pub(crate) mod confirm;
pub(crate) mod erase_reader;
pub(crate) mod evidence;
pub(crate) mod export_reader;
pub(crate) mod import_issue;
pub(crate) mod issues;
pub(crate) mod list_recipients;
mod personal;
pub(crate) mod preferences;
pub(crate) mod purge;
pub(crate) mod report;
pub(crate) mod returned;
pub(crate) mod send;
pub(crate) mod settings;
pub(crate) mod subscribe;
pub(crate) mod third_parties;
pub(crate) mod timetable;

use chassis::{actor::Actor, mail::Mail};
use sqlx::PgConnection;
use vocabulary::newsletters::Kind;

use crate::{
    context::Context,
    domain::{Act, Choice, Choices, Origin},
    store::{
        consents::{self, NewEntry},
        deliveries,
        subscribers::{self, Subscriber},
        subscriptions,
    },
};

/// Returns the client's network as evidence; empty if unknown.
fn network() -> String {
    let network = Actor::current().network;
    network
        .map(|network| network.to_string())
        .unwrap_or_default()
}

/// Switches newsletters of a locked subscriber on and off, with a ledger entry for each change.
async fn choose(
    context: &Context,
    connection: &mut PgConnection,
    subscriber: &Subscriber,
    choices: &Choices,
    origin: &Origin,
) -> Result<(), sqlx::Error> {
    let (now, network) = (context.clock.now(), network());
    let address = context.addresses.hash(&subscriber.email_key);
    for (kind, choice) in choices {
        let (act, wording) = match choice {
            Choice::On { wording } => {
                if !subscriptions::insert(connection, subscriber.id, *kind, now).await? {
                    continue;
                }
                let wording = consents::keep_wording(connection, wording).await?;
                (Act::Given, Some(wording))
            }
            Choice::Off => {
                if !subscriptions::delete(connection, subscriber.id, *kind).await? {
                    continue;
                }
                (Act::Withdrawn, None)
            }
        };
        let entry = NewEntry {
            address: &address,
            kind: kind.name(),
            act,
            wording: wording.as_deref(),
            way: origin.way.as_str(),
            page: &origin.page,
            network: &network,
        };
        consents::append(connection, &entry, now).await?;
    }
    Ok(())
}

/// Queues a welcome email for new newsletters, once the address is confirmed.
async fn welcome(
    context: &Context,
    connection: &mut PgConnection,
    subscriber: &Subscriber,
) -> Result<(), sqlx::Error> {
    if !subscriber.is_confirmed {
        return Ok(());
    }
    let kinds: Vec<Kind> = subscriptions::welcome(connection, subscriber.id).await?;
    if kinds.is_empty() {
        return Ok(());
    }
    let Subscriber { email, token, .. } = subscriber;
    post(
        context,
        connection,
        context.site.welcome(email, token, &kinds),
    )
    .await
}

/// Merges a guest's subscriptions into the account.
async fn absorb_guest(
    connection: &mut PgConnection,
    reader: &Subscriber,
) -> Result<(), sqlx::Error> {
    if !reader.is_confirmed {
        return Ok(());
    }
    let Some(guest) = subscribers::lock_guest(connection, &reader.email_key).await? else {
        return Ok(());
    };
    subscriptions::move_to(connection, guest.id, reader.id).await?;
    deliveries::move_to(connection, guest.id, reader.id).await?;
    subscribers::take_over_tokens(connection, &guest, reader.id).await?;
    subscribers::delete(connection, guest.id).await
}

/// Queues an email, if it could be built.
async fn post(
    context: &Context,
    connection: &mut PgConnection,
    mail: Option<Mail>,
) -> Result<(), sqlx::Error> {
    if let Some(mail) = mail {
        context.jobs.append(connection, &mail).await?;
    } else {
        tracing::warn!("a subscriber has an address that no mail server accepts");
    }
    Ok(())
}
