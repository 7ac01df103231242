//! The log of events as a file: one batch a line, in JSON, so that an advertiser can recompute an invoice.

use ad_delivery::{EventKind, LoggedBatch, LoggedEvent, Verdict};
use cityguide_proto::ads::v1::LogBatch;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A batch of the log in a line of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogFile {
    position: i64,
    digest: String,
    signature: String,
    is_emptied: bool,
    events: Vec<EventLine>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventLine {
    opportunity: Uuid,
    kind: String,
    at_milliseconds: i64,
    campaign: String,
    line_item: String,
    creative: String,
    position: String,
    verdict: String,
}

/// A batch as the service sends it; the message is for the operator.
pub(crate) fn batch_of(batch: LogBatch) -> Result<LoggedBatch, String> {
    let position = batch.position;
    let broken = |what: &str| format!("batch {position}: {what}");
    let events = batch.events.into_iter().map(|event| {
        Ok(LoggedEvent {
            opportunity: Uuid::from_slice(&event.opportunity)
                .map_err(|_| broken("an opportunity is no UUID"))?,
            kind: EventKind::named(&event.kind).ok_or_else(|| broken("an unknown kind"))?,
            at: event.at_milliseconds,
            campaign: event.campaign,
            line_item: event.line_item,
            creative: event.creative,
            position: event.position,
            verdict: Verdict::named(&event.verdict).ok_or_else(|| broken("an unknown verdict"))?,
        })
    });
    Ok(LoggedBatch {
        position,
        events: events.collect::<Result<_, String>>()?,
        events_digest: digest(&batch.digest).ok_or_else(|| broken("no digest"))?,
        signature: batch.signature,
        is_emptied: batch.is_emptied,
    })
}

impl LogFile {
    /// The line of a batch.
    pub(crate) fn of(batch: &LoggedBatch) -> Self {
        let events = batch.events.iter().map(|event| EventLine {
            opportunity: event.opportunity,
            kind: event.kind.name().to_owned(),
            at_milliseconds: event.at,
            campaign: event.campaign.clone(),
            line_item: event.line_item.clone(),
            creative: event.creative.clone(),
            position: event.position.clone(),
            verdict: event.verdict.name().to_owned(),
        });
        Self {
            position: batch.position,
            digest: chassis::digest::text(&batch.events_digest),
            signature: chassis::digest::text(&batch.signature),
            is_emptied: batch.is_emptied,
            events: events.collect(),
        }
    }

    /// The batch of a line; the message is for its reader.
    pub(crate) fn batch(self) -> Result<LoggedBatch, String> {
        let position = self.position;
        let broken = |what: &str| format!("batch {position}: {what}");
        let events = self.events.into_iter().map(|event| {
            Ok(LoggedEvent {
                opportunity: event.opportunity,
                kind: EventKind::named(&event.kind).ok_or_else(|| broken("an unknown kind"))?,
                at: event.at_milliseconds,
                campaign: event.campaign,
                line_item: event.line_item,
                creative: event.creative,
                position: event.position,
                verdict: Verdict::named(&event.verdict)
                    .ok_or_else(|| broken("an unknown verdict"))?,
            })
        });
        let digest_of = |text: &str| bytes(text).ok_or_else(|| broken("no digest"));
        Ok(LoggedBatch {
            position,
            events: events.collect::<Result<_, String>>()?,
            events_digest: digest(&digest_of(&self.digest)?).ok_or_else(|| broken("no digest"))?,
            signature: digest_of(&self.signature)?,
            is_emptied: self.is_emptied,
        })
    }
}

fn digest(bytes: &[u8]) -> Option<[u8; 32]> {
    bytes.try_into().ok()
}

/// The bytes of a text in hexadecimal.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}
