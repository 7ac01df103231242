//! The calls for logging in with Facebook.

use chassis::{call::Caller, instant};
use identity_proto::v1::{
    BeginFacebookLoginRequest, BeginFacebookLoginResponse, CompleteFacebookLoginRequest,
    CompleteFacebookLoginResponse, DeleteFacebookDataRequest, DeleteFacebookDataResponse,
    DisconnectFacebookRequest, DisconnectFacebookResponse, FacebookConnection, FacebookDeletion,
    FacebookEntry, FacebookTokenRequest, GetFacebookConnectionRequest, GetFacebookDeletionRequest,
    complete_facebook_login_response::Outcome as OutcomeMessage,
    facebook_logins_server::FacebookLogins,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, reader, started};
use crate::{
    domain::{LoginOutcome, Outcome, Return, SessionToken},
    usecases::facebook::{
        deletion::{delete_data, get_deletion},
        login::{Entered, Visitor, begin, complete, with_token},
        manage::{disconnect, get},
    },
};

#[async_trait]
impl FacebookLogins for Api {
    async fn begin_login(
        &self,
        request: Request<BeginFacebookLoginRequest>,
    ) -> Result<Response<BeginFacebookLoginResponse>, Status> {
        let caller = Caller::from_request(&request);
        let BeginFacebookLoginRequest {
            browser,
            page,
            connect,
            session_token,
        } = request.into_inner();
        let session = SessionToken::new(&session_token);
        let connects = connect.then(|| caller.reader()).transpose()?;
        let authorization_url = begin(&self.context, &browser, page, connects, &session).await?;
        Ok(Response::new(BeginFacebookLoginResponse {
            authorization_url,
        }))
    }

    async fn complete_login(
        &self,
        request: Request<CompleteFacebookLoginRequest>,
    ) -> Result<Response<CompleteFacebookLoginResponse>, Status> {
        let reader = reader(&request);
        let CompleteFacebookLoginRequest {
            browser,
            state,
            code,
            error,
            device,
            session_token,
        } = request.into_inner();
        let visitor = Visitor {
            reader,
            session: SessionToken::new(&session_token),
            device,
        };
        let back = Return {
            browser,
            state,
            outcome: Outcome::parse(code, &error),
        };
        let (outcome, page, entered) = complete(&self.context, &visitor, &back).await?;
        Ok(Response::new(CompleteFacebookLoginResponse {
            outcome: message(outcome).into(),
            page,
            entry: entered.map(entry),
        }))
    }

    async fn login_with_token(
        &self,
        request: Request<FacebookTokenRequest>,
    ) -> Result<Response<FacebookEntry>, Status> {
        let reader = reader(&request);
        let FacebookTokenRequest {
            token,
            user_id,
            device,
            session_token,
        } = request.into_inner();
        let visitor = Visitor {
            reader,
            session: SessionToken::new(&session_token),
            device,
        };
        let entered = with_token(&self.context, &visitor, &token, &user_id).await?;
        Ok(Response::new(entry(entered)))
    }

    async fn get_connection(
        &self,
        request: Request<GetFacebookConnectionRequest>,
    ) -> Result<Response<FacebookConnection>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let connected = get(&self.context, reader).await?;
        Ok(Response::new(FacebookConnection {
            date_connected: connected.map(instant::to_proto),
        }))
    }

    async fn disconnect(
        &self,
        request: Request<DisconnectFacebookRequest>,
    ) -> Result<Response<DisconnectFacebookResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        disconnect(&self.context, reader).await?;
        Ok(Response::new(DisconnectFacebookResponse {}))
    }

    async fn delete_data(
        &self,
        request: Request<DeleteFacebookDataRequest>,
    ) -> Result<Response<DeleteFacebookDataResponse>, Status> {
        let signed_request = &request.get_ref().signed_request;
        let confirmation_code = delete_data(&self.context, signed_request).await?;
        Ok(Response::new(DeleteFacebookDataResponse {
            confirmation_code,
        }))
    }

    async fn get_deletion(
        &self,
        request: Request<GetFacebookDeletionRequest>,
    ) -> Result<Response<FacebookDeletion>, Status> {
        let code = &request.get_ref().confirmation_code;
        let (outcome, requested) = get_deletion(&self.context, code).await?;
        Ok(Response::new(FacebookDeletion {
            outcome,
            date_requested: Some(instant::to_proto(requested)),
        }))
    }
}

fn entry(entered: Entered) -> FacebookEntry {
    FacebookEntry {
        session: entered.session.map(started),
        email: entered.email,
    }
}

fn message(outcome: LoginOutcome) -> OutcomeMessage {
    match outcome {
        LoginOutcome::Stale => OutcomeMessage::Unspecified,
        LoginOutcome::LoggedIn => OutcomeMessage::LoggedIn,
        LoginOutcome::Connected => OutcomeMessage::Connected,
        LoginOutcome::Cancelled => OutcomeMessage::Cancelled,
        LoginOutcome::AddressTaken => OutcomeMessage::AddressTaken,
        LoginOutcome::NoAddress => OutcomeMessage::NoAddress,
        LoginOutcome::OtherAccount => OutcomeMessage::OtherAccount,
        LoginOutcome::Disabled => OutcomeMessage::Disabled,
        LoginOutcome::Failed => OutcomeMessage::Failed,
        LoginOutcome::Unproven => OutcomeMessage::Unproven,
    }
}
