//! `bench ads --day`: a day of a thousand campaigns with a rush of five times as many pages, by a clock that is set, through
//! the service of ads on PostgreSQL, whose process is killed all the time. Every hour has its part of each goal, no goal is
//! exceeded, each event is counted once, and the log proves it.

mod books;
mod clock;
mod gateways;
mod program;
mod readers;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use chassis::clock::Clock as _;
use chrono::{DateTime, TimeDelta, Utc};
use futures::future::try_join_all;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use serde::{Deserialize, Serialize};

use self::{
    clock::SetClock,
    gateways::{Gateway, Pages},
    program::Program,
    readers::Readers,
};
use crate::{ads::campaigns::Campaigns, database::Database, plan::Operator, progress};

/// The day, a Monday, which has 24 hours there.
const DAY: &str = "2027-03-01";
/// Its first instant.
const BEGIN: &str = "2027-03-01T05:00:00Z";
/// Milliseconds between two reports of a gateway.
const TICK: i64 = 2_000;
const TICKS: i64 = 86_400_000 / TICK;
const TICKS_OF_HOUR: i64 = TICKS / 24;
/// The pages of each hour, for each of a thousand of the day: few at night, most in the evening.
const SHAPE: [u32; 24] = [
    14, 9, 6, 5, 6, 12, 25, 45, 57, 54, 51, 53, 64, 59, 52, 51, 55, 61, 66, 69, 70, 58, 36, 22,
];
/// The hour of the rush, and how many times as many pages it has.
const RUSH: (usize, u32) = (15, 5);
const GATEWAYS: usize = 2;
/// The longest time from the beginning of a tick's calls to a kill, in microseconds.
const KILLED_WITHIN: u64 = 12_000;
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long the log may take to be linked after the last event.
const LINKED_WITHIN: Duration = Duration::from_mins(2);

/// A prepared database and the size of the day.
#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    database: String,
    /// The program of the service, whose clock is set.
    service: PathBuf,
    operator: Operator,
    /// Pages without the rush.
    pages: u32,
    campaigns: u32,
    /// Impressions of each campaign.
    goal: u32,
    /// How often the service is killed.
    kills: usize,
}

/// The outcome.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pages: u64,
    campaigns: u32,
    goal: u32,
    kills: usize,
    /// Calls that were not answered.
    unanswered: u64,
    /// Distinct events that were sent.
    sent: i64,
    /// Events that had been counted although their call was not answered.
    repeated: u64,
    /// Microseconds that the choice for a page took, on average.
    choice: f64,
    #[serde(flatten)]
    books: books::Books,
    minutes: f64,
}

/// The program of the service, its database and its key.
#[derive(Debug, Clone)]
struct Service {
    program: PathBuf,
    database: String,
    key: String,
}

impl Service {
    const DATABASE: &'static str = "CITYGUIDE__DATABASE__URL";
    const KEY: &'static str = "CITYGUIDE__INTERNAL__KEY";

    fn of(plan: &Plan) -> anyhow::Result<Self> {
        let mut environment = plan.operator.environment.iter();
        let key = environment.find(|(name, _)| name == Self::KEY);
        Ok(Self {
            program: plan.service.clone(),
            database: plan.database.clone(),
            key: key.context("no key")?.1.clone(),
        })
    }

    fn environment(&self) -> [(&'static str, &str); 2] {
        [(Self::DATABASE, &self.database), (Self::KEY, &self.key)]
    }
}

pub(crate) async fn run(plan: &Path) -> anyhow::Result<Outcome> {
    let plan: Plan = serde_json::from_slice(&fs::read(plan)?)?;
    let begun = Instant::now();
    let mut database = Database::open(&plan.database).await?;
    books::prepare(&mut database, plan.pages).await?;
    let campaigns = Campaigns {
        count: plan.campaigns,
        days: (DAY, DAY),
        goal: plan.goal.into(),
    };
    campaigns.apply(&plan.operator).await?;
    progress(&format!("  {} campaigns", plan.campaigns));
    let mut day = Day::begin(&plan).await?;
    for tick in 0..TICKS {
        day.pass(tick).await?;
        if tick % TICKS_OF_HOUR == TICKS_OF_HOUR - 1 {
            progress(&format!(
                "  {} hours, {} pages, {:.0} s",
                (tick + 1) / TICKS_OF_HOUR,
                day.pages,
                begun.elapsed().as_secs_f64()
            ));
        }
    }
    let kills = day.kills.len();
    let (readers, pages, choosing) = day.end().await?;
    let books = books::close(&mut database, &plan, &readers.sent).await?;
    Ok(Outcome {
        pages,
        campaigns: plan.campaigns,
        goal: plan.goal,
        kills,
        unanswered: readers.unanswered,
        sent: readers.sent.values().sum(),
        repeated: readers.repeated,
        choice: choosing.as_secs_f64() * 1e6 / f64::from(u32::try_from(pages)?),
        books,
        minutes: begun.elapsed().as_secs_f64() / 60.0,
    })
}

/// The first instant of the day.
fn begin() -> anyhow::Result<DateTime<Utc>> {
    Ok(BEGIN.parse()?)
}

struct Day {
    clock: Arc<SetClock>,
    begin: DateTime<Utc>,
    service: Service,
    program: Program,
    gateways: Vec<Gateway>,
    readers: Readers,
    slots: Pages,
    chance: StdRng,
    /// The ticks in which the service is killed.
    kills: BTreeSet<i64>,
    /// Pages of an hour without the rush, for each of `SHAPE`'s.
    scale: f64,
    /// Pages that are due, a part of one among them.
    due: f64,
    pages: u64,
    choosing: Duration,
}

impl Day {
    async fn begin(plan: &Plan) -> anyhow::Result<Self> {
        let begin = begin()?;
        let clock = SetClock::at(begin);
        let service = Service::of(plan)?;
        let program = Program::start(&service, &clock).await?;
        let mut chance = StdRng::seed_from_u64(17);
        let mut kills = BTreeSet::new();
        while kills.len() < plan.kills {
            kills.insert(chance.random_range(1..TICKS));
        }
        let gateways = (0..GATEWAYS).map(|_| Gateway::new(program.client.clone(), &mut chance));
        let gateways = gateways.collect();
        Ok(Self {
            clock,
            begin,
            service,
            program,
            gateways,
            readers: Readers::default(),
            slots: Pages::new(),
            chance,
            kills,
            scale: f64::from(plan.pages) / f64::from(SHAPE.iter().sum::<u32>()),
            due: 0.0,
            pages: 0,
            choosing: Duration::ZERO,
        })
    }

    /// Two seconds: events are sent, gateways report and are told, and readers come.
    async fn pass(&mut self, tick: i64) -> anyhow::Result<()> {
        let now = self.begin + TimeDelta::milliseconds(tick * TICK);
        self.clock.set(now);
        self.program.set(&self.clock).await?;
        let is_killed = self.kills.contains(&tick);
        self.exchange(is_killed).await?;
        if is_killed {
            self.restart().await?;
        }
        self.answer(tick)
    }

    /// The calls of a tick; the service dies in the middle of them if it is killed.
    async fn exchange(&mut self, is_killed: bool) -> anyhow::Result<()> {
        let client = self.program.client.clone();
        let mut own = StdRng::seed_from_u64(self.chance.random());
        let before = self.readers.unanswered;
        let sending = self.readers.send(&client, &mut own);
        let chance = &mut self.chance;
        let until_killed = Duration::from_micros(chance.random_range(0..KILLED_WITHIN));
        let syncs = self
            .gateways
            .iter_mut()
            .map(|gateway| gateway.sync(StdRng::seed_from_u64(chance.random())));
        let syncing = try_join_all(syncs);
        let program = &mut self.program;
        let killing = async {
            if is_killed {
                tokio::time::sleep(until_killed).await;
                program.kill().await?;
            }
            anyhow::Ok(())
        };
        let ((), synced, ()) = tokio::try_join!(sending, syncing, killing)?;
        let is_well = self.readers.unanswered == before && synced.iter().all(|synced| *synced);
        ensure!(is_well || is_killed, "a service that lives did not answer");
        Ok(())
    }

    /// Another process of the service; every second time a gateway was killed with it, and what it had not reported is
    /// lost.
    async fn restart(&mut self) -> anyhow::Result<()> {
        self.program = Program::start(&self.service, &self.clock).await?;
        for gateway in &mut self.gateways {
            gateway.reconnect(self.program.client.clone());
        }
        if self.chance.random() {
            let mut gateway = Gateway::new(self.program.client.clone(), &mut self.chance);
            let own = StdRng::seed_from_u64(self.chance.random());
            ensure!(gateway.sync(own).await?, "the service did not start");
            self.gateways[0] = gateway;
        }
        Ok(())
    }

    /// The pages of a tick.
    fn answer(&mut self, tick: i64) -> anyhow::Result<()> {
        let hour = usize::try_from(tick / TICKS_OF_HOUR)?;
        let rush = if hour == RUSH.0 { RUSH.1 } else { 1 };
        let ticks = f64::from(i32::try_from(TICKS_OF_HOUR)?);
        self.due += f64::from(rush) * self.scale * f64::from(SHAPE[hour]) / ticks;
        let mut offsets = Vec::new();
        while self.due >= 1.0 {
            self.due -= 1.0;
            offsets.push(self.chance.random_range(0..TICK));
        }
        offsets.sort_unstable();
        // A Monday: the hour of the week is that of the day.
        let hour = u8::try_from(hour)?;
        for offset in offsets {
            let at = self.clock.now() + TimeDelta::milliseconds(offset);
            let gateway = self.chance.random_range(0..self.gateways.len());
            let begun = Instant::now();
            let shown = self.gateways[gateway].answer(&self.slots, (at, hour), &mut self.chance);
            self.choosing += begun.elapsed();
            self.pages += 1;
            for one in shown {
                self.readers.look(one, &mut self.chance);
            }
        }
        Ok(())
    }

    /// Readers send the events that are left, and the log is linked to its end.
    async fn end(mut self) -> anyhow::Result<(Readers, u64, Duration)> {
        let mut tick = TICKS;
        while !self.readers.is_done() {
            let now = self.begin + TimeDelta::milliseconds(tick * TICK);
            self.clock.set(now);
            self.program.set(&self.clock).await?;
            self.exchange(false).await?;
            tick += 1;
        }
        let mut database = Database::open(&self.service.database).await?;
        let linked = "NOT EXISTS (SELECT FROM ads.batches WHERE position IS NULL)";
        let waiting = database.wait_until(linked, LINKED_WITHIN);
        waiting.await.context("the log is not linked")?;
        self.program.kill().await?;
        Ok((self.readers, self.pages, self.choosing))
    }
}
