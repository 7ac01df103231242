//! A folder of content: Markdown and TOML, as publishers write it.

mod folder;
mod place;

use std::{collections::BTreeMap, time::Duration};

use chassis::{
    blobs::{self, Blobs},
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use cityguide_proto::{
    intake::v1::Finish,
    places::v1::{
        ImportRequest, ImportResponse, import_request::Item, places_client::PlacesClient,
    },
};

pub(crate) use folder::Folder;

/// A publication may take this long.
const PATIENCE: Duration = Duration::from_mins(10);

/// Publishes a folder that has been read, all or nothing. Pictures are kept first: one that nobody
/// comes to link to harms nobody.
pub(crate) async fn apply(
    places: Transport,
    blobs: &Blobs,
    folder: Folder,
    dry_run: bool,
) -> Result<ImportResponse, String> {
    if !dry_run {
        let pictures: BTreeMap<String, Vec<u8>> = folder.pictures;
        for (key, content) in pictures {
            blobs::keep(blobs, &key, content)
                .await
                .map_err(|fault| fault.message)?;
        }
    }
    let finish = Finish {
        dry_run,
        all_or_nothing: true,
    };
    let items = folder
        .types
        .into_iter()
        .map(Item::Type)
        .chain(folder.neighbourhoods.into_iter().map(Item::Neighbourhood))
        .chain(folder.places.into_iter().map(Item::Listing))
        .chain([Item::Finish(finish)])
        .map(|item| ImportRequest { item: Some(item) });
    let items: Vec<_> = items.collect();
    let call = Call::new(Caller::Operator, PATIENCE);
    PlacesClient::new(places)
        .import(call.request(tokio_stream::iter(items)))
        .await
        .map(tonic::Response::into_inner)
        .map_err(|status| Fault::from(status).message)
}
