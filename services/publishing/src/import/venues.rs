//! Finds the guide's places at which imported events happen.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

use editorial_proto::v1::{
    Event, ImportRequest, import_item::Detail, import_request::Item as Sent,
};
use futures::{Stream, StreamExt as _, stream};
use tonic::Status;

use crate::guide_places::{GuidePlaces, set_place, sought_venue, venue_among};

/// Maximum number of events whose venues are looked up together.
const TOGETHER: usize = 64;

/// The error of a call that ended a stream early.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure(Arc<OnceLock<Status>>);

impl Failure {
    /// Returns the error instead of the outcome that it has caused.
    pub(super) fn or<T>(self, outcome: Result<T, Status>) -> Result<T, Status> {
        match self.0.get() {
            Some(status) => Err(status.clone()),
            None => outcome,
        }
    }
}

/// Sets the places of events, as many at a time as have been read. The stream ends if places cannot be found: an import
/// without its end changes nothing.
pub(super) fn with_venues(
    items: impl Stream<Item = ImportRequest> + Send + 'static,
    places: GuidePlaces,
    failure: Failure,
) -> impl Stream<Item = ImportRequest> + Send + 'static {
    let batches = items.ready_chunks(TOGETHER);
    let found = batches.then(move |items| {
        let places = places.clone();
        async move { placed(&places, items).await }
    });
    let until_failure = found.scan(failure, |failure, batch| {
        let batch = batch.map_err(|status| failure.0.set(status)).ok();
        async { batch }
    });
    until_failure.flat_map(stream::iter)
}

async fn placed(
    places: &GuidePlaces,
    mut items: Vec<ImportRequest>,
) -> Result<Vec<ImportRequest>, Status> {
    let names: BTreeSet<String> = items
        .iter_mut()
        .filter_map(event_of)
        .filter_map(|event| sought_venue(event))
        .collect();
    if names.is_empty() {
        return Ok(items);
    }
    let found = places.with_names(names.into_iter().collect()).await?;
    for event in items.iter_mut().filter_map(event_of) {
        if let Some(place) = venue_among(event, &found) {
            set_place(event, place);
        }
    }
    Ok(items)
}

fn event_of(request: &mut ImportRequest) -> Option<&mut Event> {
    match &mut request.item {
        Some(Sent::Content(item)) => match &mut item.detail {
            Some(Detail::Event(event)) => Some(event),
            _ => None,
        },
        _ => None,
    }
}
