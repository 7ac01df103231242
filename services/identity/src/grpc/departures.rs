//! The calls of readers who leave.

use chassis::{call::Caller, readers::Asked};
use cityguide_proto::{
    identity::v1::{
        EraseAccountRequest, EraseAccountResponse, GetReceiptRequest, Receipt,
        VerifyReceiptRequest, departures_server::Departures,
    },
    readers::v1::{ExportRequest, ExportResponse},
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    usecases::{
        erase_account::erase_account,
        export::export,
        receipts::{get_receipt, verify_receipt},
    },
};

pub(crate) struct DeparturesApi {
    context: Context,
}

impl DeparturesApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Departures for DeparturesApi {
    async fn export(
        &self,
        request: Request<ExportRequest>,
    ) -> Result<Response<ExportResponse>, Status> {
        let asked = Asked::of(&request)?;
        Ok(Response::new(export(&self.context, &asked).await?))
    }

    async fn erase_account(
        &self,
        request: Request<EraseAccountRequest>,
    ) -> Result<Response<EraseAccountResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let password = &request.get_ref().current_password;
        erase_account(&self.context, reader, password).await?;
        Ok(Response::new(EraseAccountResponse {}))
    }

    async fn get_receipt(
        &self,
        request: Request<GetReceiptRequest>,
    ) -> Result<Response<Receipt>, Status> {
        let token = &request.get_ref().token;
        Ok(Response::new(get_receipt(&self.context, token).await?))
    }

    async fn verify_receipt(
        &self,
        request: Request<VerifyReceiptRequest>,
    ) -> Result<Response<Receipt>, Status> {
        Caller::from_request(&request).operator()?;
        let jws = &request.get_ref().jws;
        Ok(Response::new(verify_receipt(&self.context, jws).await?))
    }
}
