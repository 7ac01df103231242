//! Conversion of the log and its totals to and from protobuf.

use ads_proto::v1 as proto;
use uuid::Uuid;

use crate::{
    event::{Counts, LoggedEvent},
    log::LoggedBatch,
};

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
