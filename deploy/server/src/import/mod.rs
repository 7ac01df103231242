//! Imports from files, streamed: a file of any size is never completely in memory.

pub(crate) mod articles;
mod events;
mod features;
mod icalendar;
mod inspections;
mod json;
mod json_ld;
#[cfg(test)]
mod mutants;
mod neighbourhoods;
mod osm;
mod polled;
mod refused;
mod sending;
mod table;
mod text;
mod xml;

use std::{
    collections::HashSet,
    io::{Cursor, Read},
};

use chassis::{
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use chrono_tz::Tz;
use cityguide_proto::{
    editorial::v1::{
        ImportItem, ImportRequest as EditorialRequest, editorial_client::EditorialClient,
        import_request::Item as EditorialItem,
    },
    intake::v1::{Finish, Report},
    places::v1::{
        ImportRequest, ImportType, ListTypesRequest, import_request::Item,
        places_client::PlacesClient,
    },
};
use tokio::sync::mpsc;

use self::{
    refused::Refused,
    sending::{Progress, TIMEOUT, streamed},
};

pub(crate) use features::{Feature, each as each_feature};
pub(crate) use inspections::{inspections, write_review};
pub(crate) use polled::Polled;

/// The beginning of a file that says what kind of file it is, in bytes.
const HEAD: u64 = 1024;

/// The kind of a file of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Neighbourhoods,
    Places,
}

/// Reads a `FeatureCollection` and imports it in one transaction: a file that breaks off changes
/// nothing. `city` is the slug of the site's.
pub(crate) async fn places(
    places: Transport,
    (source, city): (Source, String),
    file: impl Read + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut client = PlacesClient::new(places);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let missing = match source {
        Source::Neighbourhoods => Vec::new(),
        Source::Places => missing_types(&mut client).await?,
    };
    let read = move |sender: &mpsc::Sender<ImportRequest>| {
        let send = |item| {
            sender
                .blocking_send(ImportRequest { item: Some(item) })
                .is_ok()
        };
        for kind in missing {
            send(Item::Type(kind));
        }
        let mut progress = Progress::default();
        features::each(file, |feature| {
            progress.count();
            send(match source {
                Source::Neighbourhoods => Item::Neighbourhood(neighbourhoods::proposal(feature)),
                Source::Places => Item::Listing(osm::proposal(feature, &city)),
            })
        })?;
        send(Item::Finish(finish));
        Ok(())
    };
    let ((), report) = streamed(read, async |items| {
        let answer = client.import(call.request(items)).await;
        answer.map(tonic::Response::into_inner)
    })
    .await?;
    Ok(report)
}

/// The types of places that an import needs and the site lacks.
async fn missing_types(client: &mut PlacesClient<Transport>) -> Result<Vec<ImportType>, String> {
    let request = Call::new(Caller::Operator, TIMEOUT).request(ListTypesRequest {});
    let known = client.list_types(request).await;
    let known = known.map_err(|status| Fault::from(status).message)?;
    let known: HashSet<String> = known
        .into_inner()
        .types
        .into_iter()
        .map(|kind| kind.slug)
        .collect();
    let types = osm::types().into_iter();
    Ok(types.filter(|kind| !known.contains(&kind.slug)).collect())
}

/// Reads iCalendar, or JSON-LD of schema.org's events, and imports it in one transaction: a file that breaks off changes
/// nothing. Times that name no zone are told by the clock of `zone`.
pub(crate) async fn events(
    editorial: Transport,
    zone: Tz,
    file: impl Read + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut progress = Progress::default();
    let mark = move |_: &mut ImportItem| progress.count();
    events_marked(editorial, zone, file, finish, mark).await
}

/// The same of a file that was polled.
pub(crate) async fn polled_events(
    editorial: Transport,
    zone: Tz,
    polled: Polled,
) -> Result<Report, String> {
    let file = Cursor::new(polled.content.clone());
    let mark = move |item: &mut ImportItem| polled.mark(item);
    events_marked(editorial, zone, file, Finish::default(), mark).await
}

async fn events_marked(
    editorial: Transport,
    zone: Tz,
    mut file: impl Read + Send + 'static,
    finish: Finish,
    mut mark: impl FnMut(&mut ImportItem) + Send + 'static,
) -> Result<Report, String> {
    let mut client = EditorialClient::new(editorial);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let read = move |sender: &mpsc::Sender<EditorialRequest>| {
        let send = |item| {
            sender
                .blocking_send(EditorialRequest { item: Some(item) })
                .is_ok()
        };
        let mut refused = Refused::default();
        let mut take = |position, item| match item {
            Ok(mut item) => {
                mark(&mut item);
                send(EditorialItem::Content(item))
            }
            Err(reason) => {
                refused.add(position, reason);
                true
            }
        };
        let mut head = Vec::new();
        let read = file.by_ref().take(HEAD).read_to_end(&mut head);
        read.map_err(|error| format!("it cannot be read: {error}"))?;
        let is_calendar = icalendar::begins(&head);
        let file = Cursor::new(head).chain(file);
        if is_calendar {
            icalendar::each(file, zone, take)?;
        } else {
            json_ld::each(file, |position, thing| {
                let item = events::proposal(&position, &thing, zone);
                take(position, item)
            })?;
        }
        send(EditorialItem::Finish(refused.before(finish)));
        Ok(refused)
    };
    let (refused, report) = streamed(read, async |items| {
        let answer = client.import(call.request(items)).await;
        answer.map(tonic::Response::into_inner)
    })
    .await?;
    Ok(refused.added_to(report, events::KIND))
}
