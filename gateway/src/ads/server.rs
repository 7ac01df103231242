//! The ad server of this process: it holds the plan, chooses from memory, and tells the service of ads every two seconds
//! what it has served, sooner if an event says that the plan has changed. While the service is away it goes on with what it
//! holds.

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

/// How often the service of ads is told what was served.
const SYNCED: Duration = Duration::from_secs(2);
/// Why it is told.
const TIMER: &str = "timer";
const EVENT: &str = "event";
/// A call that takes longer is given up.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The ad server of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct AdServer(Arc<Parts>);

struct Parts {
    services: Clients,
    clock: SharedClock,
    zone: Tz,
    /// For ids and for chance; neither is a secret.
    entropy: EntropyAhead,
    tickets: Tickets,
    previews: Previews,
    /// Events of many requests that come at once travel together.
    recorder: Batcher<Event, Outcome>,
    state: Mutex<State>,
    /// There is a newer plan, or there may be.
    changed: Notify,
}

struct State {
    engine: Engine,
    synced_at: Option<DateTime<Utc>>,
}

/// What was chosen for a slot.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// The opportunity.
    pub(crate) id: Uuid,
    pub(crate) advertiser: String,
    pub(crate) creative: Creative,
    /// The ticket that its events come with.
    pub(crate) token: String,
}

/// Who advertises at the moment.
#[derive(Debug, Clone)]
pub(crate) struct Advertisers {
    /// Slugs and names, in the order of the names.
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
        // Made here, so that they are 0 and not absent before the first.
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
                        tracing::warn!(error = %fault, "ads are served from an older plan");
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
                // What was served last would be lost otherwise.
                if let Err(fault) = server.sync().await {
                    tracing::warn!(error = %fault, "what was served last was not reported");
                }
            }
        });
    }

    /// Stores events of verified tickets; returns what became of each. They are stored when it returns.
    pub(crate) async fn record(&self, events: Vec<Event>) -> Result<Vec<Outcome>, Fault> {
        self.0.recorder.get_all(events).await
    }

    /// Chooses for the slots of a page, from its top to its bottom.
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

    /// The ticket of a text, now.
    pub(crate) fn verify(&self, token: &str) -> Result<Ticket, Invalid> {
        self.0.tickets.verify(token, self.0.clock.now())
    }

    /// The preview of a text, now.
    pub(crate) fn preview(&self, token: &str) -> Option<Preview> {
        self.0.previews.verify(token, self.0.clock.now())
    }

    /// A creative of the plan.
    pub(crate) fn creative(&self, id: i64) -> Option<Creative> {
        self.state().engine.creative(id).cloned()
    }

    /// The slugs and names of those who advertise now, by name; nobody before the first plan has come, as pages have no ads
    /// then either. It may change with the next plan.
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

    /// Counts events that were refused.
    pub(crate) fn refuse(&self, reason: &'static str, count: u64) {
        metrics::counter!("ad_events_refused_total", "reason" => reason).increment(count);
        self.state().engine.refuse(reason, count);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are all that it has")]
    fn random(&self) -> f64 {
        let mut bytes = [0; 8];
        self.0.entropy.fill(&mut bytes);
        (u64::from_be_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Reports what was served, and takes what may be served. What could not be reported is reported next time.
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

/// The hour of the week in a zone, from Monday 00:00.
fn hour_of_week(now: DateTime<Utc>, zone: Tz) -> u8 {
    let local = now.with_timezone(&zone);
    let hour = local.weekday().num_days_from_monday() * 24 + local.hour();
    u8::try_from(hour).unwrap_or_default()
}
