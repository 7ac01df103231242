//! The ad server of this process: it holds the plan, chooses from memory, and tells the service of ads every two seconds
//! what it has served, sooner if an event says that the plan has changed. While the service is away it goes on with what it
//! holds.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ad_delivery::{
    Creative, Invalid, PageContext, Plan, Preview, Previews, Selector, Slot, Ticket, Tickets,
    campaign_from_wire,
};
use async_trait::async_trait;
use chassis::{
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
use cityguide_proto::{
    ads::v1::{Refused, Served, SyncRequest, SyncResponse},
    events::v1::PlanChanged,
};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::services::Clients;

/// How often the service of ads is told what was served.
const SYNCED: Duration = Duration::from_secs(2);
/// A call that takes longer is given up.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The most line items that one call reports.
const MOST_SERVED: usize = 10_000;

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
    id: Uuid,
    state: Mutex<State>,
    /// There is a newer plan, or there may be.
    changed: Notify,
}

struct State {
    selector: Selector,
    /// The creatives of the plan, by id: the campaign's, the line item's and their own place.
    creatives: HashMap<i64, (usize, usize, usize)>,
    revision: i64,
    pages: u64,
    refused: BTreeMap<&'static str, u64>,
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

/// What has happened since the last report.
struct Usage {
    request: SyncRequest,
    /// Opportunities by line item.
    served: Vec<(i64, u64)>,
    refused: BTreeMap<&'static str, u64>,
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
            services,
            clock,
            zone,
            tickets: Tickets::new(keys),
            previews: Previews::new(keys),
            id: entropy::uuid(&entropy),
            state: Mutex::new(State {
                selector: Selector::new(Plan::default(), &mut || 0.0),
                creatives: HashMap::new(),
                revision: 0,
                pages: 0,
                refused: BTreeMap::new(),
                synced_at: None,
            }),
            changed: Notify::new(),
            entropy,
        }))
    }

    /// Keeps the plan up to date until the process stops.
    pub(crate) fn start(&self, life: &Lifecycle) {
        let (server, stopping) = (self.clone(), life.clone());
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
                        () = server.0.changed.notified() => "event",
                        () = tokio::time::sleep(SYNCED) => "timer",
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

    /// Chooses for the slots of a page, from its top to its bottom.
    pub(crate) fn choose(&self, page: &PageContext, slots: &[Slot]) -> Vec<Option<Chosen>> {
        let now = self.0.clock.now();
        let mut random = || self.random();
        let mut state = self.state();
        state.pages += 1;
        let hour = hour_of_week(now, self.0.zone);
        let chosen = state.selector.choose(page, slots, (now, hour), &mut random);
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
        let state = self.state();
        let (campaign, item, creative) = *state.creatives.get(&id)?;
        let campaign = state.selector.plan().campaigns.get(campaign)?;
        campaign
            .line_items
            .get(item)?
            .creatives
            .get(creative)
            .cloned()
    }

    /// Counts events that were refused.
    pub(crate) fn refuse(&self, reason: &'static str, count: u64) {
        metrics::counter!("ad_events_refused_total", "reason" => reason).increment(count);
        *self.state().refused.entry(reason).or_default() += count;
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
        let Usage {
            request,
            served,
            refused,
        } = self.usage();
        let pages = request.pages;
        let call = Call::new(Caller::Operator, TIMEOUT);
        let answer = self.0.services.ads().sync(call.request(request)).await;
        match answer {
            Ok(answer) => self.take(answer.into_inner()),
            Err(status) => {
                let mut state = self.state();
                state.selector.give_back_served(&served);
                state.pages += pages;
                for (reason, count) in refused {
                    *state.refused.entry(reason).or_default() += count;
                }
                return Err(status.into());
            }
        }
        Ok(())
    }

    fn usage(&self) -> Usage {
        let mut state = self.state();
        let mut served = state.selector.take_served();
        let later = served.split_off(served.len().min(MOST_SERVED));
        state.selector.give_back_served(&later);
        let refused = std::mem::take(&mut state.refused);
        let request = SyncRequest {
            server: self.0.id.as_bytes().to_vec(),
            revision: state.revision,
            pages: std::mem::take(&mut state.pages),
            served: served
                .iter()
                .map(|(line_item_id, count)| Served {
                    line_item_id: *line_item_id,
                    count: *count,
                })
                .collect(),
            refused: refused
                .iter()
                .map(|(reason, count)| Refused {
                    reason: (*reason).to_owned(),
                    count: *count,
                })
                .collect(),
        };
        Usage {
            request,
            served,
            refused,
        }
    }

    fn take(&self, answer: SyncResponse) {
        let prepared = answer.plan.map(|plan| {
            let campaigns = plan.campaigns.iter().filter_map(|campaign| {
                let read = campaign_from_wire(campaign);
                if let Err(why) = &read {
                    tracing::error!(
                        campaign = campaign.source_id,
                        why,
                        "a campaign is not served"
                    );
                }
                read.ok()
            });
            let plan = Plan {
                campaigns: campaigns.collect(),
            };
            let creatives = creatives(&plan);
            (Selector::new(plan, &mut || self.random()), creatives)
        });
        let mut state = self.state();
        if let Some((mut selector, creatives)) = prepared {
            selector.take_over(&state.selector);
            state.selector = selector;
            state.creatives = creatives;
        }
        for rate in answer.rates {
            let (id, per_second) = (rate.line_item_id, rate.per_second);
            state.selector.set_pace(id, per_second, rate.most);
        }
        state.revision = answer.revision;
        state.synced_at = Some(self.0.clock.now());
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
        if revision > self.state().revision {
            self.0.changed.notify_one();
        }
        Ok(())
    }

    async fn resumed(&self) {
        self.0.changed.notify_one();
    }
}

fn creatives(plan: &Plan) -> HashMap<i64, (usize, usize, usize)> {
    let mut found = HashMap::new();
    for (campaign_at, campaign) in plan.campaigns.iter().enumerate() {
        for (item_at, item) in campaign.line_items.iter().enumerate() {
            for (at, creative) in item.creatives.iter().enumerate() {
                found.insert(creative.id, (campaign_at, item_at, at));
            }
        }
    }
    found
}

/// The hour of the week in a zone, from Monday 00:00.
fn hour_of_week(now: DateTime<Utc>, zone: Tz) -> u8 {
    let local = now.with_timezone(&zone);
    let hour = local.weekday().num_days_from_monday() * 24 + local.hour();
    u8::try_from(hour).unwrap_or_default()
}
