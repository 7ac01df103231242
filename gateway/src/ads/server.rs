//! The in-process ad server. It selects ads from the plan in memory and reports served ads to the ads service every two
//! seconds, or sooner after an event about a changed plan. While the service is unavailable, it continues with the last
//! plan.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ad_delivery::{
    Allowance, Creative, Engine, Invalid, PageContext, Preview, Previews, Slot, Ticket, Tickets,
    Unreadable,
};
use ads_proto::v1::{Event, Outcome};
use async_trait::async_trait;
use chassis::{
    batcher::Batcher,
    bus::{Handler, Message, decode},
    call::{Call, Caller},
    clock::SharedClock,
    entropy::{self, Entropy, EntropyAhead, SharedEntropy},
    error::Fault,
    keys::Keys,
    lifecycle::Lifecycle,
};
use chrono::{DateTime, Datelike, Timelike, Utc};
use chrono_tz::Tz;
use cityguide_proto::events::v1::PlanChanged;
use tokio::sync::Notify;
use uuid::Uuid;

use super::recorder::recorder;
use crate::services::Clients;

/// Interval between syncs with the ads service.
const SYNCED: Duration = Duration::from_secs(2);
/// Causes of a sync, as metric labels.
const TIMER: &str = "timer";
const EVENT: &str = "event";
/// Timeout of a sync call.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The in-process ad server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct AdServer(Arc<Parts>);

struct Parts {
    services: Clients,
    clock: SharedClock,
    zone: Tz,
    /// Generates ids and random choices; neither is secret.
    entropy: EntropyAhead,
    tickets: Tickets,
    previews: Previews,
    /// Batches concurrent events of different requests.
    recorder: Batcher<Event, Outcome>,
    state: Mutex<State>,
    /// Notified when the plan has or may have changed.
    changed: Notify,
}

struct State {
    engine: Engine,
    synced_at: Option<DateTime<Utc>>,
}

/// An ad chosen for a slot.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// Id of the opportunity: the slot in this response.
    pub(crate) id: Uuid,
    pub(crate) advertiser: String,
    pub(crate) creative: Creative,
    /// Ticket that authenticates the ad's events.
    pub(crate) token: String,
}

/// Current advertisers.
#[derive(Debug, Clone)]
pub(crate) struct Advertisers {
    /// Slugs and names, ordered by name.
    pub(crate) all: Vec<(String, String)>,
    /// When the next plan is due.
    pub(crate) until: DateTime<Utc>,
}

impl AdServer {
    pub(crate) fn new(
        services: Clients,
        keys: &Keys,
        (clock, entropy): (SharedClock, SharedEntropy),
        zone: Tz,
    ) -> Self {
        let entropy = EntropyAhead::new(entropy);
        Self(Arc::new(Parts {
            recorder: recorder(&services),
            services,
            clock,
            zone,
            tickets: Tickets::new(keys),
            previews: Previews::new(keys),
            state: Mutex::new(State {
                engine: Engine::new(entropy::uuid(&entropy)),
                synced_at: None,
            }),
            changed: Notify::new(),
            entropy,
        }))
    }

    /// Keeps the plan up to date until the process stops.
    pub(crate) fn start(&self, life: &Lifecycle) {
        let (server, stopping) = (self.clone(), life.clone());
        // Registers the counters at 0, so that they exist before the first sync.
        for cause in [TIMER, EVENT] {
            metrics::counter!("ad_syncs_total", "cause" => cause).increment(0);
        }
        life.supervise("sync ads", move || {
            let (server, stopping) = (server.clone(), stopping.clone());
            async move {
                let mut was_well = true;
                loop {
                    let synced = server.sync().await;
                    if let (Err(fault), true) = (&synced, was_well) {
                        tracing::warn!(error = %fault, "ad sync failed; the last plan stays in use");
                    }
                    was_well = synced.is_ok();
                    server.measure();
                    let cause = tokio::select! {
                        () = stopping.stopping() => break,
                        () = server.0.changed.notified() => EVENT,
                        () = tokio::time::sleep(SYNCED) => TIMER,
                    };
                    metrics::counter!("ad_syncs_total", "cause" => cause).increment(1);
                }
                // Reports the remaining served ads before the process stops.
                if let Err(fault) = server.sync().await {
                    tracing::warn!(error = %fault, "the last served ads could not be reported");
                }
            }
        });
    }

    /// Stores events with verified tickets and returns their outcomes once they are stored.
    pub(crate) async fn record(&self, events: Vec<Event>) -> Result<Vec<Outcome>, Fault> {
        self.0.recorder.get_all(events).await
    }

    /// Chooses ads for the slots of a page, from top to bottom.
    pub(crate) fn choose(&self, page: &PageContext, slots: &[Slot]) -> Vec<Option<Chosen>> {
        let now = self.0.clock.now();
        let mut random = || self.random();
        let mut state = self.state();
        let hour = hour_of_week(now, self.0.zone);
        let chosen = state.engine.choose(page, slots, (now, hour), &mut random);
        let chosen: Vec<_> = chosen
            .into_iter()
            .map(|choice| {
                choice.map(|choice| {
                    (
                        choice.line_item.id,
                        choice.campaign.advertiser_name.clone(),
                        choice.creative.clone(),
                    )
                })
            })
            .collect();
        drop(state);
        let with_ticket =
            |((line_item_id, advertiser, creative), slot): ((i64, String, Creative), &Slot)| {
                let id = entropy::uuid(&self.0.entropy);
                let token = self.0.tickets.sign(&Ticket {
                    opportunity: id,
                    line_item_id,
                    creative_id: creative.id,
                    served_at: now,
                    position: slot.position.clone(),
                });
                Chosen {
                    id,
                    advertiser,
                    creative,
                    token,
                }
            };
        let pairs = chosen.into_iter().zip(slots);
        pairs
            .map(|(choice, slot)| choice.map(|choice| with_ticket((choice, slot))))
            .collect()
    }

    /// Verifies a ticket at the current time.
    pub(crate) fn verify(&self, token: &str) -> Result<Ticket, Invalid> {
        self.0.tickets.verify(token, self.0.clock.now())
    }

    /// Verifies a preview token at the current time.
    pub(crate) fn preview(&self, token: &str) -> Option<Preview> {
        self.0.previews.verify(token, self.0.clock.now())
    }

    /// Returns a creative of the plan.
    pub(crate) fn creative(&self, id: i64) -> Option<Creative> {
        self.state().engine.creative(id).cloned()
    }

    /// Returns the slugs and names of current advertisers, ordered by name. The list may change with the next plan and
    /// is empty until the first plan has arrived, as pages have no ads before then.
    pub(crate) fn advertisers(&self) -> Advertisers {
        let now = self.0.clock.now();
        let state = self.state();
        let all = state.engine.plan().advertisers_at(now).into_iter();
        Advertisers {
            all: all
                .map(|(slug, name)| (slug.to_owned(), name.to_owned()))
                .collect(),
            until: now + SYNCED,
        }
    }

    /// Counts refused events.
    pub(crate) fn refuse(&self, reason: &'static str, count: u64) {
        metrics::counter!("ad_events_refused_total", "reason" => reason).increment(count);
        self.state().engine.refuse(reason, count);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a random number from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are all that it has")]
    fn random(&self) -> f64 {
        let mut bytes = [0; 8];
        self.0.entropy.fill(&mut bytes);
        (u64::from_be_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Reports served ads and replaces the plan. If a report fails, its numbers are included in the next one.
    pub(crate) async fn sync(&self) -> Result<(), Fault> {
        let (request, reported) = self.state().engine.report();
        let call = Call::new(Caller::Operator, TIMEOUT);
        let answer = self.0.services.ads().sync(call.request(request)).await;
        let answer = match answer {
            Ok(answer) => answer.into_inner(),
            Err(status) => {
                self.state().engine.give_back(reported);
                return Err(status.into());
            }
        };
        let (allowance, unreadable) = Allowance::read(answer, &mut || self.random());
        for Unreadable { campaign, why } in unreadable {
            tracing::error!(campaign, why, "a campaign is not served");
        }
        let mut state = self.state();
        state.engine.take(allowance);
        state.synced_at = Some(self.0.clock.now());
        Ok(())
    }

    fn measure(&self) {
        let state = self.state();
        if let Some(at) = state.synced_at {
            let age = (self.0.clock.now() - at).as_seconds_f64();
            metrics::gauge!("ad_plan_age_seconds").set(age);
        }
    }
}

#[async_trait]
impl Handler for AdServer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let PlanChanged { revision } = decode(message)?;
        if revision > self.state().engine.revision() {
            self.0.changed.notify_one();
        }
        Ok(())
    }

    async fn resumed(&self) {
        self.0.changed.notify_one();
    }
}

/// Returns the hour of the week in a time zone, counted from Monday 00:00.
fn hour_of_week(now: DateTime<Utc>, zone: Tz) -> u8 {
    let local = now.with_timezone(&zone);
    let hour = local.weekday().num_days_from_monday() * 24 + local.hour();
    u8::try_from(hour).unwrap_or_default()
}
