//! The calls about passkeys.

use chassis::call::Caller;
use identity_proto::v1::{
    self as proto, AddPasskeyRequest, BeginRegistrationRequest, BeginSignInRequest, Ceremony,
    ListPasskeysRequest, ListPasskeysResponse, PasskeyAnswer, PasskeyRegisterRequest,
    PasskeySignInRequest, PasskeySignInResponse, RemovePasskeyRequest, RemovePasskeyResponse,
    SessionStarted, passkeys_server::Passkeys,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, access::passkey, started};
use crate::{
    domain::{Answer, Begun, Newcomer},
    error::Error,
    usecases::passkeys::{
        add::add,
        begin::{begin_for_guest, begin_for_reader, begin_sign_in},
        manage::{list, remove},
        register::register,
        sign_in::sign_in,
    },
};

#[async_trait]
impl Passkeys for Api {
    async fn begin_sign_in(
        &self,
        request: Request<BeginSignInRequest>,
    ) -> Result<Response<Ceremony>, Status> {
        let browser = &request.get_ref().browser;
        Ok(Response::new(begun(begin_sign_in(&self.context, browser)?)))
    }

    async fn begin_registration(
        &self,
        request: Request<BeginRegistrationRequest>,
    ) -> Result<Response<Ceremony>, Status> {
        let caller = Caller::from_request(&request);
        let BeginRegistrationRequest {
            full_name,
            email,
            browser,
        } = request.into_inner();
        let begun_for = if let Caller::Reader(reader) = caller {
            begin_for_reader(&self.context, reader, &browser).await?
        } else {
            let newcomer = Newcomer::parse(&full_name, &email).map_err(Error::Invalid)?;
            begin_for_guest(&self.context, &newcomer, &browser)?
        };
        Ok(Response::new(begun(begun_for)))
    }

    async fn sign_in(
        &self,
        request: Request<PasskeySignInRequest>,
    ) -> Result<Response<PasskeySignInResponse>, Status> {
        let PasskeySignInRequest { answer, device } = request.into_inner();
        let (session, email) = sign_in(&self.context, &read(answer), &device).await?;
        Ok(Response::new(PasskeySignInResponse {
            session: Some(started(session)),
            email,
        }))
    }

    async fn register(
        &self,
        request: Request<PasskeyRegisterRequest>,
    ) -> Result<Response<SessionStarted>, Status> {
        let PasskeyRegisterRequest {
            answer,
            full_name,
            email,
            device,
        } = request.into_inner();
        let newcomer = Newcomer::parse(&full_name, &email).map_err(Error::Invalid)?;
        let session = register(&self.context, &read(answer), &newcomer, &device).await?;
        Ok(Response::new(started(session)))
    }

    async fn add_passkey(
        &self,
        request: Request<AddPasskeyRequest>,
    ) -> Result<Response<proto::Passkey>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let AddPasskeyRequest { answer, device } = request.into_inner();
        let added = add(&self.context, reader, &read(answer), &device).await?;
        Ok(Response::new(passkey(&added)))
    }

    async fn list_passkeys(
        &self,
        request: Request<ListPasskeysRequest>,
    ) -> Result<Response<ListPasskeysResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let listed = list(&self.context, reader).await?;
        Ok(Response::new(ListPasskeysResponse {
            passkeys: listed.iter().map(passkey).collect(),
        }))
    }

    async fn remove_passkey(
        &self,
        request: Request<RemovePasskeyRequest>,
    ) -> Result<Response<RemovePasskeyResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        remove(&self.context, reader, request.get_ref().id).await?;
        Ok(Response::new(RemovePasskeyResponse {}))
    }
}

/// A missing response is treated as an empty one, which matches no ceremony.
pub(super) fn read(answer: Option<PasskeyAnswer>) -> Answer {
    let PasskeyAnswer {
        token,
        credential,
        browser,
    } = answer.unwrap_or_default();
    Answer {
        token,
        credential,
        browser,
    }
}

fn begun(Begun { options, token }: Begun) -> Ceremony {
    Ceremony { options, token }
}
