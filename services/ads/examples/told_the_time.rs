//! Runs the ads service in a separate process with a manual clock, for `cargo xtask bench ads --day`. The first line of
//! output is the gRPC port. Each line of input sets the clock, in milliseconds since the Unix epoch, and is
//! acknowledged by a line of output. `CITYGUIDE__DATABASE__URL` and `CITYGUIDE__INTERNAL__KEY` are the same as for
//! `cityguide`.

use std::{
    io::{BufRead as _, BufReader, Write as _, stdin, stdout},
    net::Ipv4Addr,
    sync::Arc,
    time::Duration,
};

use ads::{AdSettings, Ads, Settings};
use anyhow::Context;
use chassis::{
    bus::InProcessBus,
    cache::InProcessCache,
    call::CallerTokens,
    entropy::OsEntropy,
    keys::Keys,
    lifecycle::Lifecycle,
    mail::{FolderMailer, PostOffice},
    postgres,
    role::{Callees, Parts, Role, Service},
    rpc::{self, Guard},
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use testkit::clock::ManualClock;
use tokio::net::TcpListener;

/// The zone of the site.
const ZONE: Tz = chrono_tz::Canada::Eastern;
const TIMEOUT: Duration = Duration::from_secs(20);

/// The maximum number of concurrent calls.
const CONCURRENCY: usize = 1_000;

/// Serves until it is killed or its standard input is closed.
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let database = std::env::var("CITYGUIDE__DATABASE__URL")?;
    let key = std::env::var("CITYGUIDE__INTERNAL__KEY")?;
    let mut lines = BufReader::new(stdin()).lines();
    let clock = ManualClock::shared();
    clock.set(instant(&lines.next().context("no instant")??)?);
    let keys = Keys::parse(&key)?;
    let settings = Settings {
        ads: AdSettings {
            keep_events_days: 400,
            keep_reports_days: 400,
        },
        timezone: Some(ZONE),
    };
    let parts = parts(Arc::clone(&clock), keys.clone(), database)?;
    let role = Ads::create(parts, settings, Callees::default()).await?;
    let life = Lifecycle::new();
    role.subscribe().await?;
    role.start(&life);
    let guard = Guard {
        tokens: CallerTokens::new(keys, clock.clone()),
        concurrency: CONCURRENCY,
        timeout: TIMEOUT,
        operators_timeout: TIMEOUT,
    };
    let guarded = rpc::guarded("ads", ads_proto::CONTRACT, role.routes(), guard);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    say(&listener.local_addr()?.port().to_string())?;
    let watched = life.clone();
    // A separate thread, because reading the standard input blocks.
    std::thread::spawn(move || {
        for line in lines {
            let Ok(now) = line.map_err(Into::into).and_then(|line| instant(&line)) else {
                break;
            };
            clock.set(now);
            if say("set").is_err() {
                break;
            }
        }
        watched.stop();
    });
    rpc::serve(listener, guarded, None, life).await?;
    Ok(())
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn instant(milliseconds: &str) -> anyhow::Result<DateTime<Utc>> {
    DateTime::from_timestamp_millis(milliseconds.trim().parse()?).context("no instant")
}

fn parts(clock: Arc<ManualClock>, keys: Keys, database: String) -> anyhow::Result<Parts> {
    Ok(Parts {
        clock,
        entropy: Arc::new(OsEntropy),
        bus: Arc::new(InProcessBus::default()),
        cache: Arc::new(InProcessCache::new(1 << 20)),
        keys,
        // Required, but the ads service sends no email.
        post: PostOffice {
            from: "Bench <bench@guide.example>".parse()?,
            mailer: Arc::new(FolderMailer::new(&std::env::temp_dir())),
            is_local: true,
            connections: 1,
            signer: None,
        },
        blobs: None,
        database: postgres::Settings {
            url: database,
            ca: String::new(),
            max_connections: 10,
            background_connections: 4,
            acquire_timeout_seconds: 5,
        },
        longest_call: TIMEOUT,
        longest_request: TIMEOUT,
    })
}
