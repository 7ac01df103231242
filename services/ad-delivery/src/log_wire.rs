//! Conversion of the log and its totals to and from protobuf.

use ads_proto::v1 as proto;
use chassis::instant;
use uuid::Uuid;

use crate::{
    event::{Counts, LoggedEvent},
    log::LoggedBatch,
    log_key::LogKey,
};

/// Converts a key of the log to protobuf.
#[must_use]
pub fn key_to_wire(key: LogKey) -> proto::LogKey {
    proto::LogKey {
        position: key.position,
        public_key: key.public_key.to_vec(),
        first_used_at: Some(instant::to_proto(key.first_used_at)),
        handover: key.handover,
        acceptance: key.acceptance,
    }
}

/// Converts a key of the log from protobuf; the error message is for an operator.
pub fn key_from_wire(key: proto::LogKey) -> Result<LogKey, String> {
    let broken = |why: &str| format!("the key of batch {}: {why}", key.position);
    let first_used_at = key.first_used_at.as_ref().and_then(instant::from_proto);
    Ok(LogKey {
        position: key.position,
        first_used_at: first_used_at.ok_or_else(|| broken("it has no time"))?,
        public_key: key
            .public_key
            .as_slice()
            .try_into()
            .map_err(|_| broken("it does not have 32 bytes"))?,
        handover: key.handover,
        acceptance: key.acceptance,
    })
}

/// Converts a batch to protobuf.
#[must_use]
pub fn batch_to_wire(batch: LoggedBatch) -> proto::LogBatch {
    let events = batch.events.into_iter().map(|event| proto::LogEvent {
        opportunity: event.opportunity.as_bytes().to_vec(),
        kind: event.kind.name().to_owned(),
        at_milliseconds: event.at,
        campaign: event.campaign,
        line_item: event.line_item,
        creative: event.creative,
        position: event.position,
        verdict: event.verdict.name().to_owned(),
    });
    proto::LogBatch {
        position: batch.position,
        digest: batch.events_digest.to_vec(),
        signature: batch.signature,
        events: events.collect(),
        is_emptied: batch.is_emptied,
    }
}

/// Converts a batch from protobuf; the error message is for an operator.
pub fn batch_from_wire(batch: proto::LogBatch) -> Result<LoggedBatch, String> {
    let position = batch.position;
    let broken = |why: String| format!("batch {position}: {why}");
    let events = batch.events.into_iter().map(event_from_wire);
    Ok(LoggedBatch {
        position,
        events: events.collect::<Result<_, String>>().map_err(broken)?,
        events_digest: batch
            .digest
            .try_into()
            .map_err(|_| broken("its digest has not 32 bytes".to_owned()))?,
        signature: batch.signature,
        is_emptied: batch.is_emptied,
    })
}

fn event_from_wire(event: proto::LogEvent) -> Result<LoggedEvent, String> {
    Ok(LoggedEvent {
        opportunity: Uuid::from_slice(&event.opportunity)
            .map_err(|_| "an opportunity is no UUID".to_owned())?,
        kind: event.kind.try_into()?,
        at: event.at_milliseconds,
        campaign: event.campaign,
        line_item: event.line_item,
        creative: event.creative,
        position: event.position,
        verdict: event.verdict.try_into()?,
    })
}

impl From<Counts> for proto::Counts {
    fn from(counts: Counts) -> Self {
        let Counts {
            impressions,
            viewable,
            clicks,
            surplus,
            invalid,
        } = counts;
        Self {
            impressions,
            viewable,
            clicks,
            surplus,
            invalid,
        }
    }
}

impl From<proto::Counts> for Counts {
    fn from(counts: proto::Counts) -> Self {
        let proto::Counts {
            impressions,
            viewable,
            clicks,
            surplus,
            invalid,
        } = counts;
        Self {
            impressions,
            viewable,
            clicks,
            surplus,
            invalid,
        }
    }
}
