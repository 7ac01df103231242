//! The checks, each on the real server, file or clock.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use chassis::{
    blobs::{self, Blobs},
    bus::RabbitMqBus,
    cache::RedisCache,
    clock::{Clock as _, SystemClock},
    error::{Code, Fault},
    lifecycle::Lifecycle,
};
use chrono::{DateTime, TimeDelta, Utc};
use nix::sys::statvfs::statvfs;
use sqlx::PgPool;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use x509_parser::pem::Pem;

use crate::{
    settings::{BusSettings, CacheSettings, Settings},
    store,
    targets::Target,
};

/// The blob that is written and deleted again.
const PROBE: &str = "doctor/probe";
/// The free space that a folder of blobs needs, in bytes.
const MIN_SPACE: u64 = 1 << 30;
/// A certificate must be valid for this long: renewal must not wait for the last day.
const MIN_VALIDITY: TimeDelta = TimeDelta::days(7);
/// Sessions, leases and signatures tolerate clocks that differ by less.
const MAX_SKEW: TimeDelta = TimeDelta::seconds(2);
/// Backups are made daily, and the alert fires after the same time.
const MAX_BACKUP_AGE: TimeDelta = TimeDelta::days(2);
/// The timeout of the site's probe.
const TIMEOUT: Duration = Duration::from_secs(5);

fn bad(why: String) -> Fault {
    Fault::new(Code::Unavailable, why)
}

/// Writes, reads and deletes a blob; a folder must also have free space.
pub(super) async fn blobs(settings: &blobs::Settings) -> Result<(), Fault> {
    let store = Blobs::open(settings)?;
    store.keep(PROBE, PROBE.into()).await?;
    let size = store.size(PROBE).await?;
    store.delete(PROBE).await?;
    if size != Some(PROBE.len() as u64) {
        return Err(bad("a written blob cannot be read".to_owned()));
    }
    if settings.s3.bucket.is_empty() {
        let folder = settings.folder.display();
        let space = statvfs(&settings.folder).map_err(|error| bad(format!("{folder}: {error}")))?;
        let free = space.fragment_size() * space.blocks_available();
        if free < MIN_SPACE {
            let message = format!("{folder} has only {} MiB of free space", free >> 20);
            return Err(bad(message));
        }
    }
    Ok(())
}

/// Checks that RabbitMQ responds. The program starts without waiting for RabbitMQ, so no other check covers it.
pub(super) async fn bus(bus: &BusSettings) -> Result<(), Fault> {
    RabbitMqBus::new(&bus.url, &bus.ca, &bus.namespace, &Lifecycle::new())?
        .check()
        .await
}

/// Checks that Redis responds and evicts nothing. The program starts without waiting for Redis.
pub(super) async fn cache(cache: &CacheSettings) -> Result<(), Fault> {
    let clock = Arc::new(SystemClock);
    RedisCache::new(&cache.url, &cache.ca, &cache.namespace, clock)?
        .check()
        .await
}

/// The connections that one process of each service may open: both pools, and periodic jobs.
pub(super) fn connections(settings: &Settings) -> i64 {
    let database = &settings.database;
    let each = database.max_connections
        + database.background_connections
        + database.background_connections / 2;
    let services = Target::ALL
        .iter()
        .filter(|target| target.schema().is_some());
    i64::from(each) * services.map(|_| 1).sum::<i64>()
}

/// Checks that PostgreSQL allows this many connections besides those that it reserves.
pub(super) async fn allows_connections(pool: &PgPool, wanted: i64) -> Result<(), Fault> {
    let allowed = store::allowed_connections(pool).await?;
    if wanted <= allowed {
        return Ok(());
    }
    Err(bad(format!(
        "one process of each service may open {wanted}, the server allows {allowed}"
    )))
}

/// Checks that PostgreSQL's clock and this machine's agree.
pub(super) async fn clock(pool: &PgPool) -> Result<(), Fault> {
    let before = SystemClock.now();
    let theirs = store::clock(pool).await?;
    let after = SystemClock.now();
    let skew = skew(before, theirs, after);
    if skew <= MAX_SKEW {
        return Ok(());
    }
    let seconds = skew.num_seconds();
    Err(bad(format!(
        "it differs from PostgreSQL's by {seconds} seconds"
    )))
}

/// How far a clock that was read between two instants is outside of them.
fn skew(before: DateTime<Utc>, read: DateTime<Utc>, after: DateTime<Utc>) -> TimeDelta {
    (before - read).max(read - after).max(TimeDelta::zero())
}

/// Checks the age of the last complete backup.
pub(super) async fn last_backup(pool: &PgPool) -> Result<(), Fault> {
    let Some(last) = store::last_backup(pool).await? else {
        return Err(bad("there is none".to_owned()));
    };
    let age = SystemClock.now() - last;
    if age <= MAX_BACKUP_AGE {
        return Ok(());
    }
    Err(bad(format!("it was made {} days ago", age.num_days())))
}

/// Checks that all certificates of a chain are valid for some time to come.
pub(super) fn certificate(pem: &str) -> Result<(), Fault> {
    for part in Pem::iter_from_buffer(pem.as_bytes()) {
        let part = part.map_err(|error| bad(error.to_string()))?;
        let certificate = part.parse_x509().map_err(|error| bad(error.to_string()))?;
        let end = certificate.validity().not_after;
        let end_at = DateTime::from_timestamp(end.timestamp(), 0).unwrap_or_default();
        if SystemClock.now() + MIN_VALIDITY > end_at {
            return Err(bad(format!("it is valid until {end}")));
        }
    }
    Ok(())
}

/// Checks that no program listens at an address.
pub(super) async fn is_free(address: SocketAddr) -> std::io::Result<()> {
    TcpListener::bind(address).await.map(drop)
}

/// Asks the running process whether it is ready.
pub(super) async fn is_ready(address: SocketAddr) -> Result<(), Fault> {
    let asked = tokio::time::timeout(TIMEOUT, first_line(address)).await;
    let asked = asked.map_err(|_| bad("no answer within 5 seconds".to_owned()))?;
    let line = asked.map_err(|error| bad(error.to_string()))?;
    if line.starts_with("HTTP/1.1 200") {
        return Ok(());
    }
    Err(bad(format!("the answer is {line:?}")))
}

async fn first_line(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let request = "GET /health/ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await?;
    let mut head = [0; 64];
    let length = stream.read(&mut head).await?;
    let head = String::from_utf8_lossy(&head[..length]);
    Ok(head.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use testkit::certificates::TestAuthority;

    use super::*;

    #[test]
    fn only_a_clock_outside_of_both_readings_is_skewed() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("in range");
        for (read, skewed) in [(100, 0), (103, 0), (105, 0), (95, 5), (112, 7)] {
            let found = skew(at(100), at(read), at(105));
            assert_eq!(found, TimeDelta::seconds(skewed), "{read}");
        }
    }

    #[test]
    fn a_certificate_that_ends_soon_is_found() {
        let today = SystemClock.now().date_naive();
        let authority = TestAuthority::default();
        for (days, is_valid) in [(-1, false), (6, false), (30, true)] {
            let process = authority.process_until(&["localhost"], today + TimeDelta::days(days));
            assert_eq!(
                certificate(&process.certificate).is_ok(),
                is_valid,
                "{days} days"
            );
        }
    }
}
