//! The day's traffic: gateways choose ads with their engine and report to the service; readers' browsers send events.

use std::{
    collections::{BTreeMap, VecDeque},
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use ad_delivery::{Allowance, Engine, PageContext, Size, Slot};
use ads_proto::v1::{
    Event, EventKind, Outcome, RecordEventsRequest, delivery_client::DeliveryClient,
};
use anyhow::{Context, ensure};
use chassis::{
    call::{Call, Caller, CallerTokens},
    clock::Clock,
    instant,
    keys::Keys,
    rpc::{self, Outgoing, Transport},
};
use chrono::{DateTime, TimeDelta, Utc};
use futures::future::try_join_all;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};
use uuid::Uuid;

use super::{BEGIN, SHAPE};

/// The variable with the key of tickets and of the log.
pub(super) const KEY: &str = "CITYGUIDE__INTERNAL__KEY";
const DATABASE: &str = "CITYGUIDE__DATABASE__URL";
const TIMEOUT: Duration = Duration::from_secs(20);
/// Milliseconds between two reports of a gateway.
const TICK: i64 = 2_000;
const TICKS_OF_HOUR: i64 = 3_600_000 / TICK;
/// The rush hour, and the factor of its pages.
const RUSH: (usize, u32) = (15, 5);
const GATEWAYS: usize = 2;
/// Events per call.
const EACH_CALL: usize = 100;
/// Percentage of ads that readers never scroll to.
const UNSEEN: u32 = 25;

/// Kinds of pages: share in percent, page, screen, and the size of each slot.
const PAGES: [&str; 4] = [
    "20 home large 970x90 970x250 300x250 300x250 728x90",
    "30 article x_small 320x100 300x250 300x250 320x50",
    "30 article large 970x90 300x250 300x250 970x250 728x90 300x250",
    "20 place small 728x90 300x250 300x250",
];

/// A kind of page: its share, its context and its slots.
type Kind = (u32, PageContext, Vec<Slot>);

fn kind(text: &str) -> Option<Kind> {
    let mut words = text.split(' ');
    let share = words.next()?.parse().ok()?;
    let page = PageContext {
        page: words.next()?.to_owned(),
        screen: words.next()?.to_owned(),
        ..PageContext::default()
    };
    let slots = words.enumerate().filter_map(|(at, size)| {
        let (width, height) = size.split_once('x')?;
        let size = Size::new(width.parse().ok()?, height.parse().ok()?)?;
        let position = format!("slot-{at}");
        let sizes = [size].into_iter().collect();
        Some(Slot { position, sizes })
    });
    Some((share, page, slots.collect()))
}

/// The callers' clock, in milliseconds since 1970.
#[derive(Debug, Default)]
struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0.load(Ordering::Relaxed)).unwrap_or_default()
    }
}

/// The service's process; its clock is set through its standard input.
struct Service {
    _child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    clock: Arc<SetClock>,
}

impl Service {
    fn start(program: &Path, database: &str, key: &str) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        command.env(DATABASE, database).env(KEY, key);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn()?;
        let output = child.stdout.take().context("an output")?;
        Ok(Self {
            input: child.stdin.take().context("an input")?,
            output: BufReader::new(output).lines(),
            _child: child,
            clock: Arc::default(),
        })
    }

    /// Sets the clock of the process and of its callers; returns the line that the process prints.
    async fn set(&mut self, now: DateTime<Utc>) -> anyhow::Result<String> {
        let now = now.timestamp_millis();
        self.clock.0.store(now, Ordering::Relaxed);
        self.input.write_all(format!("{now}\n").as_bytes()).await?;
        let line = self.output.next_line().await?;
        line.context("the service has ended")
    }
}

pub(super) struct Day {
    begin: DateTime<Utc>,
    service: Service,
    client: DeliveryClient<Transport>,
    gateways: Vec<Engine>,
    kinds: Vec<Kind>,
    chance: StdRng,
    /// Events by the tick at which they are sent, next tick first.
    due: VecDeque<Vec<Event>>,
    /// Number of sent events by line item.
    pub(super) sent: BTreeMap<i64, i64>,
    /// Page views per unit of `SHAPE`, without the rush.
    scale: f64,
    /// Pages that are due, with a fraction.
    pages_due: f64,
    pub(super) pages: u64,
    pub(super) choosing: Duration,
    tick: i64,
}

impl Day {
    pub(super) async fn begin(
        program: &Path,
        database: &str,
        key: &str,
        pages: u32,
    ) -> anyhow::Result<Self> {
        let begin: DateTime<Utc> = BEGIN.parse()?;
        let mut service = Service::start(program, database, key)?;
        let port: u16 = service.set(begin).await?.parse()?;
        let outgoing = Outgoing {
            tokens: CallerTokens::new(Keys::parse(key)?, service.clock.clone()),
            read_timeout: TIMEOUT,
        };
        let url = format!("http://127.0.0.1:{port}");
        let transport = rpc::remote("ads", ads_proto::CONTRACT, &url, None, outgoing)?;
        let mut chance = StdRng::seed_from_u64(17);
        let gateways = (0..GATEWAYS).map(|_| Engine::new(Uuid::from_u128(chance.random())));
        Ok(Self {
            gateways: gateways.collect(),
            client: DeliveryClient::new(transport),
            begin,
            service,
            kinds: PAGES.into_iter().filter_map(kind).collect(),
            chance,
            due: VecDeque::new(),
            sent: BTreeMap::new(),
            scale: f64::from(pages) / f64::from(SHAPE.iter().sum::<u32>()),
            pages_due: 0.0,
            pages: 0,
            choosing: Duration::ZERO,
            tick: 0,
        })
    }

    pub(super) async fn pass(&mut self, hour: usize) -> anyhow::Result<()> {
        for _ in 0..TICKS_OF_HOUR {
            self.exchange().await?;
            self.answer(hour)?;
        }
        Ok(())
    }

    /// Sends the remaining events.
    pub(super) async fn end(&mut self) -> anyhow::Result<()> {
        while !self.due.is_empty() {
            self.exchange().await?;
        }
        Ok(())
    }

    /// Makes the calls of a tick: sends events, and lets gateways report and receive allowances.
    async fn exchange(&mut self) -> anyhow::Result<()> {
        let now = self.begin + TimeDelta::milliseconds(self.tick * TICK);
        ensure!(
            self.service.set(now).await? == "set",
            "the service does not set its clock"
        );
        self.tick += 1;
        let due = self.due.pop_front().unwrap_or_default();
        let calls = due.chunks(EACH_CALL).map(|events| {
            let events = events.to_vec();
            let call = Call::new(Caller::Guest, TIMEOUT).request(RecordEventsRequest { events });
            let mut client = self.client.clone();
            async move { client.record_events(call).await }
        });
        for answer in try_join_all(calls).await? {
            let outcomes = answer.into_inner().outcomes;
            let is_counted = |outcome: &i32| *outcome == i32::from(Outcome::Counted);
            ensure!(
                outcomes.iter().all(is_counted),
                "events were answered {outcomes:?}"
            );
        }
        for engine in &mut self.gateways {
            let (request, _) = engine.report();
            let call = Call::new(Caller::Operator, TIMEOUT).request(request);
            let answer = self.client.sync(call).await?.into_inner();
            let chance = &mut self.chance;
            let (allowance, unreadable) = Allowance::read(answer, &mut || chance.random());
            ensure!(unreadable.is_empty(), "{unreadable:?}");
            engine.take(allowance);
        }
        Ok(())
    }

    /// Opens the pages of a tick.
    fn answer(&mut self, hour: usize) -> anyhow::Result<()> {
        let rush = if hour == RUSH.0 { RUSH.1 } else { 1 };
        let ticks = f64::from(i32::try_from(TICKS_OF_HOUR)?);
        self.pages_due += f64::from(rush) * self.scale * f64::from(SHAPE[hour]) / ticks;
        let mut offsets = Vec::new();
        while self.pages_due >= 1.0 {
            self.pages_due -= 1.0;
            offsets.push(self.chance.random_range(0..TICK));
        }
        offsets.sort_unstable();
        // On a Monday the hour of the week is the hour of the day.
        let hour = u8::try_from(hour)?;
        for offset in offsets {
            let at = self.service.clock.now() + TimeDelta::milliseconds(offset);
            self.page(at, hour);
        }
        Ok(())
    }

    /// Simulates a reader who opens a page and sees most of its ads.
    fn page(&mut self, now: DateTime<Utc>, hour: u8) {
        let chance = &mut self.chance;
        let mut drawn = chance.random_range(0..100);
        let kind = self.kinds.iter().find(|(share, ..)| {
            let is_it = drawn < *share;
            drawn = drawn.saturating_sub(*share);
            is_it
        });
        let (_, page, slots) = kind.unwrap_or(&self.kinds[0]);
        let gateway = chance.random_range(0..self.gateways.len());
        let engine = &mut self.gateways[gateway];
        let begun = Instant::now();
        let chosen = engine.choose(page, slots, (now, hour), &mut || chance.random());
        self.choosing += begun.elapsed();
        self.pages += 1;
        // Ads are seen a second later, so their events are sent two ticks later at the latest.
        while self.due.len() < 2 {
            self.due.push_back(Vec::new());
        }
        for (choice, slot) in chosen.into_iter().zip(slots) {
            let Some(choice) = choice.filter(|_| chance.random_range(0..100) >= UNSEEN) else {
                continue;
            };
            let line_item_id = choice.line_item.id;
            *self.sent.entry(line_item_id).or_default() += 1;
            self.due[1].push(Event {
                kind: EventKind::Impression.into(),
                opportunity: chance.random::<u128>().to_be_bytes().to_vec(),
                line_item_id,
                creative_id: choice.creative.id,
                position: slot.position.clone(),
                served_at: Some(instant::to_proto(now)),
                is_bot: false,
                is_excess: false,
            });
        }
    }
}
