//! A service in which each call tests one aspect of the transport.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use chassis::{
    actor::Actor,
    call::Caller,
    error::{Fault, FieldError},
};
use cityguide_proto::intake::v1::{Counts, KindCounts, Report};
use identity_proto::v1::{
    self as identity, AuthenticateRequest, AuthenticateResponse, GetProfileRequest, Profile,
    RegisterRequest, SessionStarted, SignInRequest, SignOutRequest, SignOutResponse,
    identity_server::Identity,
};
use places_proto::v1::{self as places, ImportRequest, places_server::Places};
use tokio::sync::Notify;
use tonic::{Request, Response, Status, Streaming};

#[derive(Clone, Default)]
pub(super) struct Probe {
    /// The number of `sign_out` calls in progress.
    pub(super) waiting: Arc<AtomicUsize>,
    /// Releases waiting calls of `sign_out`.
    pub(super) release: Arc<Notify>,
}

/// Decrements the counter, even if the handler is dropped.
struct Leaves(Arc<AtomicUsize>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The error that `register` returns.
pub(super) fn fault() -> Fault {
    Fault::invalid(vec![
        FieldError::new("email", "Enter a valid email address."),
        FieldError::new("non_field_errors", "Nor does \u{2014} it match."),
    ])
}

/// Implements identity: the named calls return `UNIMPLEMENTED`, the other calls have behaviour that tests use.
macro_rules! probe_of_calls {
    ($($name:ident: $request:ty => $response:ty),* $(,)?) => {
        #[async_trait]
        impl Identity for Probe {
            $(async fn $name(&self, _: Request<$request>) -> Result<Response<$response>, Status> {
                Err(Status::unimplemented("not probed"))
            })*

            /// Returns an error with details.
            async fn register(
                &self,
                _: Request<RegisterRequest>,
            ) -> Result<Response<SessionStarted>, Status> {
                Err(fault().into())
            }

            async fn sign_in(&self, _: Request<SignInRequest>) -> Result<Response<SessionStarted>, Status> {
                panic!("a defect of a handler, as the test asked");
            }

            /// Waits until the test releases the call.
            async fn sign_out(
                &self,
                _: Request<SignOutRequest>,
            ) -> Result<Response<SignOutResponse>, Status> {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                let _leaves = Leaves(Arc::clone(&self.waiting));
                self.release.notified().await;
                Ok(Response::new(SignOutResponse {}))
            }

            async fn authenticate(
                &self,
                request: Request<AuthenticateRequest>,
            ) -> Result<Response<AuthenticateResponse>, Status> {
                let length = i64::try_from(request.get_ref().session_token.len()).expect("fits");
                Ok(Response::new(AuthenticateResponse {
                    profile_id: length,
                    account_created: None,
                }))
            }

            /// Returns the caller, and the network and the operator of the call.
            async fn get_profile(
                &self,
                request: Request<GetProfileRequest>,
            ) -> Result<Response<Profile>, Status> {
                let full_name = format!("{:?}", Caller::from_request(&request));
                let Actor { network, operator } = Actor::current();
                Ok(Response::new(Profile {
                    full_name,
                    email: network.as_deref().unwrap_or_default().to_owned(),
                    pending_email: operator.as_deref().unwrap_or_default().to_owned(),
                    ..Profile::default()
                }))
            }
        }
    };
}

probe_of_calls! {
    require_proof: identity::RequireProofRequest => identity::RequireProofResponse,
    change_profile: identity::ChangeProfileRequest => Profile,
    send_email_confirmation: identity::SendEmailConfirmationRequest => identity::SendEmailConfirmationResponse,
    confirm_email: identity::ConfirmEmailRequest => identity::ConfirmEmailResponse,
    change_password: identity::ChangePasswordRequest => Profile,
    request_password_reset: identity::RequestPasswordResetRequest => identity::RequestPasswordResetResponse,
    check_reset_link: identity::CheckResetLinkRequest => identity::CheckResetLinkResponse,
    reset_password: identity::ResetPasswordRequest => identity::ResetPasswordResponse,
    list_sessions: identity::ListSessionsRequest => identity::ListSessionsResponse,
    end_session: identity::EndSessionRequest => identity::EndSessionResponse,
}

/// Implements places: the named calls return `UNIMPLEMENTED`, `import` reads a request stream.
macro_rules! probe_of_streams {
    ($($name:ident: $request:ty => $response:ty),* $(,)?) => {
        #[async_trait]
        impl Places for Probe {
            $(async fn $name(&self, _: Request<$request>) -> Result<Response<$response>, Status> {
                Err(Status::unimplemented("not probed"))
            })*

            /// Counts the received items.
            async fn import(
                &self,
                request: Request<Streaming<ImportRequest>>,
            ) -> Result<Response<Report>, Status> {
                Caller::from_request(&request).operator()?;
                let mut stream = request.into_inner();
                let mut counts = Counts::default();
                while stream.message().await?.is_some() {
                    counts.created += 1;
                }
                let of = KindCounts {
                    kind: "places".to_owned(),
                    counts: Some(counts),
                };
                Ok(Response::new(Report {
                    kinds: vec![of],
                    ..Report::default()
                }))
            }
        }
    };
}

probe_of_streams! {
    list_listings: places::ListListingsRequest => places::ListListingsResponse,
    get_listing: places::GetListingRequest => places::ListingDetail,
    list_open: places::ListOpenRequest => places::ListOpenResponse,
    get_listings: places::GetListingsRequest => places::GetListingsResponse,
    list_texts: places::ListTextsRequest => places::ListTextsResponse,
    list_similar: places::ListSimilarRequest => places::ListSimilarResponse,
    list_types: places::ListTypesRequest => places::ListTypesResponse,
    list_neighbourhoods: places::ListNeighbourhoodsRequest => places::ListNeighbourhoodsResponse,
    get_basemap: places::GetBasemapRequest => places::Basemap,
    get_neighbourhood: places::GetNeighbourhoodRequest => places::NeighbourhoodDetail,
    list_best_of: places::ListBestOfRequest => places::ListBestOfResponse,
    get_best_of: places::GetBestOfRequest => places::BestOfDetail,
    list_blocks: places::ListBlocksRequest => cityguide_proto::paging::v1::Blocks,
    list_addresses: places::ListAddressesRequest => cityguide_proto::paging::v1::Addresses,
    resolve: places::ResolveRequest => places::ResolveResponse,
    find_sources: places::FindSourcesRequest => places::FindSourcesResponse,
    find_places: places::FindPlacesRequest => places::FindPlacesResponse,
    match_places: places::MatchPlacesRequest => places::MatchPlacesResponse,
}
