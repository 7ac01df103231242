//! Tell a reader all that is stored of the reader's newsletters.

use chassis::{
    email::Email,
    error::Fault,
    instant,
    readers::{Asked, EXPORT_ROWS, export_page, record},
};
use cityguide_proto::readers::v1::{ExportResponse, Record};
use serde::Serialize;

use super::erase_reader::{CONSENTS, REQUESTS, SUBSCRIBER, SUBSCRIPTIONS};
use crate::{
    context::Context,
    domain::Entry,
    store::{
        consents, requests,
        subscribers::{self, Subscriber},
        subscriptions,
    },
};

#[derive(Serialize)]
struct ExportedSubscriber {
    email: String,
    email_verified: bool,
    /// In the links of mails.
    token: String,
    date_created: String,
}

#[derive(Serialize)]
struct Subscription {
    kind: String,
    since: String,
}

#[derive(Serialize)]
struct Request {
    kind: String,
    page: String,
    network: String,
}

#[derive(Serialize)]
struct Consent {
    kind: String,
    act: String,
    wording: String,
    way: String,
    page: String,
    network: String,
    date_created: String,
    digest: String,
}

/// A page: the first one has all that is not evidence, which is little; its cursor is the last entry of the ledger.
pub(crate) async fn export_reader(
    context: &Context,
    asked: &Asked,
) -> Result<ExportResponse, Fault> {
    let subscriber = subscribers::of_profile(&context.pool, asked.profile_id).await?;
    let after = asked.after_id()?;
    let mut records = Vec::new();
    if after == 0 {
        records = settings(context, asked, subscriber.as_ref()).await?;
    }
    let confirmed = subscriber
        .filter(|one| one.is_confirmed)
        .map(|one| one.email_key);
    let verified = asked.verified_email.as_ref().map(Email::key);
    let Some(key) = verified.or(confirmed) else {
        return Ok(ExportResponse {
            records,
            next: None,
        });
    };
    let hash = context.addresses.hash(&key);
    let entries = consents::of_address(&context.pool, &hash, after, EXPORT_ROWS).await?;
    let page = export_page(entries, |entry| entry.id.to_string(), consent)?;
    records.extend(page.records);
    Ok(ExportResponse {
        records,
        next: page.next,
    })
}

/// The subscriber, the newsletters that are on, and those that wait to be confirmed.
async fn settings(
    context: &Context,
    asked: &Asked,
    subscriber: Option<&Subscriber>,
) -> Result<Vec<Record>, Fault> {
    let mut records = Vec::new();
    if let Some(subscriber) = subscriber {
        let told = ExportedSubscriber {
            email: subscriber.email.clone(),
            email_verified: subscriber.is_confirmed,
            token: subscriber.token.clone(),
            date_created: instant::to_rfc3339(subscriber.created_at),
        };
        records.push(record(SUBSCRIBER, &told)?);
        for one in subscriptions::export(&context.pool, subscriber.id).await? {
            let told = Subscription {
                kind: one.kind,
                since: instant::to_rfc3339(one.since),
            };
            records.push(record(SUBSCRIPTIONS, &told)?);
        }
    }
    if let Some(email) = &asked.verified_email {
        for request in requests::evidence(&context.pool, &email.key()).await? {
            let told = Request {
                kind: request.kind,
                page: request.page,
                network: request.network,
            };
            records.push(record(REQUESTS, &told)?);
        }
    }
    Ok(records)
}

fn consent(entry: Entry) -> Result<Record, Fault> {
    let told = Consent {
        digest: entry.digest_text(),
        kind: entry.kind,
        act: entry.act,
        wording: entry.wording,
        way: entry.way,
        page: entry.page,
        network: entry.network,
        date_created: instant::to_rfc3339(entry.at),
    };
    record(CONSENTS, &told)
}
