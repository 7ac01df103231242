//! A service is restarted replica by replica while its callers go on.

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

/// Restarts of a replica; whether a call meets a connection as it closes is a matter of luck.
const RESTARTS: usize = 60;
const CALLERS: usize = 8;
/// The least time for which a replica goes on after new connections go to the other one.
const DELAY: Duration = Duration::from_millis(20);
/// Calls that a replica handles before the next one takes its place: each caller may repeat one call at each
/// restart, and repetitions are a share of the calls.
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

/// Sends each new connection to the replica that is chosen, as a cluster's Service does.
struct Door {
    address: SocketAddr,
    chosen: watch::Sender<SocketAddr>,
    /// Connections that their replica has not taken yet: it must not stop before.
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
                    // A server of HTTP/2 speaks first, when it takes a connection.
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

    /// Sends new connections to another replica, and returns when none is on its way to the last one.
    async fn choose(&self, replica: SocketAddr) {
        self.chosen.send_replace(replica);
        tokio::time::sleep(DELAY).await;
        until("connections are taken", async || {
            (self.arriving.load(Ordering::SeqCst) == 0).then_some(())
        })
        .await;
    }
}

/// Copies each way until its own end. A failure to write to a replica that has closed must not drop what it sent
/// before, which a caller without this door between would have received.
async fn pass_on(mut caller: TcpStream, mut replica: TcpStream) {
    let (mut from_caller, mut to_caller) = caller.split();
    let (mut from_replica, mut to_replica) = replica.split();
    let requests = async {
        // However it ends, the other direction tells the caller.
        let _ = tokio::io::copy(&mut from_caller, &mut to_replica).await;
        let _ = to_replica.shutdown().await;
    };
    let answers = async {
        let _ = tokio::io::copy(&mut from_replica, &mut to_caller).await;
        let _ = to_caller.shutdown().await;
    };
    tokio::join!(requests, answers);
}

/// Counts what it handles; its answer is a status, which wants no contract.
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

/// Calls until it is told to stop, and counts its calls.
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
