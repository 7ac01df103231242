//! Content folders of publishers, in Markdown and TOML.

mod best_of;
mod document;
mod event;
mod file;
mod folder;
mod front;
mod issue;
mod item;
mod one_by_one;
mod past_issue;
mod photos;
mod pictures;
mod place;
mod placing;
mod references;
mod root;

use std::time::Duration;

use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    error::Fault,
    rpc::Transport,
};
use cityguide_proto::intake::v1::{Finish, Report};
use editorial_proto::v1::ImportItem;

use self::photos::Importer;
pub(crate) use document::{Picture, lines_before, local, toml_mistake};
pub use folder::Folder;
pub use issue::WrittenIssue;
pub(crate) use pictures::{Kind as PictureKind, Pictures, content as picture_content};
pub(crate) use root::{MAX_TEXT, Root};

/// Timeout of a publication.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Services that store the content of a folder.
pub struct Services {
    /// Places, types, neighbourhoods and best-of lists.
    pub places: Transport,
    /// Articles, events, contests, videos and pages.
    pub editorial: Transport,
    /// Readers' photos.
    pub photos: Transport,
    /// Past issues of newsletters.
    pub newsletters: Transport,
}

/// Reports of the services on a folder.
pub struct Answers {
    /// Report on places, types, neighbourhoods and best-of lists.
    pub places: Report,
    /// Report on items.
    pub editorial: Report,
    /// Report on readers' photos.
    pub photos: Report,
    /// Report on past issues of newsletters.
    pub newsletters: Report,
}

/// Publishes a parsed folder. The places and editorial services each store their part in a single transaction, and
/// places is called only after editorial, photos and newsletters have validated their parts. Pictures are stored first: an
/// unused picture does no harm. Photos and issues are stored last, one at a time: if the publication is interrupted, a
/// repetition stores the remaining ones.
pub async fn apply(
    services: &Services,
    blobs: &Blobs,
    folder: &Folder,
    dry_run: bool,
) -> Result<Answers, String> {
    let look = Finish {
        dry_run: true,
        all_or_nothing: true,
        refuse_at_most: None,
    };
    let keep = Finish {
        dry_run: false,
        ..look
    };
    let importer = Importer {
        places: services.places.clone(),
        photos: services.photos.clone(),
        blobs,
    };
    let items = placing::items(services.places.clone(), folder).await?;
    let foreseen = import_items(services.editorial.clone(), items, look).await?;
    let photos = importer.foresee(&folder.photos).await?;
    let issues = past_issue::import(&services.newsletters, &folder.issues, true).await?;
    let is_refused = [&foreseen, &photos, &issues]
        .iter()
        .any(|report| !report.refusals.is_empty());
    if dry_run || is_refused {
        return Ok(Answers {
            places: import_places(services.places.clone(), folder, look).await?,
            editorial: foreseen,
            photos,
            newsletters: issues,
        });
    }
    folder.pictures.publish(blobs).await?;
    let places = import_places(services.places.clone(), folder, keep).await?;
    if !places.applied {
        return Ok(Answers {
            places,
            editorial: foreseen,
            photos,
            newsletters: issues,
        });
    }
    // The folder's new places have ids now.
    let items = placing::items(services.places.clone(), folder).await?;
    Ok(Answers {
        places,
        editorial: import_items(services.editorial.clone(), items, keep).await?,
        photos: importer.import(&folder.photos).await?,
        newsletters: past_issue::import(&services.newsletters, &folder.issues, false).await?,
    })
}

async fn import_places(
    transport: Transport,
    folder: &Folder,
    finish: Finish,
) -> Result<Report, String> {
    use places_proto::v1::{ImportRequest, import_request::Item, places_client::PlacesClient};
    let types = folder.types.iter().cloned().map(Item::Type);
    let neighbourhoods = folder.neighbourhoods.iter().cloned();
    let items: Vec<_> = types
        .chain(neighbourhoods.map(Item::Neighbourhood))
        .chain(folder.basemap.iter().cloned().map(Item::Basemap))
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
    items: Vec<ImportItem>,
    finish: Finish,
) -> Result<Report, String> {
    use editorial_proto::v1::{
        ImportRequest, editorial_client::EditorialClient, import_request::Item,
    };
    let items: Vec<_> = items
        .into_iter()
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
