//! A service that does not respond is not called for a while, and reads have a shorter timeout than writes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chassis::{
    call::{Call, Caller, CallerTokens},
    error::{Code, Fault},
    keys::Keys,
    rpc::{self, Outgoing, Transport},
};
use identity_proto::v1::{GetProfileRequest, SignOutRequest, identity_client::IdentityClient};
use testkit::{clock::ManualClock, until};
use tonic::Status;

/// The timeout of a read here.
const READ: Duration = Duration::from_millis(40);
/// The timeout of every other call here.
const WITHIN: Duration = Duration::from_millis(400);
/// Number of consecutive timeouts after which a service is not called.
const TIMEOUTS: usize = 3;

/// A service that can be stopped, and counts its calls.
#[derive(Clone, Default)]
struct Callee {
    calls: Arc<AtomicUsize>,
    is_stopped: Arc<AtomicBool>,
}

impl Callee {
    fn client(&self) -> IdentityClient<Transport> {
        let callee = self.clone();
        let answering = Transport::new(move |_| {
            callee.calls.fetch_add(1, Ordering::SeqCst);
            let is_stopped = callee.is_stopped.load(Ordering::SeqCst);
            async move {
                if is_stopped {
                    futures::future::pending::<()>().await;
                }
                Status::not_found("answered").into_http()
            }
        });
        let tokens = CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared());
        let outgoing = Outgoing {
            tokens,
            read_timeout: READ,
        };
        IdentityClient::new(rpc::local(
            "callee",
            identity_proto::CONTRACT,
            answering,
            outgoing,
        ))
    }

    fn stop(&self, is_stopped: bool) {
        self.is_stopped.store(is_stopped, Ordering::SeqCst);
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

async fn read(client: &IdentityClient<Transport>) -> Code {
    let request = Call::new(Caller::Guest, WITHIN).request(GetProfileRequest {});
    let answer = client.clone().get_profile(request).await;
    Fault::from(answer.expect_err("no profile")).code
}

#[tokio::test]
async fn a_read_waits_for_its_own_timeout_and_a_write_until_the_deadline() {
    let callee = Callee::default();
    let mut client = callee.client();
    callee.stop(true);
    let begun = Instant::now();
    assert_eq!(read(&client).await, Code::DeadlineExceeded);
    let waited = begun.elapsed();
    assert!(waited >= READ && waited < WITHIN, "{waited:?}");
    let begun = Instant::now();
    let request = Call::new(Caller::Guest, WITHIN).request(SignOutRequest::default());
    let answer = client.sign_out(request).await.expect_err("late");
    assert_eq!(Fault::from(answer).code, Code::DeadlineExceeded);
    assert!(begun.elapsed() >= WITHIN, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_service_that_does_not_answer_is_left_alone_until_it_does() {
    let callee = Callee::default();
    let client = callee.client();
    assert_eq!(read(&client).await, Code::NotFound);
    callee.stop(true);
    for _ in 0..TIMEOUTS {
        assert_eq!(read(&client).await, Code::DeadlineExceeded);
    }
    let before = callee.calls();
    for _ in 0..20 {
        assert_eq!(read(&client).await, Code::Unavailable);
    }
    assert_eq!(callee.calls(), before, "no call is made");

    // One call tries the service; other calls in the meantime are not sent.
    until("a call tries", async || {
        let together = futures::future::join_all((0..5).map(|_| read(&client))).await;
        together.contains(&Code::DeadlineExceeded).then_some(())
    })
    .await;
    assert_eq!(callee.calls(), before + 1);

    callee.stop(false);
    until("it is used again", async || {
        (read(&client).await == Code::NotFound).then_some(())
    })
    .await;
    assert_eq!(callee.calls(), before + 2);
}

#[tokio::test]
async fn calls_without_the_minimum_time_are_not_sent_and_do_not_open_the_breaker() {
    let callee = Callee::default();
    let client = callee.client();
    for _ in 0..=TIMEOUTS {
        let call = Call::new(Caller::Guest, rpc::MIN_TIME.mul_f32(0.99));
        let request = call.request(GetProfileRequest {});
        let answer = client.clone().get_profile(request).await;
        let late = Fault::from(answer.expect_err("late"));
        assert_eq!(late.code, Code::DeadlineExceeded);
    }
    assert_eq!(callee.calls(), 0);
    assert_eq!(read(&client).await, Code::NotFound);
}

#[tokio::test]
async fn errors_and_timeouts_between_answers_leave_a_service_in_use() {
    let callee = Callee::default();
    let client = callee.client();
    for _ in 0..TIMEOUTS {
        callee.stop(true);
        for _ in 1..TIMEOUTS {
            assert_eq!(read(&client).await, Code::DeadlineExceeded);
        }
        callee.stop(false);
        assert_eq!(read(&client).await, Code::NotFound);
    }
}
