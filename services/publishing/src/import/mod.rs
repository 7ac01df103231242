//! Streaming imports: files of any size are never completely in memory.

pub mod articles;
mod basemap;
mod events;
mod features;
mod icalendar;
mod inspections;
mod json;
mod json_ld;
mod mapping;
#[cfg(test)]
mod mutants;
mod neighbourhoods;
mod osm;
mod place_tables;
mod polled;
mod refused;
mod sending;
mod table;
mod text;
mod values;
mod venues;
mod xml;

use std::{
    collections::HashSet,
    io::{BufRead, Cursor, Seek},
};

use chassis::{
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use chrono_tz::Tz;
use cityguide_proto::intake::v1::{Finish, Report};
use editorial_proto::v1::{
    ImportItem, ImportRequest as EditorialRequest, editorial_client::EditorialClient,
    import_request::Item as EditorialItem,
};
use places_proto::v1::{
    ImportRequest, ImportType, ListTypesRequest, import_request::Item, places_client::PlacesClient,
};
use tokio::sync::mpsc;

use self::{
    sending::{Progress, TIMEOUT, streamed},
    venues::{Failure, with_venues},
};
use crate::{guide_places::GuidePlaces, text_files::skip_byte_order_mark};

pub use basemap::basemap;
pub(crate) use basemap::drawn as drawn_basemap;
pub(crate) use features::{Feature, each as each_feature};
pub use inspections::{inspections, write_review};
pub use mapping::{AreasMapping, PlacesMapping};
pub use polled::Polled;
pub(crate) use refused::Refused;

/// Name of places in reports.
const PLACES: &str = "places";

/// The services that store events and know their places.
#[derive(Debug, Clone)]
pub struct EventServices {
    /// Stores the events.
    pub editorial: Transport,
    /// Has the places at which they happen.
    pub places: Transport,
}

/// The format of a file of places or neighbourhoods.
#[derive(Debug, Clone)]
pub enum Source {
    /// GeoJSON, with properties named by the mapping.
    Neighbourhoods(AreasMapping),
    /// GeoJSON from OpenStreetMap.
    OpenStreetMap {
        /// Slug of the city.
        city: String,
    },
    /// CSV.
    Table(Box<PlacesMapping>),
}

impl Source {
    /// Passes every item to `send` until it returns false.
    fn each(
        &self,
        file: impl BufRead,
        refused: &mut Refused,
        mut send: impl FnMut(Item) -> bool,
    ) -> Result<(), String> {
        match self {
            Self::Neighbourhoods(mapping) => features::each(file, |feature| {
                send(Item::Neighbourhood(neighbourhoods::proposal(
                    feature, mapping,
                )))
            }),
            Self::OpenStreetMap { city } => features::each(file, |feature| {
                send(Item::Listing(osm::proposal(feature, city)))
            }),
            Self::Table(mapping) => place_tables::each(file, mapping, refused, |listing| {
                send(Item::Listing(listing))
            }),
        }
    }
}

/// Imports a file of places or neighbourhoods in a single transaction: an incomplete file changes nothing.
pub async fn places(
    places: Transport,
    source: Source,
    file: impl BufRead + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut client = PlacesClient::new(places);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let mut missing = match source {
        Source::Neighbourhoods(_) | Source::Table(_) => Vec::new(),
        Source::OpenStreetMap { .. } => missing_types(&mut client).await?,
    };
    let read = move |sender: &mpsc::Sender<ImportRequest>| {
        let send = |item| {
            sender
                .blocking_send(ImportRequest { item: Some(item) })
                .is_ok()
        };
        let mut progress = Progress::default();
        let mut refused = Refused::default();
        source.each(file, &mut refused, |item| {
            for kind in missing.drain(..) {
                send(Item::Type(kind));
            }
            progress.count();
            send(item)
        })?;
        send(Item::Finish(refused.before(finish)));
        Ok(refused)
    };
    let (refused, report) = streamed(read, async |items| {
        let answer = client.import(call.request(items)).await;
        answer.map(tonic::Response::into_inner)
    })
    .await?;
    Ok(refused.added_to(report, PLACES))
}

/// Returns the types of places that an import needs and the site does not have.
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

/// Imports iCalendar or schema.org events in JSON-LD in a single transaction: an incomplete file changes nothing. Times
/// without a zone are in `zone`. The place of an event is the only place with its venue's name and address.
pub async fn events(
    services: EventServices,
    zone: Tz,
    file: impl BufRead + Seek + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut progress = Progress::default();
    let mark = move |_: &mut ImportItem| progress.count();
    Box::pin(events_marked(services, zone, file, finish, mark)).await
}

/// Imports events from a polled file.
pub(crate) async fn polled_events(
    services: EventServices,
    zone: Tz,
    polled: Polled,
) -> Result<Report, String> {
    let file = Cursor::new(polled.content.clone());
    let mark = move |item: &mut ImportItem| polled.mark(item);
    Box::pin(events_marked(services, zone, file, Finish::default(), mark)).await
}

async fn events_marked(
    services: EventServices,
    zone: Tz,
    mut file: impl BufRead + Seek + Send + 'static,
    finish: Finish,
    mut mark: impl FnMut(&mut ImportItem) + Send + 'static,
) -> Result<Report, String> {
    let mut client = EditorialClient::new(services.editorial);
    let places = GuidePlaces::new(services.places);
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
        skip_byte_order_mark(&mut file)?;
        let head = file.fill_buf();
        let head = head.map_err(|error| format!("it cannot be read: {error}"))?;
        if icalendar::begins(head) {
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
        let failure = Failure::default();
        let items = with_venues(items, places, failure.clone());
        let answer = client.import(call.request(items)).await;
        failure.or(answer.map(tonic::Response::into_inner))
    })
    .await?;
    Ok(refused.added_to(report, events::KIND))
}
