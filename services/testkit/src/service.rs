//! A service in the test's own process.

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

/// Maximum number of concurrent calls; tests of the limit create their own guard.
const CONCURRENCY: usize = 1000;

/// A role with its layers, consumers, relay and jobs.
pub struct TestService {
    role: Arc<dyn Role>,
    transport: Transport,
    life: Lifecycle,
}

chassis::opaque_debug!(TestService);

impl TestService {
    /// Subscribes and starts a role, like a process.
    ///
    /// # Panics
    /// If the role cannot subscribe.
    pub async fn start(parts: &TestParts, role: impl Service + 'static) -> Self {
        let service = Self::without_background(parts, role);
        service.run().await;
        service
    }

    /// Subscribes and starts a role that has only responded to calls so far.
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

    /// Creates a role that only responds to calls: consumers, relay and jobs do not run, so that a test finds the
    /// events of calls in the outbox.
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

    /// Returns the transport for a generated client.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// Checks that the service is ready.
    ///
    /// # Panics
    /// If it is not ready; the message contains the reason.
    pub async fn assert_ready(&self) {
        self.role
            .check()
            .await
            .unwrap_or_else(|error| panic!("not ready: {error}"));
    }

    /// Runs all due work of the service, including periodic jobs except purges.
    pub async fn drain(&self) {
        self.role.core().drain().await;
    }

    /// Stops the background tasks and waits for them to end.
    pub async fn stop(self) {
        self.life.finish(Duration::from_secs(5)).await;
    }
}

/// Returns the transport to an unavailable service.
///
/// # Panics
/// Never: the address is valid.
#[must_use]
pub fn nowhere(parts: &TestParts) -> Transport {
    // Port 1 (tcpmux) of this machine, on which no server listens.
    rpc::remote(
        "nowhere",
        Contract::new(&[]),
        "http://127.0.0.1:1",
        None,
        outgoing(tokens(parts)),
    )
    .unwrap_or_else(|error| panic!("an address: {error}"))
}
