//! Erases a reader's data.

use chassis::{
    email::Email, error::Fault, instant, mail::Mail, postgres::erased, readers::Erasure,
};
use cityguide_proto::readers::v1::{EraseResponse, Kept};
use sqlx::PgConnection;
use vocabulary::newsletters::Kind;

use super::{choose, third_parties::forget_choice};
use crate::{
    context::Context,
    domain::{Choice, Choices, Origin, Way},
    store::{
        consents, deliveries, links, requests,
        subscribers::{self, Subscriber},
        subscriptions, suppressions,
    },
    tasks::AskToConfirm,
};

/// Kinds of records in receipts and exports.
pub(super) const SUBSCRIBER: &str = "newsletter_subscribers";
pub(super) const SUBSCRIPTIONS: &str = "newsletter_subscriptions";
pub(super) const REQUESTS: &str = "newsletter_requests";
pub(super) const CONSENTS: &str = "newsletter_consents";
pub(super) const DELIVERIES: &str = "newsletter_deliveries";
pub(super) const THIRD_PARTIES: &str = "third_party_choices";
const LINKS: &str = "newsletter_links";

/// Ends the reader's subscriptions and third-party consent, and deletes requests for the account's confirmed address.
/// Returns the total numbers of records that this erasure has deleted. Evidence of consent is kept with a keyed hash of
/// the address: senders of newsletters must be able to prove the consent (CASL, section 13), and so must sites that
/// load third-party content.
pub(crate) async fn erase_reader(
    context: &Context,
    erasure: &Erasure,
) -> Result<EraseResponse, Fault> {
    erased::begin(&context.pool, erasure.profile_id, context.clock.now()).await?;
    let mut transaction = context.pool.begin().await?;
    if let Some(reader) = subscribers::lock_profile(&mut transaction, erasure.profile_id).await? {
        erase_subscriber(context, &mut transaction, erasure, &reader).await?;
    }
    let (id, email) = (erasure.profile_id, erasure.email.as_ref());
    if forget_choice(context, &mut transaction, id, email).await? {
        let (id, now) = (erasure.id, context.clock.now());
        erased::add(&mut transaction, id, THIRD_PARTIES, 1, now).await?;
    }
    if let Some(email) = &erasure.verified_email {
        erase_address(context, &mut transaction, erasure, email).await?;
    }
    transaction.commit().await?;
    let mut kept = Vec::new();
    if let Some(email) = &erasure.email {
        kept.push(evidence(context, erasure, email).await?);
        kept.extend(suppression(context, email).await?);
    }
    Ok(erased::answer(&context.pool, erasure.id, kept).await?)
}

async fn erase_subscriber(
    context: &Context,
    connection: &mut PgConnection,
    erasure: &Erasure,
    subscriber: &Subscriber,
) -> Result<(), Fault> {
    let on = subscriptions::of(&mut *connection, subscriber.id).await?;
    let off: Choices = on.iter().map(|kind: &Kind| (*kind, Choice::Off)).collect();
    let origin = Origin {
        page: String::new(),
        way: Way::Erasure,
    };
    choose(context, connection, subscriber, &off, &origin).await?;
    let delivered = deliveries::delete_of(connection, subscriber.id).await?;
    subscribers::delete(connection, subscriber.id).await?;
    let (id, now) = (erasure.id, context.clock.now());
    erased::add(connection, id, SUBSCRIPTIONS, on.len() as u64, now).await?;
    erased::add(connection, id, SUBSCRIBER, 1, now).await?;
    erased::add(connection, id, DELIVERIES, delivered, now).await?;
    let (addresses, until) = ([subscriber.email.clone()], erasure.requested_at);
    let queue = &context.jobs;
    queue
        .withdraw::<Mail>(connection, "to", &addresses, until)
        .await?;
    Ok(())
}

/// Deletes a guest's choices for this address. Data stored after the erasure request is not deleted.
async fn erase_address(
    context: &Context,
    connection: &mut PgConnection,
    erasure: &Erasure,
    email: &Email,
) -> Result<(), Fault> {
    let key = email.key();
    let guest = subscribers::lock_guest(connection, &key).await?;
    if let Some(guest) = guest.filter(|guest| guest.created_at <= erasure.requested_at) {
        erase_subscriber(context, connection, erasure, &guest).await?;
    }
    let (id, now, until) = (erasure.id, context.clock.now(), erasure.requested_at);
    let asked = requests::delete_until(connection, &key, until).await?;
    erased::add(connection, id, REQUESTS, asked, now).await?;
    let mailed = links::delete_until(connection, &key, until).await?;
    erased::add(connection, id, LINKS, mailed, now).await?;
    let addresses = [email.as_str().to_owned()];
    let queue = &context.jobs;
    queue
        .withdraw::<AskToConfirm>(connection, "email", &addresses, until)
        .await?;
    Ok(())
}

/// Returns the evidence that is kept for this address, and until when.
async fn evidence(context: &Context, erasure: &Erasure, email: &Email) -> Result<Kept, Fault> {
    let hash = context.addresses.hash(&email.key());
    let until = erasure.requested_at + context.keep_consents;
    Ok(Kept {
        kind: CONSENTS.to_owned(),
        count: consents::count(&context.pool, &hash).await?,
        reason: "The evidence of your consent to newsletters and to what belongs to other companies, which the law asks \
                 of us: what was chosen, when, where, and from which network, without your name and address. Who knows \
                 your address can tell that an entry is about it."
            .to_owned(),
        until: Some(instant::to_proto(until)),
    })
}

/// Returns the suppression of this address, if there is one: it prevents emails if the address is entered again.
async fn suppression(context: &Context, email: &Email) -> Result<Option<Kept>, Fault> {
    let hash = context.addresses.hash(&email.key());
    let known = suppressions::reason(&context.pool, &hash).await?;
    Ok(known.map(|_| Kept {
        kind: "newsletter_suppressions".to_owned(),
        count: 1,
        reason: "That newsletters to your address came back, so that none is sent there again, without your name and \
                 address. Who knows your address can tell that it is about it."
            .to_owned(),
        until: None,
    }))
}
