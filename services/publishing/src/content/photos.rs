//! Photos of places by Instagram users, included in a content folder.

use std::{collections::HashMap, path::PathBuf, time::Duration};

use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    entropy::{self, OsEntropy},
    error::{Code, Fault},
    rpc::Transport,
};
use cityguide_proto::intake::v1::Report;
use futures::stream;
use photos_proto::v1::{
    ImportPhotoRequest, ImportPhotoResponse, import_photo_response::Outcome,
    imports_client::ImportsClient,
};
use pictures::{AVATAR, MAX_BYTES};
use places_proto::v1::{FindSourcesRequest, places_client::PlacesClient};
use prost_types::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{
    file,
    one_by_one::{Effect, Entry, report},
};

/// Timeout of a call.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum number of source ids per call.
const ASKED: usize = 1_000;
/// Name of the kind in reports.
const KIND: &str = "photos";

/// A photo of a place with an inspected file.
#[derive(Debug)]
pub(crate) struct Photo {
    /// "places/pai.md, line 14".
    pub(super) position: String,
    /// Source id of the place.
    pub(super) listing: String,
    pub(super) path: PathBuf,
    /// SHA-256 digest of the file.
    pub(super) digest: [u8; 32],
    pub(super) instagram_user: String,
    pub(super) description: String,
    pub(super) licence: String,
    pub(super) created: Option<Timestamp>,
}

impl Photo {
    /// Returns the digest of a picture's file, or the reason why it is not a valid picture.
    pub(super) fn digest(content: &[u8]) -> Result<[u8; 32], String> {
        let inspected = pictures::inspect(content);
        inspected.map_err(|refusal| format!("is refused: {refusal}"))?;
        Ok(Sha256::digest(content).into())
    }

    fn request(&self, listing_id: i64, dry_run: bool) -> ImportPhotoRequest {
        ImportPhotoRequest {
            listing_id,
            digest: self.digest.to_vec(),
            blob: String::new(),
            instagram_user: self.instagram_user.clone(),
            description: self.description.clone(),
            licence: self.licence.clone(),
            created: self.created,
            dry_run,
        }
    }

    /// Returns the file's content, if it has not changed since its inspection.
    fn content(&self) -> Result<Vec<u8>, String> {
        let content = file::content(&self.path, MAX_BYTES)?;
        if Sha256::digest(&content).as_slice() == self.digest {
            Ok(content)
        } else {
            Err("has changed meanwhile".to_owned())
        }
    }

    /// Checks that the complete picture can be decoded.
    async fn decodes(&self) -> Result<(), String> {
        let content = self.content()?;
        let made = tokio::task::spawn_blocking(move || pictures::make(&content, &[&AVATAR])).await;
        let made = made.map_err(|error| format!("was not read: {error}"))?;
        made.map(drop)
            .map_err(|refusal| format!("is refused: {refusal}"))
    }
}

/// The services and the blob store for photos.
pub(super) struct Importer<'a> {
    pub(super) places: Transport,
    pub(super) photos: Transport,
    pub(super) blobs: &'a Blobs,
}

impl Importer<'_> {
    /// Reports the effects of an import and the photos that would be rejected. Changes nothing.
    pub(super) async fn foresee(&self, photos: &[Photo]) -> Result<Report, String> {
        let listings = self.listings(photos).await?;
        // One at a time: decoding a picture of 48 megapixels needs 300 MiB.
        report(KIND, photos, async |photo| {
            // A new place has no photos yet.
            let listing = listings.get(&photo.listing).copied().unwrap_or_default();
            let answer = self.call(photo.request(listing, true)).await?;
            if answer.outcome() == Outcome::BlobNeeded {
                let decoded = photo.decodes().await;
                decoded.map_err(|why| refused(photo, &why))?;
                return Ok(Effect::Created);
            }
            Ok(effect(answer))
        })
        .await
    }

    /// Imports the photos of stored places.
    pub(super) async fn import(&self, photos: &[Photo]) -> Result<Report, String> {
        let listings = self.listings(photos).await?;
        report(KIND, photos, async |photo| {
            let listing = listings.get(&photo.listing).copied();
            let listing = listing.ok_or_else(|| refused(photo, "has no place"))?;
            let mut answer = self.call(photo.request(listing, false)).await?;
            if answer.outcome() == Outcome::BlobNeeded {
                answer = self.send(photo, listing).await?;
            }
            Ok(effect(answer))
        })
        .await
    }

    /// Returns the ids of the photos' places by source id.
    async fn listings(&self, photos: &[Photo]) -> Result<HashMap<String, i64>, String> {
        let mut source_ids: Vec<_> = photos.iter().map(|photo| photo.listing.clone()).collect();
        source_ids.sort();
        source_ids.dedup();
        let mut found = HashMap::new();
        for source_ids in source_ids.chunks(ASKED) {
            let source_ids = source_ids.to_vec();
            let request =
                Call::new(Caller::Operator, TIMEOUT).request(FindSourcesRequest { source_ids });
            let answer = PlacesClient::new(self.places.clone())
                .find_sources(request)
                .await;
            let answer = answer.map_err(|status| Fault::from(status).message)?;
            let listings = answer.into_inner().listings.into_iter();
            found.extend(listings.map(|source| (source.source_id, source.id)));
        }
        Ok(found)
    }

    async fn call(&self, request: ImportPhotoRequest) -> Result<ImportPhotoResponse, Fault> {
        let request = Call::new(Caller::Operator, TIMEOUT).request(request);
        let answer = ImportsClient::new(self.photos.clone())
            .import_photo(request)
            .await;
        answer.map(tonic::Response::into_inner).map_err(Fault::from)
    }

    /// Sends a photo with its file.
    async fn send(&self, photo: &Photo, listing: i64) -> Result<ImportPhotoResponse, Fault> {
        let content = photo.content();
        let content = content.map_err(|why| refused(photo, &why))?;
        let blob = entropy::uuid(&OsEntropy);
        let content = stream::iter([Ok::<_, String>(content.into())]);
        let received = self.blobs.receive(blob, content, MAX_BYTES).await;
        received.map_err(|error| Fault::new(Code::Unavailable, error.to_string()))?;
        let request = ImportPhotoRequest {
            blob: blob.to_string(),
            ..photo.request(listing, false)
        };
        self.call(request).await
    }
}

impl Entry for Photo {
    fn position(&self) -> &str {
        &self.position
    }

    fn source_id(&self) -> &str {
        &self.listing
    }
}

fn effect(answer: ImportPhotoResponse) -> Effect {
    match answer.outcome() {
        Outcome::Created => Effect::Created,
        Outcome::Changed => Effect::Changed(answer.fields),
        _ => Effect::Unchanged,
    }
}

fn refused(photo: &Photo, why: &str) -> Fault {
    let path = photo.path.display();
    Fault::new(Code::Invalid, format!("the picture {path} {why}"))
}
