//! Sends events to the ads service.

use std::collections::{HashMap, HashSet};

use ads_proto::v1::{Event, Outcome, RecordEventsRequest};
use chassis::{batcher::Batcher, call::Caller, error::Fault};

use crate::services::Clients;

/// Batches the events of many requests into one call, which belongs to the trace of the first request.
pub(super) fn recorder(services: &Clients) -> Batcher<Event, Outcome> {
    let services = services.clone();
    Batcher::gathering(move |events| {
        let services = services.clone();
        async move { record(&services, events).await }
    })
}

async fn record(services: &Clients, came: Vec<Event>) -> Result<HashMap<Event, Outcome>, Fault> {
    let events: HashSet<Event> = came.into_iter().collect();
    let events: Vec<Event> = events.into_iter().collect();
    let request = RecordEventsRequest {
        events: events.clone(),
    };
    let request = services.call(Caller::Guest).request(request);
    let recorded = services.ads().record_events(request).await?.into_inner();
    Ok(events.into_iter().zip(recorded.outcomes()).collect())
}
