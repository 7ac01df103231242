//! A service is restarted replica by replica under load.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use chassis::{
    call::{Call, Caller, CallerTokens},
    keys::Keys,
    lifecycle::Lifecycle,
    rpc::{self, Transport},
};
use http_body_util::BodyExt;
use identity_proto::v1::{GetProfileRequest, identity_client::IdentityClient};
use testkit::{calls, clock::ManualClock, until};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::watch,
};
use tonic::{Code, Status};

/// The number of restarts: it depends on chance whether a call uses a connection that is closing.
const RESTARTS: usize = 60;
const CALLERS: usize = 8;
/// The minimum time for which a replica continues after new connections are sent to the other replica.
const DELAY: Duration = Duration::from_millis(20);
/// The number of calls that a replica handles before the next replica replaces it. Each caller may retry one call at
/// each restart, and retries are limited to a share of the calls.
const BETWEEN: usize = 15 * CALLERS;

/// One of two replicas.
struct Replica {
    address: SocketAddr,
    life: Lifecycle,
}

impl Replica {
    async fn start(service: &Transport) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("has an address");
        let life = Lifecycle::new();
        let serving = rpc::serve(listener, service.clone(), None, life.clone());
        life.spawn("rpc", async move { serving.await.expect("serves") });
        Self { address, life }
    }
}

/// Sends each new connection to the chosen replica, like a cluster's Service.
struct Door {
    address: SocketAddr,
    chosen: watch::Sender<SocketAddr>,
    /// The number of connections that the replica has not accepted yet; the replica must not stop before it accepts
    /// them.
    arriving: Arc<AtomicUsize>,
}

impl Door {
    async fn to(replica: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("has an address");
        let (chosen, replica) = watch::channel(replica);
        let arriving = Arc::new(AtomicUsize::new(0));
        let arrived = Arc::clone(&arriving);
        tokio::spawn(async move {
            while let Ok((caller, _)) = listener.accept().await {
                arrived.fetch_add(1, Ordering::SeqCst);
                let (arrived, replica) = (Arc::clone(&arrived), *replica.borrow());
                tokio::spawn(async move {
                    let replica = TcpStream::connect(replica).await.expect("connects");
                    // An HTTP/2 server sends first when it accepts a connection.
                    replica.readable().await.expect("is taken");
                    arrived.fetch_sub(1, Ordering::SeqCst);
                    pass_on(caller, replica).await;
                });
            }
        });
        Self {
            address,
            chosen,
            arriving,
        }
    }

    /// Sends new connections to another replica, and returns once the previous replica has accepted all its
    /// connections.
    async fn choose(&self, replica: SocketAddr) {
        self.chosen.send_replace(replica);
        tokio::time::sleep(DELAY).await;
        until("connections are taken", async || {
            (self.arriving.load(Ordering::SeqCst) == 0).then_some(())
        })
        .await;
    }
}

/// Copies each direction until it ends. A failed write to a closed replica must not discard the data that the replica
/// sent before, because a directly connected caller would have received it.
async fn pass_on(mut caller: TcpStream, mut replica: TcpStream) {
    let (mut from_caller, mut to_caller) = caller.split();
    let (mut from_replica, mut to_replica) = replica.split();
    let requests = async {
        // The result is ignored, because the caller sees the end of the other direction.
        let _ = tokio::io::copy(&mut from_caller, &mut to_replica).await;
        let _ = to_replica.shutdown().await;
    };
    let answers = async {
        let _ = tokio::io::copy(&mut from_replica, &mut to_caller).await;
        let _ = to_caller.shutdown().await;
    };
    tokio::join!(requests, answers);
}

/// Counts the handled calls; the response is only a status, so it needs no contract.
fn counting(handled: &Arc<AtomicUsize>) -> Transport {
    let handled = Arc::clone(handled);
    Transport::new(move |request: http::Request<tonic::body::Body>| {
        let handled = Arc::clone(&handled);
        async move {
            if request.into_body().collect().await.is_err() {
                return Status::cancelled("no message came").into_http();
            }
            handled.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
            Status::already_exists("handled").into_http()
        }
    })
}

/// Calls until the stop flag is set, and returns the number of calls.
async fn calls(mut client: IdentityClient<Transport>, stop: Arc<AtomicBool>) -> usize {
    let mut made = 0;
    while !stop.load(Ordering::SeqCst) {
        let call = Call::new(Caller::Guest, Duration::from_secs(10));
        let answer = client.get_profile(call.request(GetProfileRequest {})).await;
        let answer = answer.expect_err("what this service answers is a status");
        assert_eq!(answer.code(), Code::AlreadyExists, "{answer}");
        made += 1;
    }
    made
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_call_is_handled_once_while_replicas_restart() {
    let handled = Arc::new(AtomicUsize::new(0));
    let service = counting(&handled);
    let mut serving = Replica::start(&service).await;
    let door = Door::to(serving.address).await;
    let url = format!("http://{}", door.address);

    let tokens = CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared());
    let transport = rpc::remote(
        "probe",
        identity_proto::CONTRACT,
        &url,
        None,
        calls::outgoing(tokens),
    )
    .expect("a URL");
    let stop = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let client = IdentityClient::new(transport.clone());
            tokio::spawn(calls(client, Arc::clone(&stop)))
        })
        .collect();

    for _ in 0..RESTARTS {
        let enough = handled.load(Ordering::SeqCst) + BETWEEN;
        until("calls are handled", async || {
            (handled.load(Ordering::SeqCst) >= enough).then_some(())
        })
        .await;
        let started = Replica::start(&service).await;
        door.choose(started.address).await;
        let stopped = std::mem::replace(&mut serving, started);
        stopped.life.finish(Duration::from_secs(5)).await;
    }
    stop.store(true, Ordering::SeqCst);
    let mut made = 0;
    for caller in callers {
        made += caller.await.expect("each call was answered");
    }
    drop(transport);
    serving.life.finish(Duration::from_secs(5)).await;
    assert_eq!(handled.load(Ordering::SeqCst), made);
}
