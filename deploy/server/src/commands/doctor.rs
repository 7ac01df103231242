//! `cityguide doctor`: checks whether the system can run.

use std::sync::Arc;

use chassis::{
    blobs::Blobs, bus::RabbitMqBus, cache::RedisCache, clock::SystemClock, error::Fault,
    lifecycle::Lifecycle,
};
use tokio::net::TcpListener;

use super::console::print;
use crate::{settings::Settings, system::System, targets::Target};

/// Performs all checks of a start and prints each result; fails if a check fails.
pub(super) async fn doctor(settings: &Settings) -> Result<(), String> {
    let mut bad = 0;
    let mut tell = |what: &str, finding: Result<(), String>| {
        let line = match finding {
            Ok(()) => format!("ok    {what}"),
            Err(why) => {
                bad += 1;
                format!("BAD   {what}: {why}")
            }
        };
        print(&line)
    };
    tell("settings", Ok(()))?;
    let index = settings.web.root.join("index.html");
    let built = if index.is_file() {
        Ok(())
    } else {
        Err(format!(
            "{} does not exist; build web/ or set web.root",
            index.display()
        ))
    };
    tell("web application", built)?;
    let site = if settings.site.file.is_file() {
        Ok(())
    } else {
        Err(format!(
            "{} does not exist; set site.file",
            settings.site.file.display()
        ))
    };
    tell("site file", site)?;
    tell(
        "blobs",
        Blobs::open(&settings.blobs)
            .map(drop)
            .map_err(|fault| fault.message),
    )?;
    let system = System::create(settings, Target::ALL, Arc::new(SystemClock)).await;
    if system.as_ref().is_ok_and(System::is_copy) {
        print(
            "note  the database is a restored copy: no mail is sent and no sources are polled until `cityguide promote`",
        )?;
    }
    tell(
        "database and schemas",
        system.map(drop).map_err(|fault| fault.message),
    )?;
    if !settings.bus.url.is_empty() {
        tell(
            "bus",
            check_bus(settings).await.map_err(|fault| fault.message),
        )?;
    }
    if !settings.cache.url.is_empty() {
        let found = check_cache(settings).await;
        tell("cache", found.map_err(|fault| fault.message))?;
    }
    for (key, address) in [
        ("http.listen", settings.http.listen),
        ("http.internal_listen", settings.http.internal_listen),
    ] {
        let free = TcpListener::bind(address)
            .await
            .map(drop)
            .map_err(|error| error.to_string());
        tell(&format!("{key} {address}"), free)?;
    }
    if bad == 0 {
        Ok(())
    } else {
        Err(format!("checks failed: {bad}"))
    }
}

/// Checks that RabbitMQ responds. The program starts without waiting for RabbitMQ, so no other check covers it.
async fn check_bus(settings: &Settings) -> Result<(), Fault> {
    let bus = &settings.bus;
    RabbitMqBus::new(&bus.url, &bus.ca, &bus.namespace, &Lifecycle::new())?
        .check()
        .await
}

/// Checks that Redis responds and evicts nothing. The program starts without waiting for Redis.
async fn check_cache(settings: &Settings) -> Result<(), Fault> {
    let cache = &settings.cache;
    RedisCache::new(
        &cache.url,
        &cache.ca,
        &cache.namespace,
        Arc::new(SystemClock),
    )?
    .check()
    .await
}
