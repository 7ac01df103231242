//! From a write to another device of the same reader: this takes at least two commits and one message through
//! a broker.

use std::time::Instant;

use anyhow::{Context, bail};
use async_trait::async_trait;
use bytes::BytesMut;
use futures::StreamExt;
use lapin::{
    Channel, Consumer,
    options::{
        BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions,
        QueueDeclareOptions,
    },
    types::FieldTable,
};
use sqlx::{Connection as _, PgConnection};
use tokio::sync::mpsc;

use crate::{
    case::{Case, Sides},
    cpu,
    database::{self, Cast, Database},
    figures::{Figures, Measure, Target},
    load::{self, Connection},
    plan::Plan,
};

pub(crate) const NAME: &str = "write → another device's stream";
const COMMIT: &str = "INSERT INTO reference.commits (at) VALUES (now())";

struct Stream {
    plan: Plan,
    cast: Cast,
    database: Database,
    commits: [PgConnection; 2],
    broker: Broker,
}

pub(super) async fn case(plan: &Plan, cast: Cast) -> anyhow::Result<Case> {
    let open = || PgConnection::connect(&plan.database);
    Ok(Case {
        name: NAME.to_owned(),
        measures: &[
            Measure {
                unit: "ms p50",
                target: Target::AtMost(3.0),
            },
            Measure {
                unit: "ms p99",
                target: Target::AtMost(5.0),
            },
        ],
        sides: Box::new(Stream {
            plan: plan.clone(),
            cast,
            database: Database::open(&plan.database).await?,
            commits: [open().await?, open().await?],
            broker: Broker::open(plan.bus.as_deref()).await?,
        }),
    })
}

#[async_trait]
impl Sides for Stream {
    /// One reader adds and removes a favourite, and waits each time until the other device is told.
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        self.database.clear("bookmarks").await?;
        let session = database::session(self.cast.reader(0, 0));
        let mut device = Device::open(&self.plan.other, &session).await?;
        let mut connection = Connection::open(&self.plan.site).await?;
        let body = format!("{{\"listing\":{}}}", self.cast.listing(0));
        let create = load::request("POST", "/api/v2/favourites/", Some(&session), &body);
        let mut times = Vec::new();
        let before = cpu::of_site();
        let begun = Instant::now();
        while begun.elapsed() < self.plan.turn() {
            let sent = Instant::now();
            let answer = connection.expect(&create, 201).await?;
            let record: serde_json::Value = serde_json::from_slice(&answer.body)?;
            let stamp = record["server_time"].as_str().context("no stamp")?;
            times.push(
                device
                    .knows(stamp)
                    .await?
                    .duration_since(sent)
                    .as_secs_f64()
                    * 1e3,
            );

            let path = format!("/api/v2/favourites/{}/", record["id"]);
            let delete = load::request("DELETE", &path, Some(&session), "");
            let sent = Instant::now();
            let answer = connection.expect(&delete, 204).await?;
            let stamp = answer.server_time.context("no stamp")?;
            times.push(
                device
                    .knows(&stamp)
                    .await?
                    .duration_since(sent)
                    .as_secs_f64()
                    * 1e3,
            );
        }
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_times(times, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        let [first, second] = &mut self.commits;
        let mut times = Vec::new();
        let before = cpu::of_site();
        let begun = Instant::now();
        while begun.elapsed() < self.plan.turn() {
            let sent = Instant::now();
            sqlx::query(COMMIT).execute(&mut *first).await?;
            self.broker.round_trip().await?;
            sqlx::query(COMMIT).execute(&mut *second).await?;
            times.push(sent.elapsed().as_secs_f64() * 1e3);
        }
        let used = cpu::since(&before, &cpu::of_site(), &["postgres", "beam.smp"]);
        Ok(Figures::of_times(times, used))
    }

    fn reference_name(&self) -> String {
        match self.broker {
            Broker::InProcess { .. } => "two commits and an in-process channel",
            Broker::RabbitMq(_) => "two commits and a confirmed message through RabbitMQ",
        }
        .to_owned()
    }
}

/// Another device of a reader: its open stream, and when each event arrived.
struct Device {
    events: mpsc::UnboundedReceiver<(Instant, String)>,
}

impl Device {
    async fn open(site: &str, session: &str) -> anyhow::Result<Self> {
        let answer = reqwest::Client::new()
            .get(format!("http://{site}/api/v2/profiles/hi/stream/"))
            .header("cookie", format!("session={session}"))
            .send()
            .await?
            .error_for_status()?;
        let (sender, events) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut bytes = answer.bytes_stream();
            let mut read = BytesMut::new();
            while let Some(Ok(chunk)) = bytes.next().await {
                read.extend_from_slice(&chunk);
                // An event ends with an empty line.
                while let Some(end) = read.windows(2).position(|two| two == b"\n\n") {
                    let event = read.split_to(end + 2);
                    let event = String::from_utf8_lossy(&event).into_owned();
                    if sender.send((Instant::now(), event)).is_err() {
                        return;
                    }
                }
            }
        });
        let mut device = Self { events };
        // The first event is the current state; from here on changes arrive.
        device.next().await?;
        Ok(device)
    }

    async fn next(&mut self) -> anyhow::Result<(Instant, String)> {
        let timeout = std::time::Duration::from_secs(30);
        match tokio::time::timeout(timeout, self.events.recv()).await {
            Ok(Some(event)) => Ok(event),
            Ok(None) => bail!("the stream ended"),
            Err(_) => bail!("the stream tells nothing"),
        }
    }

    /// When this stamp arrived.
    async fn knows(&mut self, stamp: &str) -> anyhow::Result<Instant> {
        loop {
            let (at, event) = self.next().await?;
            if event.contains(stamp) {
                return Ok(at);
            }
        }
    }
}

/// The minimal broker: each message sent is received on the other side.
enum Broker {
    InProcess {
        sender: mpsc::Sender<()>,
        returned: mpsc::Receiver<()>,
    },
    RabbitMq(Box<Queue>),
}

struct Queue {
    channel: Channel,
    name: String,
    consumer: Consumer,
    _connection: lapin::Connection,
}

impl Broker {
    async fn open(bus: Option<&str>) -> anyhow::Result<Self> {
        let Some(bus) = bus else {
            let (sender, mut sent) = mpsc::channel(1);
            let (back, returned) = mpsc::channel(1);
            tokio::spawn(async move {
                while sent.recv().await.is_some() {
                    if back.send(()).await.is_err() {
                        return;
                    }
                }
            });
            return Ok(Self::InProcess { sender, returned });
        };
        let connection =
            lapin::Connection::connect(bus, lapin::ConnectionProperties::default()).await?;
        let channel = connection.create_channel().await?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await?;
        let options = QueueDeclareOptions {
            exclusive: true,
            ..QueueDeclareOptions::default()
        };
        let queue = channel
            .queue_declare("".into(), options, FieldTable::default())
            .await?;
        let queue = queue.name().to_string();
        let options = BasicConsumeOptions::default();
        let consumer = channel
            .basic_consume(
                queue.clone().into(),
                "".into(),
                options,
                FieldTable::default(),
            )
            .await?;
        Ok(Self::RabbitMq(Box::new(Queue {
            channel,
            name: queue,
            consumer,
            _connection: connection,
        })))
    }

    async fn round_trip(&mut self) -> anyhow::Result<()> {
        match self {
            Self::InProcess { sender, returned } => {
                sender.send(()).await?;
                returned.recv().await.context("the channel is closed")
            }
            Self::RabbitMq(queue) => {
                let options = BasicPublishOptions::default();
                let properties = lapin::BasicProperties::default();
                let confirm = queue
                    .channel
                    .basic_publish(
                        "".into(),
                        queue.name.clone().into(),
                        options,
                        &[0; 28],
                        properties,
                    )
                    .await?;
                let (confirmed, delivered) = tokio::join!(confirm, queue.consumer.next());
                confirmed?;
                delivered
                    .context("the queue is gone")??
                    .ack(BasicAckOptions::default())
                    .await?;
                Ok(())
            }
        }
    }
}
