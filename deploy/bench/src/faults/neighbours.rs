//! Calls, updates and letters beside senders, a broker and a mail server that misbehave towards others.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use lapin::{
    options::{QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};
use serde::Deserialize;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{CONNECTIONS, PATIENCE, sink::Sink};
use crate::{
    fill::Cast,
    harness::{Bench, Cpu, Turn, float, milliseconds},
    load::{self, Connection},
    plan::Plan,
    results::Measure,
    stream,
};

/// Number of connections whose bodies arrive late.
const SENDERS: usize = 24;
/// The default of `http.request_timeout_seconds`.
const DEADLINE: Duration = Duration::from_secs(5);
/// The time that a late body takes: it leaves 30 ms for calls of services.
const BODY: Duration = Duration::from_millis(4970);
/// Domains of recipients.
const SILENT: &str = "silent.example";
const GOOD: &str = "good.example";
/// Time between letters to the silent domain.
const EVERY: Duration = Duration::from_millis(100);

/// The p50 and the p99 beside a fault, at most 1.2 times those without it.
fn measures(case: &str) -> Vec<Measure> {
    Measure::times(case, "without the fault", [1.2, 1.2])
}

pub(super) async fn measure(bench: &mut Bench, cast: Cast) -> anyhow::Result<()> {
    calls_beside_late_bodies(bench, cast).await?;
    updates_beside_refused_events(bench, cast).await?;
    letters_beside_a_silent_domain(bench).await
}

/// Bodies whose last byte arrives just before the deadline, which leave the calls of services no time.
async fn calls_beside_late_bodies(bench: &mut Bench, cast: Cast) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let calls = async || favourites(&plan, cast).await;
    let ours = async || {
        let mut senders = JoinSet::new();
        for at in 0..SENDERS {
            senders.spawn(send_late(plan.site.address.clone(), cast, at));
        }
        // Until each of them has sent a body.
        sleep(DEADLINE * 2).await;
        let turn = calls().await?;
        ensure!(senders.try_join_next().is_none(), "a sender has failed");
        anyhow::Ok(turn)
    };
    let measures = measures("bodies that arrive late: POST and DELETE favourites/");
    bench.alternate(&measures, ours, calls).await
}

/// Saves and removes places on several connections.
async fn favourites(plan: &Plan, cast: Cast) -> anyhow::Result<Turn> {
    let mut saving = JoinSet::new();
    for at in 0..CONNECTIONS {
        let (address, turn) = (plan.site.address.clone(), plan.turn());
        saving.spawn(async move {
            let session = cast.session(at, 0);
            let mut connection = Connection::open(&address).await?;
            let body = format!("{{\"listing\":{}}}", cast.listing(at));
            let create = load::request("POST", "/api/v2/favourites/", &session, &body);
            let (begun, mut times) = (Instant::now(), Vec::new());
            while begun.elapsed() < turn {
                let sent = Instant::now();
                let record: serde_json::Value = connection.expect(&create, 201).await?.json()?;
                times.push(milliseconds(sent.elapsed()));
                let path = format!("/api/v2/favourites/{}/", record["id"]);
                let delete = load::request("DELETE", &path, &session, "");
                times.push(connection.time(&delete, 204).await?);
            }
            anyhow::Ok(times)
        });
    }
    let mut all = Vec::new();
    while let Some(times) = saving.join_next().await {
        all.extend(times??);
    }
    Ok(Turn::times(all, Cpu::new()))
}

/// Sends requests whose last byte arrives just before the deadline, for as long as the task runs.
async fn send_late(address: String, cast: Cast, at: usize) -> anyhow::Result<()> {
    let session = cast.session(CONNECTIONS + at % (load::CONNECTIONS - CONNECTIONS), at);
    let body = format!("{{\"listing\":{}}}", cast.listing(0));
    let request = load::request("POST", "/api/v2/favourites/", &session, &body);
    let (begin, end) = request.split_at(request.len() - 1);
    // The senders are late at different times.
    sleep(DEADLINE.mul_f64(float(at as u64) / float(SENDERS as u64))).await;
    loop {
        let mut stream = TcpStream::connect(&address).await?;
        stream.write_all(begin).await?;
        sleep(BODY).await;
        // The server may have given up.
        if stream.write_all(end).await.is_ok() {
            let _ = stream.read(&mut [0; 1024]).await;
        }
    }
}

/// Events of the catalogue that the broker refuses, in the outbox that also has the updates of votes.
async fn updates_beside_refused_events(bench: &mut Bench, cast: Cast) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let bus = plan.site.bus.as_ref().context("no broker")?;
    let updates = async || stream::writes(&plan, cast, "ratings", ",\"rating\":4").await;
    let ours = async || {
        let _full = full_queue(bus).await?;
        updates().await
    };
    let measures = measures("events that the broker refuses: vote → another device's stream");
    let is_measured = bench.wants(&measures[0].case);
    bench.alternate(&measures, ours, updates).await?;
    if is_measured {
        let metrics = plan.site.process("places")?.metrics().await?;
        let is_refused =
            |line: &str| line.starts_with("outbox_refused_total{") && !line.ends_with(" 0");
        ensure!(metrics.lines().any(is_refused), "no event was refused");
    }
    Ok(())
}

/// Makes the broker refuse all events of the catalogue until the connection is dropped: a queue without room receives
/// them too.
async fn full_queue(bus: &str) -> anyhow::Result<lapin::Connection> {
    let connection =
        lapin::Connection::connect(bus, lapin::ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    let options = QueueDeclareOptions {
        exclusive: true,
        ..QueueDeclareOptions::default()
    };
    let mut arguments = FieldTable::default();
    arguments.insert("x-max-length".into(), AMQPValue::LongLongInt(0));
    let overflow = AMQPValue::LongString("reject-publish".into());
    arguments.insert("x-overflow".into(), overflow);
    let queue = channel.queue_declare("".into(), options, arguments).await?;
    let exchange = format!("cityguide.{}", cityguide_proto::exchange::CATALOG);
    let (name, options) = (queue.name().clone(), QueueBindOptions::default());
    let none = FieldTable::default();
    channel
        .queue_bind(name, exchange.into(), "#".into(), options, none)
        .await?;
    Ok(connection)
}

/// The mail server of the site.
#[derive(Debug, Deserialize)]
struct Options {
    mail_port: u16,
}

/// Letters to a domain whose server is silent, and letters to another one. The turns do not alternate, because letters
/// that wait for a reply outlast a turn.
async fn letters_beside_a_silent_domain(bench: &mut Bench) -> anyhow::Result<()> {
    let measures = measures("a silent mail server of another domain: request → letter");
    if !bench.wants(&measures[0].case) {
        return Ok(());
    }
    let (plan, Options { mail_port }) = (bench.plan.clone(), bench.plan.options()?);
    let server = Sink::start(mail_port, SILENT).await?;
    let letters = Letters {
        site: plan.site.address.clone(),
        server,
        number: AtomicUsize::new(0),
    };
    // The first turn warms up.
    let mut undisturbed = Vec::new();
    for _ in 0..=plan.rounds {
        undisturbed.push(letters.turn(plan.turn(), false).await?);
    }
    let mut beside = Vec::new();
    for _ in 0..=plan.rounds {
        beside.push(letters.turn(plan.turn(), true).await?);
    }
    let rounds: Vec<_> = beside.into_iter().zip(undisturbed).skip(1).collect();
    bench.record(&measures, &rounds);
    Ok(())
}

/// Confirmations of subscriptions to newsletters.
struct Letters {
    site: String,
    server: Sink,
    number: AtomicUsize,
}

impl Letters {
    async fn turn(&self, length: Duration, has_silent: bool) -> anyhow::Result<Turn> {
        let begun = Instant::now();
        let sending = async {
            let (mut connection, mut times) = (Connection::open(&self.site).await?, Vec::new());
            while begun.elapsed() < length {
                let sent = Instant::now();
                let to = self.request(&mut connection, GOOD).await?;
                let arrival = async {
                    while !self.server.has_received(&to) {
                        sleep(Duration::from_millis(1)).await;
                    }
                };
                let arrived = timeout(PATIENCE, arrival).await;
                arrived.with_context(|| format!("{to} receives no letter"))?;
                times.push(milliseconds(sent.elapsed()));
            }
            anyhow::Ok(times)
        };
        let disturbing = async {
            let mut connection = Connection::open(&self.site).await?;
            while has_silent && begun.elapsed() < length {
                self.request(&mut connection, SILENT).await?;
                sleep(EVERY).await;
            }
            anyhow::Ok(())
        };
        let (times, ()) = tokio::try_join!(sending, disturbing)?;
        Ok(Turn::times(times, Cpu::new()))
    }

    /// Requests a newsletter for a new address in a domain; returns the address.
    async fn request(&self, connection: &mut Connection, domain: &str) -> anyhow::Result<String> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let to = format!("reader{number}@{domain}");
        let body = format!("{{\"email\":\"{to}\",\"type\":\"news\"}}");
        let request = load::request("POST", "/api/v2/profiles/guest-newsletters/", "", &body);
        connection.expect(&request, 200).await?;
        Ok(to)
    }
}
