//! A call behaves the same whether its service runs in this process or behind a socket.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use chassis::{
    actor::{Actor, with_actor},
    call::{Call, Caller, CallerTokens},
    error::{Code, Fault, FieldError},
    keys::Keys,
    lifecycle::Lifecycle,
    rpc::{self, Guard, Transport},
};
use cityguide_proto::{
    identity::v1::{
        self as identity, AuthenticateRequest, AuthenticateResponse, GetProfileRequest, Profile,
        RegisterRequest, SessionStarted, SignInRequest, SignOutRequest, SignOutResponse,
        identity_client::IdentityClient,
        identity_server::{Identity, IdentityServer},
    },
    intake::v1::{Counts, KindCounts, Report},
    places::v1::{
        self as places, ImportRequest,
        places_client::PlacesClient,
        places_server::{Places, PlacesServer},
    },
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use testkit::{calls, clock::ManualClock, until};
use tokio::{net::TcpListener, sync::Notify};
use tonic::{
    Request, Response, Status, Streaming, body::Body, service::Routes, transport::Endpoint,
};
use tower::ServiceExt;

/// Far longer than any of these tests waits.
const VERY_LONG: Duration = Duration::from_mins(1);
const TIMEOUT: Duration = Duration::from_millis(1500);
const CONCURRENCY: usize = 3;

/// A service whose every call shows one side of the transport.
#[derive(Clone, Default)]
struct Probe {
    /// Calls of `sign_out` under way.
    waiting: Arc<AtomicUsize>,
    /// Lets them go.
    release: Arc<Notify>,
}

/// Counts down, also where the handler is dropped.
struct Leaves(Arc<AtomicUsize>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn fault() -> Fault {
    Fault::invalid(vec![
        FieldError::new("email", "Enter a valid email address."),
        FieldError::new("non_field_errors", "Nor does \u{2014} it match."),
    ])
}

/// The calls of identity that no test makes, and those that tests make.
macro_rules! probe_of_calls {
    ($($name:ident: $request:ty => $response:ty),* $(,)?) => {
        #[async_trait]
        impl Identity for Probe {
            $(async fn $name(&self, _: Request<$request>) -> Result<Response<$response>, Status> {
                Err(Status::unimplemented("not probed"))
            })*

            /// Answers an error with details.
            async fn register(
                &self,
                _: Request<RegisterRequest>,
            ) -> Result<Response<SessionStarted>, Status> {
                Err(fault().into())
            }

            async fn sign_in(&self, _: Request<SignInRequest>) -> Result<Response<SessionStarted>, Status> {
                panic!("a defect of a handler, as the test asked");
            }

            /// Waits until it is let go.
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

            /// Answers who is calling, and the network and the operator behind the call.
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
    change_profile: identity::ChangeProfileRequest => Profile,
    send_email_confirmation: identity::SendEmailConfirmationRequest => identity::SendEmailConfirmationResponse,
    confirm_email: identity::ConfirmEmailRequest => identity::EmailAddress,
    change_password: identity::ChangePasswordRequest => Profile,
    request_password_reset: identity::RequestPasswordResetRequest => identity::RequestPasswordResetResponse,
    reset_password: identity::ResetPasswordRequest => identity::EmailAddress,
    list_sessions: identity::ListSessionsRequest => identity::ListSessionsResponse,
    end_session: identity::EndSessionRequest => identity::EndSessionResponse,
}

/// The calls of places that no test makes, and the one that takes a stream.
macro_rules! probe_of_streams {
    ($($name:ident: $request:ty => $response:ty),* $(,)?) => {
        #[async_trait]
        impl Places for Probe {
            $(async fn $name(&self, _: Request<$request>) -> Result<Response<$response>, Status> {
                Err(Status::unimplemented("not probed"))
            })*

            /// Counts what comes.
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
    get_listings: places::GetListingsRequest => places::GetListingsResponse,
    list_similar: places::ListSimilarRequest => places::ListSimilarResponse,
    list_types: places::ListTypesRequest => places::ListTypesResponse,
    list_neighbourhoods: places::ListNeighbourhoodsRequest => places::ListNeighbourhoodsResponse,
    get_neighbourhood: places::GetNeighbourhoodRequest => places::NeighbourhoodDetail,
    list_best_of: places::ListBestOfRequest => places::ListBestOfResponse,
    get_best_of: places::GetBestOfRequest => places::BestOfDetail,
    list_blocks: places::ListBlocksRequest => cityguide_proto::paging::v1::Blocks,
    list_addresses: places::ListAddressesRequest => cityguide_proto::paging::v1::Addresses,
    resolve: places::ResolveRequest => places::ResolveResponse,
    find_sources: places::FindSourcesRequest => places::FindSourcesResponse,
    match_places: places::MatchPlacesRequest => places::MatchPlacesResponse,
}

/// One way to reach the probe.
struct Way {
    probe: Probe,
    tokens: CallerTokens,
    /// The service as any gRPC client reaches it, without the caller's layers.
    bare: Transport,
    reach: Box<dyn Fn(CallerTokens) -> Transport>,
    life: Lifecycle,
}

impl Way {
    fn probe() -> (Probe, CallerTokens, Transport) {
        let probe = Probe::default();
        let tokens = CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared());
        let routes = Routes::new(IdentityServer::new(probe.clone()))
            .add_service(PlacesServer::new(probe.clone()));
        let guard = Guard {
            tokens: tokens.clone(),
            concurrency: CONCURRENCY,
            timeout: TIMEOUT,
            operators_timeout: VERY_LONG,
        };
        (probe, tokens, rpc::guarded("probe", routes, guard))
    }

    fn local() -> Self {
        let (probe, tokens, guarded) = Self::probe();
        let bare = guarded.clone();
        let reach =
            Box::new(move |tokens| rpc::local("probe", guarded.clone(), calls::outgoing(tokens)));
        Self {
            probe,
            tokens,
            bare,
            reach,
            life: Lifecycle::new(),
        }
    }

    async fn remote() -> Self {
        let (probe, tokens, guarded) = Self::probe();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let url = format!("http://{}", listener.local_addr().expect("has an address"));
        let life = Lifecycle::new();
        let serving = rpc::serve(listener, guarded, None, life.clone());
        life.spawn("rpc", async move { serving.await.expect("serves") });
        let channel = Endpoint::from_shared(url.clone())
            .expect("a URL")
            .connect_lazy();
        let bare = Transport::new(move |request| {
            let channel = channel.clone();
            async move {
                let answer = channel.oneshot(request).await;
                answer.unwrap_or_else(|error| Status::from_error(Box::new(error)).into_http())
            }
        });
        let reach = Box::new(move |tokens| {
            rpc::remote("probe", &url, None, calls::outgoing(tokens)).expect("a URL")
        });
        Self {
            probe,
            tokens,
            bare,
            reach,
            life,
        }
    }

    fn identity(&self) -> IdentityClient<Transport> {
        IdentityClient::new((self.reach)(self.tokens.clone()))
    }

    /// A guest's request as it is on the wire, for calls without the caller's layers.
    fn signed<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let token = self
            .tokens
            .sign(Caller::Guest, &Actor::default())
            .parse()
            .expect("a value");
        request.metadata_mut().insert("x-cityguide-caller", token);
        request
    }

    async fn ends(self) {
        self.life.finish(Duration::from_secs(5)).await;
    }
}

fn fault_of<T: std::fmt::Debug>(answer: Result<Response<T>, Status>) -> Fault {
    answer.expect_err("an error").into()
}

/// A test of each behaviour over each way.
macro_rules! over_both_ways {
    ($($behaviour:ident),* $(,)?) => {
        mod local {
            $(#[tokio::test]
            async fn $behaviour() {
                let way = super::Way::local();
                super::$behaviour(&way).await;
                way.ends().await;
            })*
        }
        mod remote {
            $(#[tokio::test]
            async fn $behaviour() {
                let way = super::Way::remote().await;
                super::$behaviour(&way).await;
                way.ends().await;
            })*
        }
    };
}

over_both_ways!(
    the_caller_arrives,
    the_actor_arrives_and_a_header_that_names_one_is_not_read,
    a_token_that_is_forged_or_absent_is_refused_and_not_taken_for_a_signed_out_reader,
    a_fault_comes_through_whole,
    a_panic_is_an_internal_fault_and_the_next_call_is_answered,
    a_slow_handler_ends_with_its_callers_deadline,
    a_deadline_that_has_passed_is_told_at_once,
    the_service_keeps_the_deadline_that_the_header_names,
    a_caller_with_a_later_deadline_or_none_gets_the_services_own,
    one_call_more_than_the_bound_is_unavailable_at_once,
    a_call_without_its_context_is_a_defect,
    an_error_without_details_keeps_its_code,
    a_stream_arrives_to_its_end,
    unknown_calls_make_no_series_of_their_own,
);

async fn the_caller_arrives(way: &Way) {
    for caller in [Caller::Guest, Caller::Reader(42), Caller::Operator] {
        let request = Call::new(caller, VERY_LONG).request(GetProfileRequest {});
        let profile = way
            .identity()
            .get_profile(request)
            .await
            .expect("answers")
            .into_inner();
        assert_eq!(profile.full_name, format!("{caller:?}"));
    }
}

async fn the_actor_arrives_and_a_header_that_names_one_is_not_read(way: &Way) {
    for (actor, network, operator) in [
        (Actor::default(), "", ""),
        (Actor::client("203.0.113.0/24"), "203.0.113.0/24", ""),
        (Actor::operator("Zoë"), "", "Zoë"),
    ] {
        let mut request = calls::guest(GetProfileRequest {});
        let forged = "198.51.100.0/24".parse().expect("a value");
        request.metadata_mut().insert("x-forwarded-for", forged);
        let mut identity = way.identity();
        let answer = with_actor(actor, identity.get_profile(request)).await;
        let profile = answer.expect("answers").into_inner();
        assert_eq!(profile.email, network);
        assert_eq!(profile.pending_email, operator);
    }
}

async fn a_token_that_is_forged_or_absent_is_refused_and_not_taken_for_a_signed_out_reader(
    way: &Way,
) {
    let other_key = CallerTokens::new(Keys::one(&[8; 32]), ManualClock::shared());
    let mut forged = IdentityClient::new((way.reach)(other_key));
    let request = calls::reader(42, GetProfileRequest {});
    let refused = forged.get_profile(request).await.expect_err("refused");
    assert_eq!(refused.code(), tonic::Code::Unavailable);
    assert_eq!(Fault::from(refused).code, Code::CallerRefused);

    let mut bare = IdentityClient::new(way.bare.clone());
    let mut request = Request::new(GetProfileRequest {});
    let profile = "42".parse().expect("a value");
    request.metadata_mut().insert("x-profile-id", profile);
    let refused = bare.get_profile(request).await;
    assert_eq!(fault_of(refused).code, Code::CallerRefused);
}

/// This process's metrics.
fn metrics_page() -> &'static PrometheusHandle {
    static PAGE: OnceLock<PrometheusHandle> = OnceLock::new();
    PAGE.get_or_init(|| {
        PrometheusBuilder::new()
            .install_recorder()
            .expect("the only one")
    })
}

async fn unknown_calls_make_no_series_of_their_own(way: &Way) {
    let page = metrics_page();
    let token = way.tokens.sign(Caller::Guest, &Actor::default());
    for number in 0..20 {
        for (token, code) in [
            ("", tonic::Code::Unavailable),
            (&token, tonic::Code::Unimplemented),
        ] {
            let call = http::Request::post(format!("/AAA{number}/Call"))
                .header("content-type", "application/grpc")
                .header("x-cityguide-caller", token)
                .body(Body::empty())
                .expect("a request");
            let answer = way.bare.clone().oneshot(call).await.expect("answers");
            let status = Status::from_header_map(answer.headers());
            assert_eq!(status.map(|status| status.code()), Some(code));
        }
    }
    let text = page.render();
    assert!(text.contains(r#"rpc="_OTHER""#), "{text}");
    assert!(!text.contains("AAA"), "{text}");
}

async fn a_fault_comes_through_whole(way: &Way) {
    let answer = way
        .identity()
        .register(calls::guest(RegisterRequest::default()))
        .await;
    assert_eq!(fault_of(answer), fault());
}

async fn a_panic_is_an_internal_fault_and_the_next_call_is_answered(way: &Way) {
    let mut client = way.identity();
    let answer = client.sign_in(calls::guest(SignInRequest::default())).await;
    assert_eq!(fault_of(answer).code, Code::Internal);
    client
        .get_profile(calls::guest(GetProfileRequest {}))
        .await
        .expect("answers");
}

async fn a_slow_handler_ends_with_its_callers_deadline(way: &Way) {
    let within = Duration::from_millis(200);
    let request = Call::new(Caller::Guest, within).request(SignOutRequest::default());
    let begun = Instant::now();
    let answer = way.identity().sign_out(request).await;
    assert_eq!(fault_of(answer).code, Code::DeadlineExceeded);
    assert!(begun.elapsed() >= within, "{:?}", begun.elapsed());
    assert!(begun.elapsed() < TIMEOUT * 5, "{:?}", begun.elapsed());
    nobody_waits(way).await;
}

/// A call that nobody waits for is given up, and its place is free.
async fn nobody_waits(way: &Way) {
    until("the handler is dropped", async || {
        (way.probe.waiting.load(Ordering::SeqCst) == 0).then_some(())
    })
    .await;
}

async fn a_deadline_that_has_passed_is_told_at_once(way: &Way) {
    let request = Call::new(Caller::Guest, Duration::ZERO).request(SignOutRequest::default());
    let answer = way.identity().sign_out(request).await;
    assert_eq!(fault_of(answer).code, Code::DeadlineExceeded);
}

async fn the_service_keeps_the_deadline_that_the_header_names(way: &Way) {
    let mut request = way.signed(SignOutRequest::default());
    request.set_timeout(Duration::from_millis(50));
    let begun = Instant::now();
    let answer = IdentityClient::new(way.bare.clone())
        .sign_out(request)
        .await;
    assert_eq!(fault_of(answer).code, Code::DeadlineExceeded);
    assert!(begun.elapsed() < TIMEOUT, "{:?}", begun.elapsed());
    nobody_waits(way).await;
}

async fn a_caller_with_a_later_deadline_or_none_gets_the_services_own(way: &Way) {
    let mut later = way.signed(SignOutRequest::default());
    later.set_timeout(VERY_LONG);
    for request in [way.signed(SignOutRequest::default()), later] {
        let begun = Instant::now();
        let answer = IdentityClient::new(way.bare.clone())
            .sign_out(request)
            .await;
        assert_eq!(fault_of(answer).code, Code::DeadlineExceeded);
        assert!(begun.elapsed() >= TIMEOUT, "{:?}", begun.elapsed());
        assert!(begun.elapsed() < TIMEOUT * 5, "{:?}", begun.elapsed());
    }
}

async fn one_call_more_than_the_bound_is_unavailable_at_once(way: &Way) {
    let held: Vec<_> = (0..CONCURRENCY)
        .map(|_| {
            let mut client = way.identity();
            tokio::spawn(async move {
                client
                    .sign_out(calls::operator(SignOutRequest::default()))
                    .await
            })
        })
        .collect();
    until("every place is taken", async || {
        (way.probe.waiting.load(Ordering::SeqCst) == CONCURRENCY).then_some(())
    })
    .await;
    let begun = Instant::now();
    let refusal = fault_of(
        way.identity()
            .get_profile(calls::guest(GetProfileRequest {}))
            .await,
    );
    assert_eq!(refusal.code, Code::Unavailable);
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    way.probe.release.notify_waiters();
    for call in held {
        call.await.expect("runs").expect("answers");
    }
    way.identity()
        .get_profile(calls::guest(GetProfileRequest {}))
        .await
        .expect("answers");
}

async fn a_call_without_its_context_is_a_defect(way: &Way) {
    let answer = way.identity().get_profile(GetProfileRequest {}).await;
    assert_eq!(fault_of(answer).code, Code::Internal);
}

async fn an_error_without_details_keeps_its_code(way: &Way) {
    let mut client = PlacesClient::new((way.reach)(way.tokens.clone()));
    let answer = client
        .list_types(calls::guest(places::ListTypesRequest {}))
        .await;
    assert_eq!(
        answer.expect_err("not there").code(),
        tonic::Code::Unimplemented
    );
}

async fn a_stream_arrives_to_its_end(way: &Way) {
    let mut client = PlacesClient::new((way.reach)(way.tokens.clone()));
    let stream = futures::stream::iter((0..1000).map(|_| ImportRequest::default()));
    let answer = client
        .import(calls::operator(stream))
        .await
        .expect("answers")
        .into_inner();
    assert_eq!(answer.kinds[0].counts.expect("counted").created, 1000);
}

#[tokio::test]
async fn a_service_that_cannot_be_reached_is_unavailable() {
    let tokens = CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared());
    let taken = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let url = format!("http://{}", taken.local_addr().expect("has an address"));
    drop(taken);
    let mut client = IdentityClient::new(
        rpc::remote("probe", &url, None, calls::outgoing(tokens)).expect("a URL"),
    );
    let answer = client.get_profile(calls::guest(GetProfileRequest {})).await;
    assert_eq!(fault_of(answer).code, Code::Unavailable);
}

#[tokio::test]
async fn a_service_that_comes_back_is_reached_again() {
    let (_, tokens, guarded) = Way::probe();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let address = listener.local_addr().expect("has an address");
    let transport = rpc::remote(
        "probe",
        &format!("http://{address}"),
        None,
        calls::outgoing(tokens),
    )
    .expect("a URL");
    let mut client = IdentityClient::new(transport);
    let ask = || calls::guest(GetProfileRequest {});

    let first = Lifecycle::new();
    let serving = rpc::serve(listener, guarded.clone(), None, first.clone());
    first.spawn("rpc", async move { serving.await.expect("serves") });
    client.get_profile(ask()).await.expect("answers");
    first.finish(Duration::from_secs(5)).await;
    assert_eq!(
        fault_of(client.get_profile(ask()).await).code,
        Code::Unavailable
    );

    let second = Lifecycle::new();
    let listener = TcpListener::bind(address).await.expect("binds again");
    let serving = rpc::serve(listener, guarded, None, second.clone());
    second.spawn("rpc", async move { serving.await.expect("serves") });
    until("the service is reached again", async || {
        client.clone().get_profile(ask()).await.ok()
    })
    .await;
    drop(client);
    second.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_by_its_key() {
    let tokens = CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared());
    let refusal =
        rpc::remote("photos", "not a url", None, calls::outgoing(tokens)).expect_err("refused");
    assert!(refusal.message.contains("services.photos.url"), "{refusal}");
}
