//! Imports from files, streamed: a file of any size is never completely in memory.

mod events;
mod features;
mod inspections;
mod json;
mod json_ld;
#[cfg(test)]
mod mutants;
mod neighbourhoods;
mod osm;
mod refused;
mod table;
mod text;

use std::{collections::HashSet, io::Read, time::Duration};

use chassis::{
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use chrono_tz::Tz;
use cityguide_proto::{
    editorial::v1::{
        ImportRequest as EditorialRequest, editorial_client::EditorialClient,
        import_request::Item as EditorialItem,
    },
    intake::v1::{Finish, Report},
    places::v1::{
        ImportRequest, ImportType, ListTypesRequest, import_request::Item,
        places_client::PlacesClient,
    },
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use self::refused::Refused;

pub(crate) use features::{Feature, each as each_feature};
pub(crate) use inspections::{inspections, write_review};

/// The timeout of an import.
const TIMEOUT: Duration = Duration::from_mins(30);
/// Items buffered between the reader of the file and the service.
const AHEAD: usize = 64;
/// Items between two lines of progress.
const PROGRESS: usize = 500;

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

/// Reads JSON-LD of schema.org's events and imports it in one transaction: a file that breaks off changes nothing. Times are
/// told by the clock of `zone`.
pub(crate) async fn events(
    editorial: Transport,
    zone: Tz,
    file: impl Read + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut client = EditorialClient::new(editorial);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let read = move |sender: &mpsc::Sender<EditorialRequest>| {
        let send = |item| {
            sender
                .blocking_send(EditorialRequest { item: Some(item) })
                .is_ok()
        };
        let mut progress = Progress::default();
        let mut refused = Refused::default();
        json_ld::each(file, |position, thing| {
            progress.count();
            match events::proposal(&position, &thing, zone) {
                Ok(item) => send(EditorialItem::Content(item)),
                Err(reason) => {
                    refused.add(position, reason);
                    true
                }
            }
        })?;
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

/// Reads a file on a thread of its own while its items are sent; returns what the reader does, and the answer.
async fn streamed<M: Send + 'static, T: Send + 'static, A>(
    read: impl FnOnce(&mpsc::Sender<M>) -> Result<T, String> + Send + 'static,
    send: impl AsyncFnOnce(ReceiverStream<M>) -> Result<A, tonic::Status>,
) -> Result<(T, A), String> {
    let (sender, items) = mpsc::channel(AHEAD);
    let reading = tokio::task::spawn_blocking(move || read(&sender));
    let outcome = send(ReceiverStream::new(items)).await;
    // A mistake in the file ends the stream early; its error says more than the service's "unfinished".
    let read = reading.await.map_err(|error| error.to_string())??;
    let answer = outcome.map_err(|status| Fault::from(status).message)?;
    Ok((read, answer))
}

/// Tells a person at the terminal how far an import is.
#[derive(Default)]
struct Progress(usize);

impl Progress {
    fn count(&mut self) {
        use std::io::Write;
        self.0 += 1;
        if self.0.is_multiple_of(PROGRESS) {
            // A failure is ignored: nobody may be there.
            let _ = writeln!(std::io::stderr(), "{} read …", self.0);
        }
    }
}
