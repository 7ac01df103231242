//! The call that imports photos with the site's content.

use chassis::{call::Caller, instant};
use photos_proto::v1::{
    ImportPhotoRequest, ImportPhotoResponse, import_photo_response::Outcome as Told,
    imports_server::Imports,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, received};
use crate::{
    domain::ImportedPhoto,
    usecases::import_photo::{Outcome, import_photo},
};

#[async_trait]
impl Imports for Api {
    async fn import_photo(
        &self,
        request: Request<ImportPhotoRequest>,
    ) -> Result<Response<ImportPhotoResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let request = request.get_ref();
        let blob = request.blob.as_str();
        let incoming = match blob {
            "" => None,
            blob => Some(received(blob)?),
        };
        let created = request.created.as_ref().and_then(instant::from_proto);
        let texts = [
            request.instagram_user.as_str(),
            &request.description,
            &request.licence,
        ];
        let parsed = ImportedPhoto::parse(request.listing_id, &request.digest, texts, created);
        let new = match (parsed, incoming) {
            (Ok(new), _) => new,
            (Err(fault), incoming) => {
                if let Some(incoming) = incoming {
                    self.context.discard(incoming).await;
                }
                return Err(fault.into());
            }
        };
        let outcome = import_photo(&self.context, &new, incoming, request.dry_run).await?;
        let (answer, fields) = match outcome {
            Outcome::Unchanged => (Told::Unchanged, Vec::new()),
            Outcome::Changed(fields) => (Told::Changed, fields),
            Outcome::Created => (Told::Created, Vec::new()),
            Outcome::FileNeeded => (Told::BlobNeeded, Vec::new()),
        };
        Ok(Response::new(ImportPhotoResponse {
            outcome: answer.into(),
            fields: fields.into_iter().map(str::to_owned).collect(),
        }))
    }
}
