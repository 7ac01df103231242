//! Imports from files, streamed: a file of any size is never completely in memory.

mod features;
mod neighbourhoods;
mod osm;

use std::{collections::HashSet, io::Read, time::Duration};

use chassis::{
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use cityguide_proto::{
    intake::v1::{Finish, Report},
    places::v1::{
        ImportRequest, ListTypesRequest, import_request::Item, places_client::PlacesClient,
    },
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

pub(crate) use features::{Feature, each as each_feature};

/// The timeout of an import.
const TIMEOUT: Duration = Duration::from_mins(30);
/// Items buffered between the reader of the file and the service.
const AHEAD: usize = 64;
/// Items between two lines of progress.
const PROGRESS: usize = 500;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Neighbourhoods,
    Places,
}

/// Reads a `FeatureCollection` and imports it in one transaction: a file that breaks off changes
/// nothing. `city` is the slug of the site's.
pub(crate) async fn run(
    places: Transport,
    (source, city): (Source, String),
    file: impl Read + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut places = PlacesClient::new(places);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let (sender, items) = mpsc::channel(AHEAD);
    if source == Source::Places {
        let known = places
            .list_types(call.request(ListTypesRequest {}))
            .await
            .map_err(|status| Fault::from(status).message)?
            .into_inner();
        let known: HashSet<String> = known.types.into_iter().map(|kind| kind.slug).collect();
        for missing in osm::types()
            .into_iter()
            .filter(|kind| !known.contains(&kind.slug))
        {
            let _ = sender
                .send(ImportRequest {
                    item: Some(Item::Type(missing)),
                })
                .await;
        }
    }
    let reading = tokio::task::spawn_blocking(move || {
        read((source, &city), file, &sender)?;
        let item = Some(Item::Finish(finish));
        let _ = sender.blocking_send(ImportRequest { item });
        Ok::<_, String>(())
    });
    let outcome = places
        .import(call.request(ReceiverStream::new(items)))
        .await;
    // A mistake in the file ends the stream early; its error says more than the service's "unfinished".
    reading.await.map_err(|error| error.to_string())??;
    outcome
        .map(tonic::Response::into_inner)
        .map_err(|status| Fault::from(status).message)
}

fn read(
    (source, city): (Source, &str),
    file: impl Read,
    sender: &mpsc::Sender<ImportRequest>,
) -> Result<(), String> {
    let mut count = 0;
    features::each(file, |feature| {
        count += 1;
        if count % PROGRESS == 0 {
            tell_progress(count);
        }
        let item = match source {
            Source::Neighbourhoods => Item::Neighbourhood(neighbourhoods::proposal(feature)),
            Source::Places => Item::Listing(osm::proposal(feature, city)),
        };
        sender
            .blocking_send(ImportRequest { item: Some(item) })
            .is_ok()
    })
}

fn tell_progress(count: usize) {
    use std::io::Write;
    // A failure is ignored: progress is only for a person at the terminal.
    let _ = writeln!(std::io::stderr(), "{count} read …");
}
