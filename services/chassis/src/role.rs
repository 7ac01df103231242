//! A service as the process that runs it sees it, and what every service has.

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
        self, Outbox, Part, Pools, Relay, Schema, erased,
        jobs::{self, Failure, Job, JobQueue, Policy, Run, Runner},
        periodic_jobs::PeriodicJobs,
    },
    rpc::Transport,
};

/// The parts of the process that every service uses.
#[derive(Clone)]
pub struct Parts {
    /// The clock.
    pub clock: SharedClock,
    /// The source of randomness.
    pub entropy: SharedEntropy,
    /// The bus for events between services.
    pub bus: SharedBus,
    /// The cache, whose entries may be lost at any time.
    pub cache: SharedCache,
    /// The secrets that the processes of the system share.
    pub keys: Keys,
    /// The mailer.
    pub post: PostOffice,
    /// Pictures and other files; `None` in a process whose targets use none.
    pub blobs: Option<Blobs>,
    /// The settings of PostgreSQL.
    pub database: postgres::Settings,
    /// The longest that a call of a reader may take.
    pub longest_call: Duration,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

/// The common part of every service: pools on its schema, an outbox with its relay, and the hourly purges of the
/// chassis's tables that it has chosen.
#[derive(Clone)]
pub struct Core {
    schema: &'static Schema<'static>,
    parts: Parts,
    /// Connections to the service's own schema.
    pub pools: Pools,
    /// The outbox, to which use cases append their events.
    pub outbox: Outbox,
    /// The queue, to which use cases append their jobs.
    pub jobs: JobQueue,
    /// The service's periodic jobs.
    pub periodic: PeriodicJobs,
    /// The runners of its durable jobs.
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
        let (clock, entropy) = (&parts.clock, &parts.entropy);
        Ok(Self {
            jobs: JobQueue::new(Arc::clone(clock), Arc::clone(entropy)),
            periodic: PeriodicJobs::new(pools.background.clone()),
            pools,
            outbox: Outbox::new(Arc::clone(clock), Arc::clone(entropy)),
            runners: Arc::default(),
            schema,
            parts,
        })
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> SharedClock {
        Arc::clone(&self.parts.clock)
    }

    /// The secrets that the processes of the system share.
    #[must_use]
    pub fn keys(&self) -> Keys {
        self.parts.keys.clone()
    }

    /// The mailer.
    #[must_use]
    pub fn post(&self) -> PostOffice {
        self.parts.post.clone()
    }

    /// Pictures and other files; refuses a service that does not say that it uses them.
    pub fn blobs(&self) -> Result<Blobs, Fault> {
        self.parts.blobs.clone().ok_or_else(|| {
            let name = self.schema.name;
            let message = format!("{name} uses blobs without saying so (Service::USES_BLOBS)");
            Fault::new(Code::Internal, message)
        })
    }

    /// Runs the service's durable jobs of the kind that `work` takes, at least once each: a second run must do no harm.
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

    /// Runs the periodic jobs that are no purges, publishes every event and runs every durable job, until nothing is due.
    /// Tests call it in place of waiting for what must not happen.
    pub async fn drain(&self) {
        let relay = self
            .schema
            .parts
            .contains(&Part::Events)
            .then(|| self.relay());
        let runners = self.runners().clone();
        let mut before = None;
        loop {
            self.periodic.run_now().await;
            let mut done = 0;
            if let Some(relay) = &relay {
                done += relay.drain().await;
            }
            for runner in &runners {
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

/// One service in one process: created, then subscribed, then started, so that no event is published before
/// every consumer listens.
#[async_trait]
pub trait Role: Send + Sync {
    /// The part that all services have in common.
    fn core(&self) -> &Core;

    /// Its gRPC routes.
    fn routes(&self) -> Routes;

    /// Starts its consumers.
    async fn subscribe(&self) -> Result<(), Fault>;

    /// Starts its own jobs, until the process stops.
    fn start_jobs(&self, _life: &Lifecycle) {}

    /// Starts its relays, its purges and its jobs, until the process stops.
    fn start(&self, life: &Lifecycle) {
        self.core().start(life);
        self.start_jobs(life);
    }

    /// Whether it can do its work now; for readiness.
    async fn check(&self) -> Result<(), Fault> {
        postgres::check(&self.core().pools.calls).await
    }
}

/// A service as the registry of targets creates it.
#[async_trait]
pub trait Service: Role + Sized {
    /// Its schema; the service is named after it.
    const SCHEMA: &'static Schema<'static>;
    /// The calls that it answers.
    const CONTRACT: Contract;
    /// The services that it calls, by name.
    const CALLS: &'static [&'static str] = &[];
    /// Whether it reads and writes blobs.
    const USES_BLOBS: bool = false;
    /// Whether it sends mail.
    const SENDS_MAIL: bool = false;
    /// Whether it calls the servers of third parties that readers have accounts with.
    const CALLS_THIRD_PARTIES: bool = false;
    /// Whether it reads what the site's file says, as its time zone; deployments give it the file.
    const READS_SITE_FILE: bool = false;
    /// The sections of the settings that it reads.
    type Settings: Send;

    /// Connects the service to its database and to the services that it calls.
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
    /// The transport to one of them; refuses a service that is not among [`Service::CALLS`].
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
