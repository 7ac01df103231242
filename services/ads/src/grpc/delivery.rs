//! The calls of the processes that serve pages.

use std::collections::BTreeMap;

use ad_delivery::{EventKind, campaign_to_wire};
use ads_proto::v1::{
    self as proto, GetCampaignRequest, Plan, Rate, RecordEventsRequest, RecordEventsResponse,
    SyncRequest, SyncResponse, delivery_server::Delivery,
};
use chassis::{call::Caller, error::Fault, instant};
use chrono::{DateTime, Utc};
use tonic::{Request, Response, Status, async_trait};
use uuid::Uuid;

use super::Api;
use crate::{
    domain::{Event, Outcome},
    usecases::{
        report,
        sync::{Usage, sync},
    },
};

/// The maximum number of events per call.
const MAX_EVENTS: usize = 100;
/// The maximum number of line items whose usage a call reports.
const MAX_SERVED: usize = 10_000;
/// The maximum number of refusal reasons per call.
const MAX_REASONS: usize = 10;
/// The maximum length of a slot's name, in bytes.
const MAX_POSITION: usize = 64;

#[async_trait]
impl Delivery for Api {
    async fn sync(&self, request: Request<SyncRequest>) -> Result<Response<SyncResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let usage = usage(request.into_inner())?;
        let allowance = sync(&self.context, usage).await?;
        let plan = allowance.is_new.then(|| Plan {
            campaigns: allowance
                .plan
                .campaigns
                .iter()
                .map(campaign_to_wire)
                .collect(),
        });
        let rates = allowance.rates.into_iter();
        Ok(Response::new(SyncResponse {
            revision: allowance.plan.revision,
            plan,
            rates: rates
                .map(|(line_item_id, per_second, most)| Rate {
                    line_item_id,
                    per_second,
                    most,
                })
                .collect(),
        }))
    }

    async fn record_events(
        &self,
        request: Request<RecordEventsRequest>,
    ) -> Result<Response<RecordEventsResponse>, Status> {
        let events = request.into_inner().events;
        if events.len() > MAX_EVENTS {
            let message = format!("Give at most {MAX_EVENTS}.");
            return Err(Fault::invalid_field("events", message).into());
        }
        let now = self.context.clock.now();
        let events: Vec<Event> = events
            .into_iter()
            .map(|event| read(event, now))
            .collect::<Result<_, _>>()?;
        let outcomes = self.recorder.get_all(events).await?;
        Ok(Response::new(RecordEventsResponse {
            outcomes: outcomes
                .into_iter()
                .map(|one| outcome(one).into())
                .collect(),
        }))
    }

    async fn get_campaign(
        &self,
        request: Request<GetCampaignRequest>,
    ) -> Result<Response<proto::Campaign>, Status> {
        let found = report::find(&self.context, &request.get_ref().source_id).await?;
        Ok(Response::new(campaign_to_wire(&found)))
    }
}

fn usage(request: SyncRequest) -> Result<Usage, Fault> {
    let too_many = |field| Fault::invalid_field(field, "Too many.");
    if request.served.len() > MAX_SERVED {
        return Err(too_many("served"));
    }
    if request.refused.len() > MAX_REASONS {
        return Err(too_many("refused"));
    }
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let mut served: BTreeMap<i64, i64> = BTreeMap::new();
    for one in request.served {
        served.insert(one.line_item_id, number(one.count));
    }
    let refused = request.refused.into_iter();
    Ok(Usage {
        server: Uuid::from_slice(&request.server)
            .map_err(|_| Fault::invalid_field("server", "No UUID."))?,
        revision: request.revision,
        pages: request.pages,
        served,
        refused: refused.map(|one| (one.reason, number(one.count))).collect(),
    })
}

fn read(event: proto::Event, now: DateTime<Utc>) -> Result<Event, Fault> {
    let kind = match event.kind() {
        proto::EventKind::Impression => EventKind::Impression,
        proto::EventKind::Viewable => EventKind::Viewable,
        proto::EventKind::Click => EventKind::Click,
        proto::EventKind::Unspecified => {
            return Err(Fault::invalid_field("kind", "Unknown kind."));
        }
    };
    let served_at = event.served_at.as_ref().and_then(instant::from_proto);
    if event.position.len() > MAX_POSITION {
        return Err(Fault::invalid_field("position", "Too long."));
    }
    Ok(Event {
        kind,
        opportunity: Uuid::from_slice(&event.opportunity)
            .map_err(|_| Fault::invalid_field("opportunity", "No UUID."))?,
        line_item_id: event.line_item_id,
        creative_id: event.creative_id,
        position: event.position,
        served_at: served_at.ok_or_else(|| Fault::invalid_field("served_at", "No instant."))?,
        at: now,
        is_bot: event.is_bot,
        is_excess: event.is_excess,
    })
}

fn outcome(outcome: Outcome) -> proto::Outcome {
    match outcome {
        Outcome::Counted => proto::Outcome::Counted,
        Outcome::Repeated => proto::Outcome::Repeated,
        Outcome::Unknown => proto::Outcome::Unknown,
    }
}
