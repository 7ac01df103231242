//! Asks the owner of an address to confirm requested newsletters.

use chassis::{email::Email, entropy::secret_token};
use chrono::TimeDelta;
use sqlx::PgConnection;
use vocabulary::newsletters::Kind;

use super::post;
use crate::{
    context::Context,
    domain::{Act, CONFIRMATION_WORKS, LinkToken, mailbox},
    error::Error,
    store::{
        consents::{self, NewEntry},
        links::{self, NewLink},
        refusals, requests,
    },
};

const DAY: TimeDelta = TimeDelta::days(1);

/// Emails a confirmation link for the pending requests, unless the owner has refused requests or the daily limit is
/// reached: forms cannot be used to flood a mailbox.
pub(crate) async fn ask_to_confirm(context: &Context, email: &Email) -> Result<(), Error> {
    let (key, mailbox, now) = (email.key(), mailbox(email), context.clock.now());
    let mut transaction = context.pool.begin().await?;
    let kinds = requests::kinds(&mut transaction, &key).await?;
    if kinds.is_empty() {
        return Ok(());
    }
    let hash = context.addresses.hash(&mailbox);
    if refusals::has(&mut *transaction, &hash).await? {
        requests::delete(&mut transaction, &key).await?;
        transaction.commit().await?;
        count("refused");
        return Ok(());
    }
    let secret = secret_token(context.entropy.as_ref());
    let names: Vec<_> = kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let link = NewLink {
        token: &LinkToken::new(&secret),
        email_key: &key,
        mailbox: &mailbox,
        kinds: &names,
        expires_at: now + CONFIRMATION_WORKS,
    };
    let most = (context.confirmations_per_day, now - DAY);
    if !links::insert(&mut transaction, &link, now, most).await? {
        count("too_many");
        return Ok(());
    }
    let mail = context.site.confirm(email.as_str(), &secret, &kinds);
    post(context, &mut transaction, mail).await?;
    record(context, &mut transaction, &key, &kinds).await?;
    context.jobs.commit(transaction).await?;
    count("asked");
    Ok(())
}

/// Records the request, which is the reason for the email.
async fn record(
    context: &Context,
    connection: &mut PgConnection,
    email_key: &str,
    kinds: &[Kind],
) -> Result<(), sqlx::Error> {
    let (address, now) = (context.addresses.hash(email_key), context.clock.now());
    for request in requests::evidence(&mut *connection, email_key).await? {
        if !kinds.iter().any(|kind| kind.name() == request.kind) {
            continue;
        }
        let entry = NewEntry {
            address: &address,
            kind: &request.kind,
            act: Act::Requested,
            wording: Some(&request.wording),
            way: &request.way,
            page: &request.page,
            network: &request.network,
        };
        consents::append(connection, &entry, now).await?;
    }
    Ok(())
}

fn count(outcome: &'static str) {
    metrics::counter!("newsletter_confirmations_total", "outcome" => outcome).increment(1);
}
