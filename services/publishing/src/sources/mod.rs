//! Polls external feeds and calendars on a schedule. The polling is done here, because this crate has the file readers;
//! the editorial service grants the turns, because it has the database.

mod pause;
mod poll;
mod settings;

use std::{sync::Arc, time::Duration};

use chassis::{
    actor::{Actor, with_actor},
    call::{Call, Caller},
    clock::SharedClock,
    digest,
    entropy::SharedEntropy,
    error::{Code, Fault},
    fetch::Fetcher,
    instant,
    lifecycle::Lifecycle,
    rpc::Transport,
};
use editorial_proto::v1::{
    ConfiguredSource, LeaseRequest, ListSourcesRequest, PollOutcome, PollResult, RecordRequest,
    SourceLease, SourceState, sources_client::SourcesClient,
};
use site::{Site, SourceSettings};
use tokio::time::{Instant, sleep};

use self::poll::{IMPORT_TIMEOUT, Importer, Polling};
use crate::import::EventServices;

pub use self::settings::SourcesSettings;

/// Interval between checks for due sources.
const LOOK: Duration = Duration::from_secs(2);
/// Interval between checks while the editorial service is unavailable.
const LOOK_AGAIN: Duration = Duration::from_secs(10);
/// Interval between measurements of the sources' ages.
const MEASURE: Duration = Duration::from_secs(15);
/// Timeout for starting or ending a turn.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Spare time by which a turn exceeds the timeouts of its steps.
const SPARE: Duration = Duration::from_secs(30);

/// Polls the sources of a site.
#[derive(Clone)]
pub struct Poller {
    sources: Arc<[SourceSettings]>,
    importer: Arc<Importer>,
    client: SourcesClient<Transport>,
    clock: SharedClock,
    entropy: SharedEntropy,
    /// Maximum duration of a turn.
    turn: Duration,
}

/// The result of a manually requested poll.
#[derive(Debug)]
pub enum ForcedPoll {
    /// The source was polled by this process.
    Polled(PollOutcome),
    /// Another process is polling the source.
    Elsewhere,
}

chassis::opaque_debug!(Poller);

impl Poller {
    /// Creates a poller of a site's sources. The editorial service imports their content.
    pub fn new(
        site: Site,
        settings: &SourcesSettings,
        services: EventServices,
        (clock, entropy): (SharedClock, SharedEntropy),
    ) -> Result<Self, Fault> {
        let fetcher = Fetcher::new(settings.bounds(), Arc::clone(&clock))?;
        Ok(Self {
            client: SourcesClient::new(services.editorial.clone()),
            importer: Arc::new(Importer {
                fetcher,
                services,
                zone: site.timezone,
                sections: site.section_slugs(),
            }),
            sources: site.sources.into(),
            clock,
            entropy,
            turn: settings.timeout() + IMPORT_TIMEOUT + TIMEOUT + SPARE,
        })
    }

    /// Returns the state of all sources that have ever been polled.
    pub async fn states(&self) -> Result<Vec<SourceState>, Fault> {
        let request = call().request(ListSourcesRequest {});
        let answer = self.client.clone().list(request).await?;
        Ok(answer.into_inner().sources)
    }

    /// Polls a source immediately, even if it is not due.
    pub async fn poll_now(&self, name: &str) -> Result<ForcedPoll, Fault> {
        let source = self.sources.iter().find(|source| source.name == name);
        let source = source.ok_or_else(|| {
            let message = format!("the site's file has no source {name:?}");
            Fault::new(Code::NotFound, message)
        })?;
        let lease = self.lease(std::slice::from_ref(source), true).await?;
        let Some(lease) = lease else {
            return Ok(ForcedPoll::Elsewhere);
        };
        let polling = self.poll(source, &lease, true).await;
        self.end(source, &lease, polling)
            .await
            .map(ForcedPoll::Polled)
    }

    /// Polls due sources until the process stops.
    pub fn start(self, life: &Lifecycle) {
        if self.sources.is_empty() {
            return;
        }
        let stopping = life.clone();
        life.supervise("poll sources", move || {
            let (poller, stopping) = (self.clone(), stopping.clone());
            let actor = Actor::operator("sources");
            with_actor(actor, async move { poller.run(&stopping).await })
        });
    }

    async fn run(&self, life: &Lifecycle) {
        let mut measured: Option<Instant> = None;
        loop {
            if measured.is_none_or(|at| at.elapsed() >= MEASURE) {
                measured = Some(Instant::now());
                self.measure().await;
            }
            let pause = match self.turn(life).await {
                // Other sources may be due.
                Ok(true) => Duration::ZERO,
                Ok(false) => LOOK,
                Err(error) => {
                    tracing::warn!(%error, "polling the sources failed");
                    LOOK_AGAIN
                }
            };
            tokio::select! {
                () = life.stopping() => return,
                () = sleep(pause) => {}
            }
        }
    }

    /// Polls a due source, if there is one. Returns whether a source was due.
    async fn turn(&self, life: &Lifecycle) -> Result<bool, Fault> {
        let Some(lease) = self.lease(&self.sources, false).await? else {
            return Ok(false);
        };
        let source = self.sources.iter().find(|one| one.name == lease.name);
        let Some(source) = source else {
            return Err(Fault::new(Code::Internal, "a turn at an unknown source"));
        };
        let polling = tokio::select! {
            polling = self.poll(source, &lease, false) => polling,
            () = life.stopping() => {
                self.record(&lease, None, Duration::ZERO).await?;
                return Ok(false);
            }
        };
        self.end(source, &lease, polling).await?;
        Ok(true)
    }

    async fn lease(
        &self,
        sources: &[SourceSettings],
        is_forced: bool,
    ) -> Result<Option<SourceLease>, Fault> {
        let sources = sources.iter().map(|source| ConfiguredSource {
            name: source.name.clone(),
            config: digest::hex(format!("{source:?}"), 16),
        });
        let request = LeaseRequest {
            sources: sources.collect(),
            seconds: u32::try_from(self.turn.as_secs()).unwrap_or(u32::MAX),
            is_forced,
        };
        let answer = self.client.clone().lease(call().request(request)).await?;
        Ok(answer.into_inner().lease)
    }

    async fn poll(&self, source: &SourceSettings, lease: &SourceLease, is_forced: bool) -> Polling {
        let begun = Instant::now();
        let polling = self.importer.poll(source, lease, is_forced).await;
        metrics::histogram!("source_poll_seconds", "source" => source.name.clone())
            .record(begun.elapsed().as_secs_f64());
        polling
    }

    /// Ends a turn with its result.
    async fn end(
        &self,
        source: &SourceSettings,
        lease: &SourceLease,
        polling: Polling,
    ) -> Result<PollOutcome, Fault> {
        let every = Duration::from_secs(60 * u64::from(source.every_minutes));
        let Polling {
            outcome,
            retry_after,
        } = polling;
        let (name, result) = (&source.name, result_name(outcome.result()));
        let next = match outcome.result() {
            PollResult::Failed => {
                tracing::warn!(source = %name, why = outcome.reason, "a source cannot be read");
                pause::after_failure(lease.failures, every, retry_after, self.random())
            }
            _ => every,
        };
        let counts = outcome.counts.unwrap_or_default();
        if outcome.result() == PollResult::Imported {
            tracing::info!(source = %name, ?counts, "a source was imported");
        }
        metrics::counter!("source_polls_total", "source" => name.clone(), "outcome" => result)
            .increment(1);
        self.record(lease, Some(outcome.clone()), next).await?;
        Ok(outcome)
    }

    async fn record(
        &self,
        lease: &SourceLease,
        outcome: Option<PollOutcome>,
        next: Duration,
    ) -> Result<(), Fault> {
        let request = RecordRequest {
            name: lease.name.clone(),
            id: lease.id.clone(),
            outcome,
            next_in_seconds: u32::try_from(next.as_secs()).unwrap_or(u32::MAX),
        };
        self.client.clone().record(call().request(request)).await?;
        Ok(())
    }

    /// Returns a number from 0 to 1.
    fn random(&self) -> f64 {
        let mut bytes = [0; 2];
        self.entropy.fill(&mut bytes);
        f64::from(u16::from_le_bytes(bytes)) / f64::from(u16::MAX)
    }

    /// Measures the age of each source. Every process reports the same values.
    async fn measure(&self) {
        let Ok(states) = self.states().await else {
            return;
        };
        let now = self.clock.now();
        for source in self.sources.iter() {
            let Some(state) = states.iter().find(|state| state.name == source.name) else {
                continue;
            };
            let since = state.succeeded_at.or(state.first_seen_at);
            let Some(since) = since.as_ref().and_then(instant::from_proto) else {
                continue;
            };
            let age = (now - since).as_seconds_f64().max(0.0);
            let name = || source.name.clone();
            metrics::gauge!("source_age_seconds", "source" => name()).set(age);
            metrics::gauge!("source_interval_seconds", "source" => name())
                .set(f64::from(source.every_minutes) * 60.0);
        }
    }
}

/// Returns the name of a result in metrics and lists.
#[must_use]
pub fn result_name(result: PollResult) -> &'static str {
    match result {
        PollResult::Unspecified => "new",
        PollResult::Imported => "imported",
        PollResult::Unchanged => "unchanged",
        PollResult::Failed => "failed",
    }
}

fn call() -> Call {
    Call::new(Caller::Operator, TIMEOUT)
}
