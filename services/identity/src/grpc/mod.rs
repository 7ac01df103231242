//! Protobuf to domain and back, nothing else.

use chassis::{call::Caller, instant};
use cityguide_proto::identity::v1::{
    AuthenticateRequest, AuthenticateResponse, GetProfileRequest, Profile, RegisterRequest,
    SessionStarted, SignInRequest, SignOutRequest, SignOutResponse, identity_server::Identity,
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    domain::Registration,
    error::Error,
    usecases::{
        Started, authenticate::authenticate, read_profile::read_profile, register::register,
        sign_in::sign_in, sign_out::sign_out,
    },
};

pub(crate) struct IdentityApi {
    context: Context,
}

impl IdentityApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Identity for IdentityApi {
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
        let profile_id = authenticate(&self.context, &request.get_ref().session_token).await?;
        Ok(Response::new(AuthenticateResponse { profile_id }))
    }

    async fn get_profile(
        &self,
        request: Request<GetProfileRequest>,
    ) -> Result<Response<Profile>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let (profile, updates) = read_profile(&self.context, reader).await?;
        Ok(Response::new(Profile {
            id: profile.id,
            full_name: profile.full_name,
            email: profile.email,
            email_verified: profile.email_verified,
            last_updates: updates
                .into_iter()
                .map(|update| (update.kind, instant::to_proto(update.at)))
                .collect(),
            date_created: Some(instant::to_proto(profile.created_at)),
        }))
    }
}

fn started(started: Started) -> SessionStarted {
    SessionStarted {
        profile_id: started.profile_id,
        session_token: started.secret,
    }
}
