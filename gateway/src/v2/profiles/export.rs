//! GET `profiles/me/export/`: all data stored about a reader.

use std::{collections::VecDeque, io};

use axum::{
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chassis::{call::Caller, computing::computed, error::Fault, slug};
use cityguide_proto::readers::v1::{ExportRequest, ExportResponse, Record};
use futures::stream;
use http::{
    HeaderValue,
    header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE},
};
use serde::Deserialize;

use super::archive::Archive;
use crate::{
    edge::{
        answer::PRIVATE,
        error::{ApiError, ErrorBody},
        limits::{Client, EXPORTS, TooMany},
        session::Reader,
    },
    media::hot::HotPictures,
    services::{Clients, Keeper},
    state::AppState,
};

/// All data stored about the reader, as a ZIP archive with an introduction and a JSON file for each kind of record.
/// The archive is streamed; a connection that ends early means a failed export.
#[utoipa::path(get, path = "/api/v2/profiles/me/export/", operation_id = "export_me", tag = "profiles",
    responses((status = 200, content_type = "application/zip", body = Vec<u8>),
        (status = 401, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn export(
    State(state): State<AppState>,
    reader: Reader,
    client: Client,
) -> Result<Response, ApiError> {
    client.pass_as(&reader, &state.limits, EXPORTS).await?;
    let profile = reader.profile(&state.services).await?;
    let export = Export {
        services: state.services.clone(),
        reader: Caller::Reader(reader.profile_id),
        // Contest entries are only included for a confirmed address, because anyone can enter a contest with any
        // address.
        verified_email: if profile.email_verified {
            profile.email
        } else {
            String::new()
        },
        archive: Archive::new(state.clock.now())?,
        pictures: state.pictures.clone(),
        files: VecDeque::new(),
        next: Some((Keeper::Identity, String::new())),
    };
    // Errors of the first page become an error response.
    let (first, export) = export.step().await?;
    let first = stream::once(async { Ok::<_, io::Error>(first) });
    let rest = stream::try_unfold(export, |export| async {
        let Some(export) = export else {
            return Ok(None);
        };
        export.step().await.map(Some).map_err(|fault| {
            tracing::warn!(%fault, "an export failed before its end");
            io::Error::other(fault)
        })
    });
    let name = slug::from_name(&state.site.name);
    let disposition = format!("attachment; filename=\"{name}-data.zip\"");
    let disposition = HeaderValue::from_str(&disposition)
        .unwrap_or_else(|_| HeaderValue::from_static("attachment"));
    let mut response = Body::from_stream(stream::StreamExt::chain(first, rest)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CONTENT_DISPOSITION, disposition);
    headers.insert(CACHE_CONTROL, PRIVATE);
    Ok(response)
}

/// A running export.
struct Export {
    services: Clients,
    reader: Caller,
    /// Empty if the address is not confirmed.
    verified_email: String,
    archive: Archive,
    pictures: HotPictures,
    /// The reader's photos and profile picture, which follow the records.
    files: VecDeque<String>,
    /// The service and cursor of the next page; `None` after the last page.
    next: Option<(Keeper, String)>,
}

impl Export {
    /// Fetches a page. Returns the next piece of the archive and the remaining export.
    async fn step(mut self) -> Result<(Bytes, Option<Self>), Fault> {
        let Some((keeper, after)) = self.next.take() else {
            if let Some(file) = self.files.pop_front() {
                return self.add_file(file).await;
            }
            let rest = computed(PACKING, move || self.archive.finish()).await??;
            return Ok((rest, None));
        };
        let ExportResponse { records, next } = self.page(keeper, after).await?;
        let pictures = records
            .iter()
            .filter(|record| WITH_FILES.contains(&record.kind.as_str()));
        self.files.extend(pictures.filter_map(file_of));
        self.next = match next {
            Some(after) => Some((keeper, after)),
            None => keeper.next().map(|keeper| (keeper, String::new())),
        };
        computed(PACKING, move || {
            self.archive.add(records)?;
            Ok((self.archive.take(), Some(self)))
        })
        .await?
    }

    /// Adds a picture; skips it if it has been deleted meanwhile.
    async fn add_file(mut self, file: String) -> Result<(Bytes, Option<Self>), Fault> {
        let content = match self.pictures.blobs().read(&file, None).await? {
            Some(content) => content.collect().await?,
            None => return Ok((Bytes::new(), Some(self))),
        };
        computed(PACKING, move || {
            self.archive.add_file(&file, &content)?;
            Ok((self.archive.take(), Some(self)))
        })
        .await?
    }

    async fn page(&self, keeper: Keeper, after: String) -> Result<ExportResponse, Fault> {
        let call = self.services.call(self.reader);
        let request = call.request(ExportRequest {
            verified_email: self.verified_email.clone(),
            after,
        });
        Ok(self.services.export(keeper, request).await?)
    }
}

/// Name of the compression task.
const PACKING: &str = "the packing of an export";
/// Kinds of records that may refer to a picture.
const WITH_FILES: [&str; 2] = ["photos", "photo_uploaders"];

/// Returns the picture file of a record.
fn file_of(record: &Record) -> Option<String> {
    #[derive(Deserialize)]
    struct Picture {
        file: Option<String>,
    }
    let picture: Picture = serde_json::from_str(&record.json).ok()?;
    picture.file
}
