//! A service that runs in the test's own process.

use std::{sync::Arc, time::Duration};

use chassis::{
    call::CallerTokens,
    keys::Keys,
    lifecycle::Lifecycle,
    role::{Role, Service},
    rpc::{self, Guard, Transport},
};
use cityguide_proto::Contract;

use crate::{
    calls::{TIMEOUT, outgoing},
    parts::{KEY, TestParts},
};

fn tokens(parts: &TestParts) -> CallerTokens {
    CallerTokens::new(Keys::one(KEY), parts.clock.clone())
}

/// Calls that a service handles at a time; tests of the bound make their own guard.
const CONCURRENCY: usize = 1000;

/// A role with its layers around it, its consumers listening, its relay and its jobs running.
pub struct TestService {
    role: Arc<dyn Role>,
    transport: Transport,
    life: Lifecycle,
}

impl std::fmt::Debug for TestService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestService").finish_non_exhaustive()
    }
}

impl TestService {
    /// Subscribes a role and starts it, as a process does.
    ///
    /// # Panics
    /// If the role cannot subscribe.
    pub async fn start(parts: &TestParts, role: impl Service + 'static) -> Self {
        let service = Self::without_background(parts, role);
        service.run().await;
        service
    }

    /// Subscribes a role that has only answered so far, and starts it.
    ///
    /// # Panics
    /// If the role cannot subscribe.
    pub async fn run(&self) {
        self.role
            .subscribe()
            .await
            .unwrap_or_else(|error| panic!("subscribing: {error}"));
        self.role.start(&self.life);
    }

    /// A role that only answers: no consumer, no relay and no job runs, so that a test finds in the
    /// outbox what calls put there.
    #[must_use]
    pub fn without_background<S: Service + 'static>(parts: &TestParts, role: S) -> Self {
        let tokens = tokens(parts);
        let guard = Guard {
            tokens: tokens.clone(),
            concurrency: CONCURRENCY,
            timeout: TIMEOUT,
            operators_timeout: TIMEOUT,
        };
        let guarded = rpc::guarded("under test", S::CONTRACT, role.routes(), guard);
        let transport = rpc::local("under test", S::CONTRACT, guarded, outgoing(tokens));
        Self {
            role: Arc::new(role),
            transport,
            life: Lifecycle::new(),
        }
    }

    /// The transport for a generated client.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// Whether the service can do its work.
    ///
    /// # Panics
    /// If it cannot; the message says why.
    pub async fn assert_ready(&self) {
        self.role
            .check()
            .await
            .unwrap_or_else(|error| panic!("not ready: {error}"));
    }

    /// Lets the service do everything that is due, its periodic jobs too (but no purge).
    pub async fn drain(&self) {
        self.role.core().drain().await;
    }

    /// Stops the background tasks and waits for their end.
    pub async fn stop(self) {
        self.life.finish(Duration::from_secs(5)).await;
    }
}

/// The transport to a service that is unavailable.
///
/// # Panics
/// Never: the address is one.
#[must_use]
pub fn nowhere(parts: &TestParts) -> Transport {
    // Port 1 (tcpmux) of this machine: nobody listens there.
    rpc::remote(
        "nowhere",
        Contract::new(&[]),
        "http://127.0.0.1:1",
        None,
        outgoing(tokens(parts)),
    )
    .unwrap_or_else(|error| panic!("an address: {error}"))
}
