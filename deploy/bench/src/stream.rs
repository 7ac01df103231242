//! The delay between a write and its update on another device of the same reader, which takes at least two commits and
//! a message through a broker.

use std::time::{Duration, Instant};

use anyhow::Context;
use futures::StreamExt;
use lapin::{
    Channel, Consumer,
    options::{
        BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions,
        QueueDeclareOptions,
    },
    types::FieldTable,
};
use tokio::time::timeout;

use crate::{
    cpu::{self, Of},
    database::Database,
    fill::Cast,
    harness::{Bench, Turn, milliseconds},
    load::{self, Connection},
    plan::Plan,
    results::Measure,
};

const NAME: &str = "write → another device's stream";
const COMMIT: &str = "INSERT INTO reference.commits (at) VALUES (now())";
/// Timeout of an update.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn measure(bench: &mut Bench, cast: Cast) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let url = &plan.site.database;
    let commits = [Database::open(url).await?, Database::open(url).await?];
    let mut queue = match &plan.site.bus {
        Some(bus) => Some(Queue::open(bus).await?),
        None => None,
    };
    let reference = match &queue {
        Some(_) => "two commits, RabbitMQ with confirms",
        None => "two commits",
    };
    let theirs = async || {
        let programs = Of::Programs(&["postgres", "beam.smp"]);
        let work = repeat(plan.turn(), async |times| {
            let sent = Instant::now();
            commits[0].execute(COMMIT).await?;
            if let Some(queue) = &mut queue {
                queue.round_trip().await?;
            }
            commits[1].execute(COMMIT).await?;
            times.push(milliseconds(sent.elapsed()));
            anyhow::Ok(())
        });
        let (times, used) = cpu::during(programs, work).await?;
        anyhow::Ok(Turn::times(times, used))
    };
    let ours = async || writes(&plan, cast, "favourites", "").await;
    let measures = Measure::times(NAME, reference, [3.0, 5.0]);
    bench.alternate(&measures, ours, theirs).await
}

/// Repeats some work for a turn; returns the times that the work has added.
async fn repeat(
    turn: Duration,
    mut work: impl AsyncFnMut(&mut Vec<f64>) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<f64>> {
    let (begun, mut times) = (Instant::now(), Vec::new());
    while begun.elapsed() < turn {
        work(&mut times).await?;
    }
    Ok(times)
}

/// Saves and removes a place as a reader, and waits each time for the other device's update. `fields` are added to the
/// saved object.
pub(crate) async fn writes(
    plan: &Plan,
    cast: Cast,
    kind: &str,
    fields: &str,
) -> anyhow::Result<Turn> {
    let session = cast.session(0, 0);
    let mut device = Device::open(&plan.site.other, &session).await?;
    let mut connection = Connection::open(&plan.site.address).await?;
    let body = format!("{{\"listing\":{}{fields}}}", cast.listing(0));
    let create = load::request("POST", &format!("/api/v2/{kind}/"), &session, &body);
    let work = repeat(plan.turn(), async |times| {
        let sent = Instant::now();
        let answer = connection.expect(&create, 201).await?;
        let record: serde_json::Value = answer.json()?;
        let stamp = record["server_time"].as_str().context("no stamp")?;
        device.receive(stamp).await?;
        times.push(milliseconds(sent.elapsed()));

        let path = format!("/api/v2/{kind}/{}/", record["id"]);
        let delete = load::request("DELETE", &path, &session, "");
        let sent = Instant::now();
        let answer = connection.expect(&delete, 204).await?;
        let stamp = answer.header("x-server-time").context("no stamp")?;
        device.receive(&stamp).await?;
        times.push(milliseconds(sent.elapsed()));
        anyhow::Ok(())
    });
    let (times, used) = cpu::during(Of::Site, work).await?;
    Ok(Turn::times(times, used))
}

/// Another device of a reader: its open stream, and the received text.
pub(crate) struct Device {
    stream: reqwest::Response,
    text: String,
}

impl Device {
    pub(crate) async fn open(site: &str, session: &str) -> anyhow::Result<Self> {
        let url = format!("http://{site}/api/v2/profiles/hi/stream/");
        let cookie = session.trim_start_matches("cookie: ").trim_end();
        let request = reqwest::Client::new().get(url).header("cookie", cookie);
        let stream = request.send().await?.error_for_status()?;
        let text = String::new();
        let mut device = Self { stream, text };
        // The first event is the current state; all further events are changes.
        device.receive("\n\n").await?;
        Ok(device)
    }

    /// Waits for an event with this stamp.
    pub(crate) async fn receive(&mut self, stamp: &str) -> anyhow::Result<()> {
        while !self.text.contains(stamp) {
            let chunk = timeout(PATIENCE, self.stream.chunk()).await;
            let chunk = chunk.context("no update arrives")??;
            let chunk = chunk.context("the stream has ended")?;
            self.text += &String::from_utf8_lossy(&chunk);
        }
        self.text.clear();
        Ok(())
    }
}

/// A RabbitMQ queue from which the bench consumes its own messages.
struct Queue {
    channel: Channel,
    name: String,
    consumer: Consumer,
    _connection: lapin::Connection,
}

impl Queue {
    async fn open(bus: &str) -> anyhow::Result<Self> {
        let properties = lapin::ConnectionProperties::default();
        let connection = lapin::Connection::connect(bus, properties).await?;
        let channel = connection.create_channel().await?;
        let confirm = ConfirmSelectOptions::default();
        channel.confirm_select(confirm).await?;
        let options = QueueDeclareOptions {
            exclusive: true,
            ..QueueDeclareOptions::default()
        };
        let none = FieldTable::default;
        let queue = channel.queue_declare("".into(), options, none()).await?;
        let name = queue.name().to_string();
        let options = BasicConsumeOptions::default();
        let consumer = channel.basic_consume(name.clone().into(), "".into(), options, none());
        Ok(Self {
            consumer: consumer.await?,
            channel,
            name,
            _connection: connection,
        })
    }

    async fn round_trip(&mut self) -> anyhow::Result<()> {
        let options = BasicPublishOptions::default();
        let properties = lapin::BasicProperties::default();
        let name = self.name.clone().into();
        let sent = self
            .channel
            .basic_publish("".into(), name, options, &[0; 28], properties);
        let (confirmed, delivered) = tokio::join!(sent.await?, self.consumer.next());
        confirmed?;
        let delivered = delivered.context("the queue is closed")??;
        delivered.ack(BasicAckOptions::default()).await?;
        Ok(())
    }
}
