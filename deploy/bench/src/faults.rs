//! `bench faults`: while a service is stopped, calls that do not need it are compared with the same calls without the
//! fault. Calls that need the service are timed until its circuit breaker opens, while it is open, and until they are
//! answered as usual again.

mod neighbours;
mod sink;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use futures::future::try_join_all;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio::time::{sleep, timeout};

use crate::{
    city::City,
    fill::Cast,
    harness::{Bench, Cpu, Turn, float, milliseconds},
    load::{self, Connection, get},
    plan::Process,
    results::{Measure, Target},
};

/// Number of concurrent requests.
const CONNECTIONS: usize = 8;
/// Breakers open within this time, or never.
const OPENS_WITHIN: Duration = Duration::from_secs(15);
const POLL: Duration = Duration::from_millis(10);
/// Timeout of all measured operations.
const PATIENCE: Duration = Duration::from_mins(1);

type Calls = &'static [&'static str];

const KEPT: &str = "the front page, kept";
const HOME: &str = "the front page, not kept";
const PLACE: &str = "a place's page";
const ARTICLE: &str = "an article's page";
const PLACES: &str = "GET listings/?keywords=";
const ARTICLES: &str = "GET articles/?keywords=";
const STATUS: &str = "GET profiles/status/";
const FAVOURITES: &str = "GET favourites/";

/// Services, calls that do not need them, and calls that do. Each request differs from all others, so that no cached
/// response hides the services, except in calls that measure cached responses.
const SERVICES: [(&str, Calls, Calls); 4] = [
    (
        "places",
        &[KEPT, ARTICLE, ARTICLES, STATUS],
        &[PLACES, PLACE],
    ),
    (
        "editorial",
        &[KEPT, PLACE, PLACES, FAVOURITES],
        &[ARTICLES, ARTICLE],
    ),
    (
        "bookmarks",
        &[HOME, PLACE, ARTICLE, STATUS],
        &[FAVOURITES, "GET profiles/hi/"],
    ),
    (
        "identity",
        &[HOME, PLACE, ARTICLE, PLACES],
        &["GET profiles/me/", FAVOURITES],
    ),
];

/// A suspended process: its connections stay open, the kernel accepts new ones, and nothing is answered. The process is
/// resumed on drop.
struct Stopped(Pid);

impl Stopped {
    fn new(id: u32) -> anyhow::Result<Self> {
        let id = Pid::from_raw(i32::try_from(id)?);
        kill(id, Signal::SIGSTOP)?;
        Ok(Self(id))
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // This fails if the process has been killed meanwhile.
        let _ = kill(self.0, Signal::SIGCONT);
    }
}

/// The site, and the readers who act on it.
struct World {
    site: String,
    /// The address of the gateway that caches public responses.
    keeping: String,
    /// The process of the other gateway.
    gateway: Process,
    cast: Cast,
    city: City,
    /// Number of requests sent so far.
    number: AtomicUsize,
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let database = bench.database().await?;
    let world = Arc::new(World {
        cast: Cast::prepare(&database).await?,
        city: City::explore(&reqwest::Client::new(), &plan.site.address).await?,
        site: plan.site.address.clone(),
        keeping: plan.site.other.clone(),
        gateway: plan.site.process("gateway")?.clone(),
        number: AtomicUsize::new(0),
    });
    for (service, others, needing) in SERVICES {
        let turn = plan.turn();
        let rate = |call: &&str| {
            let name = format!("{service} stopped: {call}, 1/s");
            Measure::new(name, "without the fault", Target::AtLeast(0.9))
        };
        let mut measures: Vec<_> = others.iter().map(rate).collect();
        let mut bound = |what, most| {
            let name = format!("{service} stopped: {what}, ms");
            measures.push(Measure::new(name, "", Target::AtMost(most)));
        };
        bound("longest time to a 503", 1100.0);
        bound("p99 of a 503 with an open breaker", 50.0);
        bound("recovery", 2000.0);
        let id = plan.site.process(service)?.id;
        let ours = async || {
            let stopped = Stopped::new(id)?;
            let times = world.fail(needing, turn).await?;
            let rates = world.rates(others, turn).await?;
            drop(stopped);
            let recovery = world.recover(needing).await?;
            anyhow::Ok(Turn::of([rates, times, vec![recovery]].concat()))
        };
        let theirs = async || anyhow::Ok(Turn::of(world.rates(others, turn).await?));
        bench.alternate(&measures, ours, theirs).await?;
    }
    neighbours::measure(bench, world.cast).await
}

impl World {
    fn request(&self, call: &str) -> Vec<u8> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let any = |paths: &[String]| get(&paths[number % paths.len()]);
        match call.strip_prefix("GET ") {
            None if call == PLACE => any(&self.city.place_pages),
            None if call == ARTICLE => any(&self.city.article_pages),
            None => get("/"),
            Some(path) if path.ends_with('=') => get(&format!("/api/v2/{path}k{number}")),
            Some(path) => {
                let (connection, n) = (number % load::CONNECTIONS, number / load::CONNECTIONS);
                let session = self.cast.session(connection, n);
                load::request("GET", &format!("/api/v2/{path}"), &session, "")
            }
        }
    }

    /// Returns the requests per second of each call, or 0 if any response has an unusual status.
    async fn rates(self: &Arc<Self>, calls: Calls, turn: Duration) -> anyhow::Result<Vec<f64>> {
        let mut rates = Vec::new();
        for call in calls {
            let address = if *call == KEPT {
                &self.keeping
            } else {
                &self.site
            };
            let failed = Arc::new(AtomicBool::new(false));
            let begun = Instant::now();
            let work = load::together(CONNECTIONS, |_| {
                let (world, address) = (Arc::clone(self), address.clone());
                let failed = Arc::clone(&failed);
                async move {
                    let mut connection = Connection::open(&address).await?;
                    let mut done = 0;
                    while begun.elapsed() < turn {
                        let answer = connection.send(&world.request(call)).await?;
                        failed.fetch_or(answer.status != 200, Ordering::Relaxed);
                        done += 1;
                    }
                    Ok(done)
                }
            });
            let rate = float(work.await?) / begun.elapsed().as_secs_f64();
            let has_failed = failed.load(Ordering::Relaxed);
            rates.push(if has_failed { 0.0 } else { rate });
        }
        Ok(rates)
    }

    /// Makes calls that need the service until its breaker has been open for a turn. Returns the longest time, and the
    /// p99 with an open breaker.
    async fn fail(&self, calls: Calls, turn: Duration) -> anyhow::Result<Vec<f64>> {
        let times = Mutex::new((Vec::new(), Vec::new()));
        let (is_open, is_done) = (AtomicBool::new(false), AtomicBool::new(false));
        let calling = try_join_all((0..CONNECTIONS).map(async |_| {
            let mut connection = Connection::open(&self.site).await?;
            for call in calls.iter().cycle() {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                let was_open = is_open.load(Ordering::Relaxed);
                let sent = Instant::now();
                let status = connection.send(&self.request(call)).await?.status;
                ensure!([200, 503].contains(&status), "{call} was answered {status}");
                let time = milliseconds(sent.elapsed());
                let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
                times.0.push(time);
                times.1.extend(was_open.then_some(time));
            }
            anyhow::Ok(())
        }));
        let watching = async {
            timeout(OPENS_WITHIN, self.until_breakers(true)).await??;
            is_open.store(true, Ordering::Relaxed);
            sleep(turn).await;
            is_done.store(true, Ordering::Relaxed);
            anyhow::Ok(())
        };
        tokio::try_join!(calling, watching)?;
        let (all, open) = times.into_inner().unwrap_or_else(PoisonError::into_inner);
        let longest = all.into_iter().fold(f64::NAN, f64::max);
        Ok(vec![longest, Turn::times(open, Cpu::new()).values[1]])
    }

    /// Waits until a breaker is open, or until all are closed, according to the gateway's metrics.
    async fn until_breakers(&self, are_open: bool) -> anyhow::Result<()> {
        let is_open =
            |line: &str| line.starts_with("rpc_client_breaker_open{") && line.ends_with(" 1");
        loop {
            let page = self.gateway.metrics().await?;
            if page.lines().any(is_open) == are_open {
                return Ok(());
            }
            sleep(POLL).await;
        }
    }

    /// Waits until each call is answered as usual and all breakers are closed; returns the milliseconds until the last
    /// response.
    async fn recover(&self, calls: Calls) -> anyhow::Result<f64> {
        let begun = Instant::now();
        let recovering = try_join_all(calls.iter().map(async |call| {
            let mut connection = Connection::open(&self.site).await?;
            while connection.send(&self.request(call)).await?.status != 200 {
                sleep(POLL).await;
            }
            anyhow::Ok(())
        }));
        let recovered = timeout(PATIENCE, recovering).await;
        recovered.context("the site does not recover")??;
        let time = milliseconds(begun.elapsed());
        // All breakers must be closed before the next turn.
        let closed = timeout(PATIENCE, self.until_breakers(false)).await;
        closed.context("a breaker stays open")??;
        Ok(time)
    }
}
