//! The ways to reach a service: in this process, and behind a socket.

use std::time::Duration;

use chassis::{
    actor::Actor,
    call::{Caller, CallerTokens},
    keys::Keys,
    lifecycle::Lifecycle,
    rpc::{self, Guard, Transport},
};
use identity_proto::v1::{identity_client::IdentityClient, identity_server::IdentityServer};
use places_proto::v1::places_server::PlacesServer;
use testkit::{calls, clock::ManualClock};
use tokio::net::TcpListener;
use tonic::{Request, Status, service::Routes, transport::Endpoint};
use tower::ServiceExt;

use super::probe::Probe;

/// Far longer than any of these tests waits.
pub(super) const VERY_LONG: Duration = Duration::from_mins(1);
/// Timeout of the probe's calls, and its maximum number of concurrent calls.
pub(super) const TIMEOUT: Duration = Duration::from_millis(1500);
pub(super) const CONCURRENCY: usize = 3;

/// A way to call the probe.
pub(super) struct Way {
    pub(super) probe: Probe,
    pub(super) tokens: CallerTokens,
    /// The service as seen by any gRPC client, without the caller's layers.
    pub(super) bare: Transport,
    pub(super) reach: Box<dyn Fn(CallerTokens) -> Transport>,
    life: Lifecycle,
}

impl Way {
    pub(super) fn probe() -> (Probe, CallerTokens, Transport) {
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
        (
            probe,
            tokens,
            rpc::guarded("probe", identity_proto::CONTRACT, routes, guard),
        )
    }

    pub(super) fn local() -> Self {
        let (probe, tokens, guarded) = Self::probe();
        let bare = guarded.clone();
        let reach = Box::new(move |tokens| {
            rpc::local(
                "probe",
                identity_proto::CONTRACT,
                guarded.clone(),
                calls::outgoing(tokens),
            )
        });
        Self {
            probe,
            tokens,
            bare,
            reach,
            life: Lifecycle::new(),
        }
    }

    pub(super) async fn remote() -> Self {
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
            rpc::remote(
                "probe",
                identity_proto::CONTRACT,
                &url,
                None,
                calls::outgoing(tokens),
            )
            .expect("a URL")
        });
        Self {
            probe,
            tokens,
            bare,
            reach,
            life,
        }
    }

    pub(super) fn identity(&self) -> IdentityClient<Transport> {
        IdentityClient::new((self.reach)(self.tokens.clone()))
    }

    /// A guest's request as it is on the wire, for calls without the caller's layers.
    pub(super) fn signed<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let token = self
            .tokens
            .sign(
                Caller::Guest,
                &Actor::default(),
                "/cityguide.identity.v1.Identity/SignOut",
            )
            .parse()
            .expect("a value");
        request.metadata_mut().insert("x-cityguide-caller", token);
        request
    }

    pub(super) async fn ends(self) {
        self.life.finish(Duration::from_secs(5)).await;
    }
}
