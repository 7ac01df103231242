//! gRPC methods for services that send mail to readers.

use bookmarks_proto::v1::{
    ListSavedRequest, ListSavedResponse, SavedByReader, saved_server::Saved,
};
use chassis::call::Caller;
use tonic::{Request, Response, Status, async_trait};

use super::{Api, parse};
use crate::usecases::list_saved::list_saved;

#[async_trait]
impl Saved for Api {
    async fn list_saved(
        &self,
        request: Request<ListSavedRequest>,
    ) -> Result<Response<ListSavedResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let ListSavedRequest { kind, reader_ids } = request.get_ref();
        let found = list_saved(&self.context, parse(kind)?, reader_ids).await?;
        let readers = found.into_iter().map(|one| SavedByReader {
            reader_id: one.profile_id,
            target_ids: one.target_ids,
        });
        Ok(Response::new(ListSavedResponse {
            readers: readers.collect(),
        }))
    }
}
