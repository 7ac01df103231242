//! The calls about erasures and exports.

use chassis::{call::Caller, readers::Export};
use cityguide_proto::readers::v1::{ExportRequest, ExportResponse};
use identity_proto::v1::{
    EraseAccountRequest, EraseAccountResponse, GetReceiptRequest, Receipt, VerifyReceiptRequest,
    departures_server::Departures,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, passkeys};
use crate::{
    domain::SessionToken,
    usecases::{
        erase_account::{OwnProof, erase_account},
        export::export,
        receipts::{get_receipt, verify_receipt},
    },
};

#[async_trait]
impl Departures for Api {
    async fn export(
        &self,
        request: Request<ExportRequest>,
    ) -> Result<Response<ExportResponse>, Status> {
        let wanted = Export::of(&request)?;
        Ok(Response::new(export(&self.context, &wanted).await?))
    }

    async fn erase_account(
        &self,
        request: Request<EraseAccountRequest>,
    ) -> Result<Response<EraseAccountResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let EraseAccountRequest {
            current_password,
            passkey,
            session_token,
        } = request.into_inner();
        let proof = match passkey {
            Some(answer) => OwnProof::Passkey(passkeys::read(Some(answer))),
            None if current_password.is_empty() => {
                OwnProof::Session(SessionToken::new(&session_token))
            }
            None => OwnProof::Password(current_password),
        };
        erase_account(&self.context, reader, &proof).await?;
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
