//! `cityguide doctor`: checks whether the system can run, or whether it runs well.

mod probes;

use std::{path::Path, sync::Arc};

use chassis::{clock::SystemClock, mail::SmtpMailer, telemetry};

use super::console::print;
use crate::{settings::Settings, system::System, targets::Target};

/// The results so far.
#[derive(Default)]
struct Findings {
    bad: usize,
}

impl Findings {
    /// Prints a result. A failed check is followed by the action to take, and the section of a document about it.
    fn add(
        &mut self,
        what: &str,
        finding: Result<(), impl std::fmt::Display>,
        (action, section): (&str, &str),
    ) -> Result<(), String> {
        let Err(why) = finding else {
            return print(&format!("ok    {what}"));
        };
        self.bad += 1;
        print(&format!("BAD   {what}: {why}"))?;
        print(&format!("      {action} (docs/{section})"))
    }
}

/// Performs all checks and prints each result; fails if a check fails. Beside a running site, its addresses must be in use
/// instead of free.
pub(super) async fn doctor(settings: &Settings, is_running: bool) -> Result<(), String> {
    let mut findings = Findings::default();
    print("ok    settings")?;
    files(settings, &mut findings)?;
    servers(settings, &mut findings).await?;
    state(settings, &mut findings).await?;
    for (key, address) in [
        ("http.listen", settings.http.listen),
        ("http.internal_listen", settings.http.internal_listen),
    ] {
        if !is_running {
            let action = (
                "Stop the other program at this address, or use --running beside a running site.",
                "OPERATIONS.md, Ports",
            );
            let free = probes::is_free(address).await;
            findings.add(&format!("{key} {address}"), free, action)?;
        }
    }
    if is_running {
        let address = settings.http.internal_listen;
        let action = (
            "Read the site's log; /health/ready lists the servers that it waits for.",
            "OPERATIONS.md, Faults",
        );
        let ready = probes::is_ready(address).await;
        findings.add(&format!("readiness at {address}"), ready, action)?;
    }
    match findings.bad {
        0 => Ok(()),
        bad => Err(format!("checks failed: {bad}")),
    }
}

/// Files of the installation.
fn files(settings: &Settings, findings: &mut Findings) -> Result<(), String> {
    let exists = |path: &Path| {
        let missing = || format!("{} does not exist", path.display());
        path.is_file().then_some(()).ok_or_else(missing)
    };
    let action = ("Build web/, or set web.root.", "OPERATIONS.md, Settings");
    findings.add(
        "web application",
        exists(&settings.web.root.join("index.html")),
        action,
    )?;
    let action = ("Set site.file.", "OPERATIONS.md, Settings");
    findings.add("site file", exists(&settings.site.file), action)?;
    if !settings.rpc.tls.certificate.is_empty() {
        let action = (
            "Renew the certificate, and restart the processes.",
            "DEPLOYING.md, Kubernetes",
        );
        let valid = probes::certificate(&settings.rpc.tls.certificate);
        findings.add("certificate of rpc.tls", valid, action)?;
    }
    Ok(())
}

/// The servers that the site needs, or sends to.
async fn servers(settings: &Settings, findings: &mut Findings) -> Result<(), String> {
    let action = (
        "Check [blobs]: the folder or bucket must exist, and this account must read, write and delete there.",
        "OPERATIONS.md, Settings",
    );
    findings.add("blobs", probes::blobs(&settings.blobs).await, action)?;
    let system = System::create(settings, Target::ALL, Arc::new(SystemClock)).await;
    if system.as_ref().is_ok_and(System::is_copy) {
        print(
            "note  the database is a restored copy: no mail is sent and no sources are polled until `cityguide promote`",
        )?;
    }
    let action = (
        "Correct the named setting, or check that PostgreSQL runs at database.url, and run `cityguide migrate`.",
        "DEPLOYING.md, PostgreSQL",
    );
    findings.add("database and schemas", system.map(drop), action)?;
    if !settings.bus.url.is_empty() {
        let action = (
            "Check bus.url, and that RabbitMQ runs.",
            "DEPLOYING.md, TLS to PostgreSQL, Redis and RabbitMQ",
        );
        findings.add("bus", probes::bus(&settings.bus).await, action)?;
    }
    if !settings.cache.url.is_empty() {
        let action = (
            "Check cache.url, and Redis's memory policy.",
            "DEPLOYING.md, Kubernetes",
        );
        findings.add("cache", probes::cache(&settings.cache).await, action)?;
    }
    if !settings.mail.host.is_empty() {
        let action = (
            "Check mail.host, mail.port, mail.security and the password with the provider of the mail server.",
            "OPERATIONS.md, Mail",
        );
        let connected = match SmtpMailer::new(&settings.mail) {
            Ok(mailer) => mailer.check().await,
            Err(fault) => Err(fault),
        };
        findings.add("mail server", connected, action)?;
    }
    if !settings.otlp.url.is_empty() {
        let action = (
            "Check otlp.url, and that the collector listens for OTLP over gRPC there.",
            "DEPLOYING.md, Monitoring",
        );
        let connected = telemetry::check_collector(&settings.otlp).await;
        findings.add("collector", connected, action)?;
    }
    Ok(())
}

/// The database's limits and clock, and the age of the last backup.
async fn state(settings: &Settings, findings: &mut Findings) -> Result<(), String> {
    let Ok(pool) = chassis::postgres::connect(&settings.database, "identity").await else {
        // The check of the database has reported this.
        return Ok(());
    };
    let action = (
        "Raise max_connections of PostgreSQL, or lower database.max_connections.",
        "DEPLOYING.md, PostgreSQL",
    );
    let wanted = probes::connections(settings);
    let enough = probes::allows_connections(&pool, wanted).await;
    findings.add("connections of PostgreSQL", enough, action)?;
    let action = (
        "Synchronise the clocks of all machines by NTP.",
        "DEPLOYING.md, PostgreSQL",
    );
    findings.add("clock", probes::clock(&pool).await, action)?;
    if settings.backup.is_configured() {
        let action = (
            "Run `cityguide backup`, and see that it runs every day.",
            "OPERATIONS.md, Backups",
        );
        findings.add("last backup", probes::last_backup(&pool).await, action)?;
    } else {
        print("note  no backups are configured (docs/OPERATIONS.md, Backups)")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_named_section_exists() {
        let source = include_str!("mod.rs").split("#[cfg(test)]").next();
        let mut sections = 0;
        for (name, document) in [
            (
                "OPERATIONS.md",
                include_str!("../../../../../docs/OPERATIONS.md"),
            ),
            (
                "DEPLOYING.md",
                include_str!("../../../../../docs/DEPLOYING.md"),
            ),
        ] {
            let begin = format!("\"{name}, ");
            for named in source.unwrap_or_default().split(&begin).skip(1) {
                let section = named.split('"').next().unwrap_or_default();
                let heading = format!("\n## {section}\n");
                assert!(document.contains(&heading), "{name}, {section}");
                sections += 1;
            }
        }
        assert!(sections > 10, "{sections}");
    }
}
