//! Exports a reader's newsletter data.

use chassis::{
    email::Email,
    error::Fault,
    instant,
    readers::{EXPORT_ROWS, Export, export_page, record},
};
use cityguide_proto::readers::v1::{ExportResponse, Record};
use serde::Serialize;

use super::erase_reader::{
    CONSENTS, DELIVERIES, REQUESTS, SUBSCRIBER, SUBSCRIPTIONS, THIRD_PARTIES,
};
use crate::{
    context::Context,
    domain::{Entry, issue::Delivery},
    store::{
        consents, deliveries, requests,
        subscribers::{self, Subscriber},
        subscriptions, third_party_choices,
    },
};

#[derive(Serialize)]
struct ExportedSubscriber {
    email: String,
    email_verified: bool,
    /// Token in the links of emails.
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
struct ThirdPartyChoice {
    is_allowed: bool,
    wording: Option<String>,
    date_chosen: String,
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

#[derive(Serialize)]
struct Delivered {
    kind: String,
    issue: String,
    fate: String,
    answer: Option<String>,
    date: String,
}

/// The cursor of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// A delivery's issue; `d12` as text.
    Delivery(i64),
    /// A ledger entry's id.
    Entry(i64),
}

impl After {
    fn of(export: &Export) -> Result<Self, Fault> {
        match export.after.strip_prefix('d') {
            Some(id) => id
                .parse()
                .map(Self::Delivery)
                .map_err(|_| Export::wrong_page()),
            None if export.after.is_empty() => Ok(Self::Delivery(0)),
            None => Ok(Self::Entry(export.after_id()?)),
        }
    }
}

/// Returns a page: settings first (they are few), then deliveries, then evidence.
pub(crate) async fn export_reader(
    context: &Context,
    export: &Export,
) -> Result<ExportResponse, Fault> {
    let verified = export.verified_email.as_ref();
    let subscriber = subscribers::of_reader(&context.pool, export.profile_id, verified).await?;
    let mut records = Vec::new();
    let after = match After::of(export)? {
        After::Entry(after) => after,
        After::Delivery(after) => {
            if after == 0 {
                records = settings(context, export, subscriber.as_ref()).await?;
            }
            if let Some(subscriber) = &subscriber {
                let page = deliveries(context, subscriber.id, after).await?;
                records.extend(page.records);
                if page.next.is_some() {
                    let next = page.next;
                    return Ok(ExportResponse { records, next });
                }
            }
            0
        }
    };
    let confirmed = subscriber
        .filter(|one| one.is_confirmed)
        .map(|one| one.email_key);
    let verified = export.verified_email.as_ref().map(Email::key);
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

/// Returns the subscriber, the subscribed and pending newsletters, and the third-party choice.
async fn settings(
    context: &Context,
    export: &Export,
    subscriber: Option<&Subscriber>,
) -> Result<Vec<Record>, Fault> {
    let mut records = Vec::new();
    if let Some(subscriber) = subscriber {
        let exported = ExportedSubscriber {
            email: subscriber.email.clone(),
            email_verified: subscriber.is_confirmed,
            token: subscriber.token.clone(),
            date_created: instant::to_rfc3339(subscriber.created_at),
        };
        records.push(record(SUBSCRIBER, &exported)?);
        for one in subscriptions::export(&context.pool, subscriber.id).await? {
            let exported = Subscription {
                kind: one.kind,
                since: instant::to_rfc3339(one.since),
            };
            records.push(record(SUBSCRIPTIONS, &exported)?);
        }
    }
    if let Some(email) = &export.verified_email {
        for request in requests::evidence(&context.pool, &email.key()).await? {
            let exported = Request {
                kind: request.kind,
                page: request.page,
                network: request.network,
            };
            records.push(record(REQUESTS, &exported)?);
        }
    }
    if let Some(choice) = third_party_choices::of(&context.pool, export.profile_id).await? {
        let exported = ThirdPartyChoice {
            is_allowed: choice.wording.is_some(),
            wording: choice.wording,
            date_chosen: instant::to_rfc3339(choice.at),
        };
        records.push(record(THIRD_PARTIES, &exported)?);
    }
    Ok(records)
}

async fn deliveries(
    context: &Context,
    subscriber_id: i64,
    after: i64,
) -> Result<ExportResponse, Fault> {
    let pool = &context.pool;
    let found = deliveries::of_subscriber(pool, subscriber_id, after, EXPORT_ROWS).await?;
    let cursor = |one: &Delivery| format!("d{}", one.issue_id);
    export_page(found, cursor, |one| {
        let exported = Delivered {
            kind: one.kind,
            issue: one.slot,
            fate: one.fate,
            answer: one.answer,
            date: instant::to_rfc3339(one.at),
        };
        record(DELIVERIES, &exported)
    })
}

fn consent(entry: Entry) -> Result<Record, Fault> {
    let exported = Consent {
        digest: entry.digest_text(),
        kind: entry.kind,
        act: entry.act,
        wording: entry.wording,
        way: entry.way,
        page: entry.page,
        network: entry.network,
        date_created: instant::to_rfc3339(entry.at),
    };
    record(CONSENTS, &exported)
}
