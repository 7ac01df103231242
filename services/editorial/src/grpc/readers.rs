//! The calls about what this service keeps of readers.

use chassis::readers::{Asked, Leaver};
use cityguide_proto::{
    editorial::v1::readers_server::Readers,
    readers::v1::{EraseRequest, EraseResponse, ExportRequest, ExportResponse},
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    usecases::{erase_reader::erase_reader, export_reader::export_reader},
};

pub(crate) struct ReadersApi {
    context: Context,
}

impl ReadersApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Readers for ReadersApi {
    async fn erase(
        &self,
        request: Request<EraseRequest>,
    ) -> Result<Response<EraseResponse>, Status> {
        let leaver = Leaver::of(&request)?;
        let counts = erase_reader(&self.context, &leaver).await?;
        Ok(Response::new(EraseResponse { counts }))
    }

    async fn export(
        &self,
        request: Request<ExportRequest>,
    ) -> Result<Response<ExportResponse>, Status> {
        let asked = Asked::of(&request)?;
        Ok(Response::new(export_reader(&self.context, &asked).await?))
    }
}
