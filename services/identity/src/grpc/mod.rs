//! The gRPC server: conversion between protobuf and domain types only.

mod access;
mod accounts;
mod calendar_feeds;
mod calendars;
mod departures;
mod facebook;
mod passkeys;

use chassis::{call::Caller, instant};
use identity_proto::v1::{
    self as proto, AuthenticateRequest, AuthenticateResponse, ChangePasswordRequest,
    ChangeProfileRequest, CheckResetLinkRequest, CheckResetLinkResponse, ConfirmEmailRequest,
    ConfirmEmailResponse, EndSessionRequest, EndSessionResponse, GetProfileRequest,
    ListSessionsRequest, ListSessionsResponse, Profile, RegisterRequest,
    RequestPasswordResetRequest, RequestPasswordResetResponse, RequireProofRequest,
    RequireProofResponse, ResetPasswordRequest, ResetPasswordResponse,
    SendEmailConfirmationRequest, SendEmailConfirmationResponse, Session, SessionStarted,
    SignInRequest, SignOutRequest, SignOutResponse, identity_server::Identity,
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    domain::{AccessChoice, Change, OpenSession, Registration, SessionToken, device_name},
    error::Error,
    owners::Owners,
    usecases::{
        Started,
        authenticate::authenticate,
        change_password::change_password,
        change_profile::change_profile,
        confirm_email::confirm_email,
        end_session::end_session,
        list_sessions::list_sessions,
        proof::require_proof,
        read_profile::read_profile,
        register::register,
        request_password_reset::request_password_reset,
        reset_password::{is_valid_link, reset_password},
        send_email_confirmation::send_email_confirmation,
        sign_in::sign_in,
        sign_out::sign_out,
    },
};

#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) context: Context,
    pub(crate) owners: Owners,
}

impl Api {
    async fn profile(&self, reader: i64) -> Result<Response<Profile>, Status> {
        let (profile, updates) = read_profile(&self.context, reader).await?;
        Ok(Response::new(Profile {
            id: profile.id,
            full_name: profile.full_name,
            email: profile.email,
            email_verified: profile.email_verified,
            pending_email: profile.pending_email.unwrap_or_default(),
            calendar_sync: profile.calendar_sync,
            is_without_password: !profile.has_password,
            last_updates: updates
                .into_iter()
                .map(|update| (update.kind, instant::to_proto(update.at)))
                .collect(),
            date_created: Some(instant::to_proto(profile.created_at)),
        }))
    }
}

#[async_trait]
impl Identity for Api {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<SessionStarted>, Status> {
        let RegisterRequest {
            full_name,
            email,
            password,
            password_repeat,
            device,
        } = request.into_inner();
        let registration = Registration::parse(&full_name, &email, &password, &password_repeat)
            .map_err(Error::Invalid)?;
        Ok(Response::new(started(
            register(&self.context, registration, &device).await?,
        )))
    }

    async fn sign_in(
        &self,
        request: Request<SignInRequest>,
    ) -> Result<Response<SessionStarted>, Status> {
        let SignInRequest {
            email,
            password,
            device,
        } = request.into_inner();
        Ok(Response::new(started(
            sign_in(&self.context, &email, &password, &device).await?,
        )))
    }

    async fn sign_out(
        &self,
        request: Request<SignOutRequest>,
    ) -> Result<Response<SignOutResponse>, Status> {
        sign_out(&self.context, &request.get_ref().session_token).await?;
        Ok(Response::new(SignOutResponse {}))
    }

    async fn authenticate(
        &self,
        request: Request<AuthenticateRequest>,
    ) -> Result<Response<AuthenticateResponse>, Status> {
        let account = authenticate(&self.context, &request.get_ref().session_token).await?;
        Ok(Response::new(AuthenticateResponse {
            profile_id: account.profile_id,
            account_created: Some(instant::to_proto(account.created_at)),
        }))
    }

    async fn require_proof(
        &self,
        request: Request<RequireProofRequest>,
    ) -> Result<Response<RequireProofResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let session = SessionToken::new(&request.get_ref().session_token);
        let connection = self.context.pool.acquire().await;
        let mut connection = connection.map_err(Error::from)?;
        require_proof(&self.context, &mut connection, reader, &session).await?;
        Ok(Response::new(RequireProofResponse {}))
    }

    async fn get_profile(
        &self,
        request: Request<GetProfileRequest>,
    ) -> Result<Response<Profile>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        self.profile(reader).await
    }

    async fn change_profile(
        &self,
        request: Request<ChangeProfileRequest>,
    ) -> Result<Response<Profile>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ChangeProfileRequest {
            full_name,
            email,
            calendar_sync,
        } = request.into_inner();
        let change = Change::parse(full_name.as_deref(), email.as_deref(), calendar_sync)
            .map_err(Error::Invalid)?;
        change_profile(&self.context, reader, change).await?;
        self.profile(reader).await
    }

    async fn send_email_confirmation(
        &self,
        request: Request<SendEmailConfirmationRequest>,
    ) -> Result<Response<SendEmailConfirmationResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        send_email_confirmation(&self.context, reader).await?;
        Ok(Response::new(SendEmailConfirmationResponse {}))
    }

    async fn confirm_email(
        &self,
        request: Request<ConfirmEmailRequest>,
    ) -> Result<Response<ConfirmEmailResponse>, Status> {
        let reader = reader(&request);
        let request = request.get_ref();
        let choice = match request.choice() {
            proto::AccessChoice::Unspecified => None,
            proto::AccessChoice::Keep => Some(AccessChoice::Keep),
            proto::AccessChoice::End => Some(AccessChoice::End),
        };
        let confirmation = confirm_email(&self.context, &request.token, reader, choice).await?;
        Ok(Response::new(ConfirmEmailResponse {
            email: confirmation.email,
            is_confirmed: confirmation.is_confirmed,
            access: Some(access::access(&confirmation.access)),
            password_token: confirmation.password_secret.unwrap_or_default(),
        }))
    }

    async fn change_password(
        &self,
        request: Request<ChangePasswordRequest>,
    ) -> Result<Response<Profile>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ChangePasswordRequest {
            current_password,
            new_password,
            session_token,
        } = request.into_inner();
        let own = SessionToken::new(&session_token);
        let (current, new) = (&current_password, &new_password);
        change_password(&self.context, reader, current, new, &own).await?;
        self.profile(reader).await
    }

    async fn request_password_reset(
        &self,
        request: Request<RequestPasswordResetRequest>,
    ) -> Result<Response<RequestPasswordResetResponse>, Status> {
        request_password_reset(&self.context, &request.get_ref().email).await?;
        Ok(Response::new(RequestPasswordResetResponse {}))
    }

    async fn check_reset_link(
        &self,
        request: Request<CheckResetLinkRequest>,
    ) -> Result<Response<CheckResetLinkResponse>, Status> {
        let is_valid = is_valid_link(&self.context, &request.get_ref().token).await?;
        Ok(Response::new(CheckResetLinkResponse { is_valid }))
    }

    async fn reset_password(
        &self,
        request: Request<ResetPasswordRequest>,
    ) -> Result<Response<ResetPasswordResponse>, Status> {
        let reader = reader(&request);
        let ResetPasswordRequest {
            token,
            new_password,
        } = request.into_inner();
        let (email, access) = reset_password(&self.context, &token, &new_password, reader).await?;
        Ok(Response::new(ResetPasswordResponse {
            email,
            access: Some(access::access(&access)),
        }))
    }

    async fn list_sessions(
        &self,
        request: Request<ListSessionsRequest>,
    ) -> Result<Response<ListSessionsResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let own = SessionToken::new(&request.get_ref().session_token);
        let listed = list_sessions(&self.context, reader).await?;
        let sessions = listed.iter().map(|session| to_proto(session, &own));
        Ok(Response::new(ListSessionsResponse {
            sessions: sessions.collect(),
        }))
    }

    async fn end_session(
        &self,
        request: Request<EndSessionRequest>,
    ) -> Result<Response<EndSessionResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        end_session(&self.context, reader, request.get_ref().id).await?;
        Ok(Response::new(EndSessionResponse {}))
    }
}

fn to_proto(session: &OpenSession, own: &SessionToken) -> Session {
    Session {
        id: session.id,
        device: device_name(&session.device),
        date_created: Some(instant::to_proto(session.created_at)),
        last_active: Some(instant::to_proto(session.last_active_at)),
        is_current: session.token_digest == own.digest(),
    }
}

fn started(started: Started) -> SessionStarted {
    SessionStarted {
        profile_id: started.account.profile_id,
        session_token: started.secret,
        account_created: Some(instant::to_proto(started.account.created_at)),
    }
}

/// The signed-in reader, if any.
fn reader<T>(request: &Request<T>) -> Option<i64> {
    match Caller::from_request(request) {
        Caller::Reader(reader) => Some(reader),
        _ => None,
    }
}
