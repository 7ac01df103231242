//! A call behaves the same whether its service runs in this process or behind a socket.

mod probe;
mod way;

use std::{
    sync::{OnceLock, atomic::Ordering},
    time::{Duration, Instant},
};

use chassis::{
    actor::{Actor, with_actor},
    call::{Call, Caller, CallerTokens},
    error::{Code, Fault},
    keys::Keys,
    lifecycle::Lifecycle,
    rpc,
};
use identity_proto::v1::{
    GetProfileRequest, RegisterRequest, SignInRequest, SignOutRequest,
    identity_client::IdentityClient,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use places_proto::v1::{self as places, ImportRequest, places_client::PlacesClient};
use testkit::{calls, clock::ManualClock, until};
use tokio::net::TcpListener;
use tonic::{Request, Response, Status, body::Body};
use tower::ServiceExt;

use self::{
    probe::fault,
    way::{CONCURRENCY, TIMEOUT, VERY_LONG, Way},
};

fn fault_of<T: std::fmt::Debug>(answer: Result<Response<T>, Status>) -> Fault {
    answer.expect_err("an error").into()
}

/// Generates a test of each behaviour for each transport.
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
    let sign = |path: &str| way.tokens.sign(Caller::Guest, &Actor::default(), path);
    for number in 0..20 {
        let path = format!("/AAA{number}/Call");
        for (token, code) in [
            (String::new(), tonic::Code::Unavailable),
            (sign(&path), tonic::Code::Unimplemented),
        ] {
            let call = http::Request::post(&path)
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
    let within = 2 * chassis::rpc::MIN_TIME;
    let request = Call::new(Caller::Guest, within).request(SignOutRequest::default());
    let begun = Instant::now();
    let answer = way.identity().sign_out(request).await;
    assert_eq!(fault_of(answer).code, Code::DeadlineExceeded);
    assert!(begun.elapsed() >= within, "{:?}", begun.elapsed());
    nobody_waits(way).await;
}

/// An abandoned call is cancelled and no longer counts against the limit.
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
    let refusal = fault_of(
        way.identity()
            .get_profile(calls::guest(GetProfileRequest {}))
            .await,
    );
    assert_eq!(refusal.code, Code::Unavailable);
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
        rpc::remote(
            "probe",
            identity_proto::CONTRACT,
            &url,
            None,
            calls::outgoing(tokens),
        )
        .expect("a URL"),
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
        identity_proto::CONTRACT,
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
    let refusal = rpc::remote(
        "photos",
        identity_proto::CONTRACT,
        "not a url",
        None,
        calls::outgoing(tokens),
    )
    .expect_err("refused");
    assert!(refusal.message.contains("services.photos.url"), "{refusal}");
}
