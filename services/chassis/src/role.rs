//! The interface between a service and its process, and the parts that all services share.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use cityguide_proto::Contract;
use tonic::service::Routes;

use crate::{
    blobs::Blobs,
    bus::{Handler, SharedBus, Subscription},
    cache::SharedCache,
    clock::SharedClock,
    entropy::SharedEntropy,
    error::{Code, Fault},
    keys::Keys,
    lifecycle::Lifecycle,
    mail::{self, PostOffice},
    postgres::{
        self, Outbox, Part, Pools, Relay, Schema, State, erased,
        jobs::{self, Failure, Job, JobQueue, Policy, Run, Runner},
        periodic_jobs::PeriodicJobs,
    },
    rpc::Transport,
};

/// The resources of the process that every service uses.
#[derive(Clone)]
pub struct Parts {
    /// The source of the current time.
    pub clock: SharedClock,
    /// The source of randomness.
    pub entropy: SharedEntropy,
    /// The bus for events between services.
    pub bus: SharedBus,
    /// The cache, whose entries may be lost at any time.
    pub cache: SharedCache,
    /// The secrets shared by the processes of the system.
    pub keys: Keys,
    /// The site's mailer and sender address.
    pub post: PostOffice,
    /// The blob store; `None` in a process whose services use no blobs.
    pub blobs: Option<Blobs>,
    /// The PostgreSQL settings.
    pub database: postgres::Settings,
    /// The maximum duration of a reader's call.
    pub longest_call: Duration,
    /// The maximum duration of a reader's request, such as an upload.
    pub longest_request: Duration,
}

crate::opaque_debug!(Parts);

/// The common part of every service: pools on its schema, an outbox with its relay, and the hourly purges of its
/// chassis tables.
#[derive(Clone)]
pub struct Core {
    schema: &'static Schema<'static>,
    parts: Parts,
    /// Connections to the service's schema.
    pub pools: Pools,
    /// The outbox to which use cases append their events.
    pub outbox: Outbox,
    /// The queue to which use cases append their jobs.
    pub jobs: JobQueue,
    /// The service's periodic jobs.
    pub periodic: PeriodicJobs,
    /// Whether the database is a restored copy, in which jobs that act outside of the site do not run.
    pub is_copy: bool,
    /// The runners of the service's durable jobs.
    runners: Arc<Mutex<Vec<Runner>>>,
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core")
            .field("schema", &self.schema.name)
            .finish_non_exhaustive()
    }
}

impl Core {
    /// Connects to the database; refuses a schema that is not up to date.
    pub async fn open(schema: &'static Schema<'static>, parts: Parts) -> Result<Self, Fault> {
        let pools = schema.open(&parts.database, parts.longest_call).await?;
        let is_copy = schema.state(&pools.calls).await? == State::Copy;
        let (clock, entropy) = (&parts.clock, &parts.entropy);
        Ok(Self {
            jobs: JobQueue::new(Arc::clone(clock), Arc::clone(entropy)),
            periodic: PeriodicJobs::new(pools.background.clone()),
            pools,
            is_copy,
            outbox: Outbox::new(Arc::clone(clock), Arc::clone(entropy)),
            runners: Arc::default(),
            schema,
            parts,
        })
    }

    /// The source of the current time.
    #[must_use]
    pub fn clock(&self) -> SharedClock {
        Arc::clone(&self.parts.clock)
    }

    /// The secrets shared by the processes of the system.
    #[must_use]
    pub fn keys(&self) -> Keys {
        self.parts.keys.clone()
    }

    /// The site's mailer and sender address.
    #[must_use]
    pub fn post(&self) -> PostOffice {
        self.parts.post.clone()
    }

    /// The blob store; refuses a service that does not declare that it uses blobs.
    pub fn blobs(&self) -> Result<Blobs, Fault> {
        self.parts.blobs.clone().ok_or_else(|| {
            let name = self.schema.name;
            let message = format!("{name} uses blobs without saying so (Service::USES_BLOBS)");
            Fault::new(Code::Internal, message)
        })
    }

    /// Runs the service's durable jobs whose payload has the type that `work` takes. Each job runs at least once, so a
    /// second run must do no harm. In a restored copy, jobs that act outside of the site wait until it becomes the site.
    pub fn run_jobs<C, J, F>(
        &self,
        life: &Lifecycle,
        policy: Policy,
        context: &C,
        work: impl Fn(C, Run, J) -> F + Send + Sync + 'static,
    ) where
        C: Clone + Send + Sync + 'static,
        J: Job,
        F: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        if self.is_copy && J::LEAVES_SITE {
            return;
        }
        let (service, pool, context) = (
            self.schema.name,
            self.pools.background.clone(),
            context.clone(),
        );
        let work = move |run, job| work(context.clone(), run, job);
        let runner = Runner::new(service, pool, &self.jobs, policy, work);
        runner.clone().start(life);
        self.runners().push(runner);
    }

    fn runners(&self) -> MutexGuard<'_, Vec<Runner>> {
        self.runners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn relay(&self) -> Relay {
        let (pool, bus) = (self.pools.background.clone(), Arc::clone(&self.parts.bus));
        Relay::new(self.schema.name, pool, bus, &self.outbox)
    }

    /// Runs the periodic jobs other than purges, publishes all events and runs all durable jobs, until none is due.
    /// Tests call it instead of waiting, to verify that something does not happen.
    pub async fn drain(&self) {
        let relay = self
            .schema
            .parts
            .contains(&Part::Events)
            .then(|| self.relay());
        // An outage that a runner meets is remembered until the end.
        let mut runners = self.runners().clone();
        let mut before = None;
        loop {
            self.periodic.run_now().await;
            let mut done = 0;
            if let Some(relay) = &relay {
                done += relay.drain().await;
            }
            for runner in &mut runners {
                done += runner.drain().await;
            }
            if before.replace(done) == Some(done) {
                return;
            }
        }
    }

    /// Sends the service's queued mail.
    pub fn send_mail(&self, life: &Lifecycle) {
        let office = &self.parts.post;
        self.run_jobs(life, mail::policy(office), office, mail::send_queued);
    }

    /// Starts a consumer of a durable queue.
    pub async fn consume(
        &self,
        queue: &'static str,
        exchange: &'static str,
        key: &'static str,
        handler: impl Handler,
    ) -> Result<(), Fault> {
        let subscription = Subscription::durable(queue, exchange, key);
        self.parts
            .bus
            .subscribe(subscription, Arc::new(handler))
            .await
    }

    fn start(&self, life: &Lifecycle) {
        let (name, clock) = (self.schema.name, &self.parts.clock);
        let pool = &self.pools.background;
        self.pools.measure(name, life);
        for part in self.schema.parts {
            match part {
                Part::Events => {
                    self.relay().start(life);
                    postgres::forget_handled_hourly(life, &self.periodic, pool, clock);
                }
                Part::Erased => erased::forget_hourly(life, &self.periodic, pool, clock),
                Part::IdempotencyKeys => {
                    postgres::forget_keys_hourly(life, &self.periodic, pool, clock);
                }
                Part::Jobs => jobs::forget_dead_hourly(life, &self.periodic, pool, clock),
                Part::Extensions | Part::Stamps => {}
            }
        }
    }
}

/// A service in a process: created, then subscribed, then started, so that no event is published before every consumer
/// listens.
#[async_trait]
pub trait Role: Send + Sync {
    /// The common part of the service.
    fn core(&self) -> &Core;

    /// The service's gRPC routes.
    fn routes(&self) -> Routes;

    /// Starts the service's consumers.
    async fn subscribe(&self) -> Result<(), Fault>;

    /// Starts the service's own jobs, which run until the process stops.
    fn start_jobs(&self, _life: &Lifecycle) {}

    /// Starts the service's relay, purges and jobs, which run until the process stops.
    fn start(&self, life: &Lifecycle) {
        self.core().start(life);
        self.start_jobs(life);
    }

    /// Whether the service is ready.
    async fn check(&self) -> Result<(), Fault> {
        postgres::check(&self.core().pools.calls).await
    }
}

/// A service that the registry of targets can create.
#[async_trait]
pub trait Service: Role + Sized {
    /// The service's schema, from which the service gets its name.
    const SCHEMA: &'static Schema<'static>;
    /// The service's RPCs.
    const CONTRACT: Contract;
    /// The names of the services that this service calls.
    const CALLS: &'static [&'static str] = &[];
    /// Whether the service uses blobs.
    const USES_BLOBS: bool = false;
    /// Whether the service sends mail.
    const SENDS_MAIL: bool = false;
    /// Whether the service calls third-party servers with which readers have accounts.
    const CALLS_THIRD_PARTIES: bool = false;
    /// Whether the service reads the site file, for example for the time zone; deployments provide the file.
    const READS_SITE_FILE: bool = false;
    /// The settings sections that the service reads.
    type Settings: Send;

    /// Creates the service, connected to its database and to the services that it calls.
    async fn create(
        parts: Parts,
        settings: Self::Settings,
        callees: Callees,
    ) -> Result<Self, Fault>;
}

/// The services that a service calls.
#[derive(Debug, Clone, Default)]
pub struct Callees(BTreeMap<&'static str, Transport>);

impl Callees {
    /// The transport to a called service; refuses a service that is not among [`Service::CALLS`].
    pub fn get(&self, name: &'static str) -> Result<Transport, Fault> {
        self.0.get(name).cloned().ok_or_else(|| {
            let message = format!("a service calls {name} without naming it among its callees");
            Fault::new(Code::Internal, message)
        })
    }
}

impl FromIterator<(&'static str, Transport)> for Callees {
    fn from_iter<I: IntoIterator<Item = (&'static str, Transport)>>(transports: I) -> Self {
        Self(transports.into_iter().collect())
    }
}
