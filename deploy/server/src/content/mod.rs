//! A content folder: Markdown and TOML, as publishers write it.

mod best_of;
mod document;
mod event;
mod folder;
mod front;
mod issue;
mod item;
mod place;

use std::time::Duration;

use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use cityguide_proto::intake::v1::{Finish, Report};

pub(crate) use folder::Folder;
pub(crate) use issue::WrittenIssue;

/// The timeout of a publication.
const TIMEOUT: Duration = Duration::from_mins(10);

/// The services that store the content of a folder.
pub(crate) struct Services {
    pub(crate) places: Transport,
    pub(crate) editorial: Transport,
}

/// The services' reports on a folder.
pub(crate) struct Answers {
    pub(crate) places: Report,
    pub(crate) editorial: Report,
}

/// Publishes a folder that has been read, all or nothing: each service stores its part in one transaction,
/// and places is called only after editorial has said that it accepts its part. Pictures are stored first:
/// one that is never linked to does no harm.
pub(crate) async fn apply(
    services: &Services,
    blobs: &Blobs,
    folder: &Folder,
    dry_run: bool,
) -> Result<Answers, String> {
    let look = Finish {
        dry_run: true,
        all_or_nothing: true,
    };
    let keep = Finish {
        dry_run: false,
        ..look
    };
    let foreseen = import_items(services.editorial.clone(), folder, look).await?;
    if dry_run || !foreseen.refusals.is_empty() {
        return Ok(Answers {
            places: import_places(services.places.clone(), folder, look).await?,
            editorial: foreseen,
        });
    }
    for (key, content) in &folder.pictures {
        blobs
            .keep(key, content.clone().into())
            .await
            .map_err(|fault| fault.message)?;
    }
    let places = import_places(services.places.clone(), folder, keep).await?;
    let editorial = if places.applied {
        import_items(services.editorial.clone(), folder, keep).await?
    } else {
        foreseen
    };
    Ok(Answers { places, editorial })
}

async fn import_places(
    transport: Transport,
    folder: &Folder,
    finish: Finish,
) -> Result<Report, String> {
    use cityguide_proto::places::v1::{
        ImportRequest, import_request::Item, places_client::PlacesClient,
    };
    let types = folder.types.iter().cloned().map(Item::Type);
    let neighbourhoods = folder.neighbourhoods.iter().cloned();
    let items: Vec<_> = types
        .chain(neighbourhoods.map(Item::Neighbourhood))
        .chain(folder.places.iter().cloned().map(Item::Listing))
        .chain(folder.best_of_lists.iter().cloned().map(Item::BestOfList))
        .chain([Item::Finish(finish)])
        .map(|item| ImportRequest { item: Some(item) })
        .collect();
    let call = Call::new(Caller::Operator, TIMEOUT);
    PlacesClient::new(transport)
        .import(call.request(tokio_stream::iter(items)))
        .await
        .map(tonic::Response::into_inner)
        .map_err(|status| Fault::from(status).message)
}

async fn import_items(
    transport: Transport,
    folder: &Folder,
    finish: Finish,
) -> Result<Report, String> {
    use cityguide_proto::editorial::v1::{
        ImportRequest, editorial_client::EditorialClient, import_request::Item,
    };
    let items: Vec<_> = folder
        .items
        .iter()
        .cloned()
        .map(Item::Content)
        .chain([Item::Finish(finish)])
        .map(|item| ImportRequest { item: Some(item) })
        .collect();
    let call = Call::new(Caller::Operator, TIMEOUT);
    EditorialClient::new(transport)
        .import(call.request(tokio_stream::iter(items)))
        .await
        .map(tonic::Response::into_inner)
        .map_err(|status| Fault::from(status).message)
}
