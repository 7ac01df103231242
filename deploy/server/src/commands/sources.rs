//! `cityguide sources`: polled external feeds and calendars.

use std::sync::Arc;

use chassis::{clock::SystemClock, entropy::OsEntropy, instant};
use chrono::{DateTime, Utc};
use clap::Subcommand;
use editorial_proto::v1::{PollOutcome, PollResult, SourceState};
use publishing::{
    import::EventServices,
    sources::{ForcedPoll, Poller, result_name},
};
use site::{Site, SourceKind, SourceSettings};

use super::{console::print, operated::Operated};
use crate::{settings::Settings, targets::Target};

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Sources {
    /// Poll a source immediately, regardless of its last response, and import its content.
    Poll {
        /// The source's name in the site's file.
        name: String,
    },
}

/// Lists the sources or polls one.
pub(super) async fn sources(settings: &Settings, what: Option<Sources>) -> Result<(), String> {
    let site = Site::read(&settings.site.file).map_err(|fault| fault.message)?;
    let configured = site.sources.clone();
    let system = Operated::connect(settings).await?;
    let services = EventServices {
        editorial: system.transport(Target::Editorial)?,
        places: system.transport(Target::Places)?,
    };
    let chance = (Arc::new(SystemClock) as _, Arc::new(OsEntropy) as _);
    let poller = Poller::new(site, &settings.sources, services, chance);
    let poller = poller.map_err(|fault| fault.message)?;
    match what {
        None => list(&poller, &configured).await,
        Some(Sources::Poll { name }) => {
            match poller
                .poll_now(&name)
                .await
                .map_err(|fault| fault.message)?
            {
                ForcedPoll::Elsewhere => Err(format!("{name} is being polled by another process")),
                ForcedPoll::Polled(outcome) => print_outcome(&name, &outcome),
            }
        }
    }
}

fn print_outcome(name: &str, outcome: &PollOutcome) -> Result<(), String> {
    let counts = outcome.counts.unwrap_or_default();
    match outcome.result() {
        PollResult::Failed => Err(format!("{name}: {}; nothing was imported", outcome.reason)),
        _ => print(&format!(
            "{name}: {} created, {} changed, {} unchanged, {} refused{}",
            counts.created,
            counts.changed,
            counts.unchanged,
            counts.refused,
            reason(&outcome.reason)
        )),
    }
}

async fn list(poller: &Poller, configured: &[SourceSettings]) -> Result<(), String> {
    let states = poller.states().await.map_err(|fault| fault.message)?;
    for source in configured {
        let kind = match source.kind {
            SourceKind::Articles => "articles",
            SourceKind::Events => "events",
        };
        let head = format!("{}, {kind} every {} min", source.name, source.every_minutes);
        let state = states.iter().find(|state| state.name == source.name);
        print(&match state {
            Some(state) => format!("{head}: {}", described(state)),
            None => format!("{head}: new"),
        })?;
    }
    let is_gone = |state: &&SourceState| configured.iter().all(|one| one.name != state.name);
    for state in states.iter().filter(is_gone) {
        print(&format!("{}: no longer in the site's file", state.name))?;
    }
    Ok(())
}

fn described(state: &SourceState) -> String {
    let counts = state.counts.unwrap_or_default();
    let at = |at: Option<&prost_types::Timestamp>| {
        let at: Option<DateTime<Utc>> = at.and_then(instant::from_proto);
        at.map_or("never".to_owned(), |at| {
            at.format("%Y-%m-%d %H:%M:%SZ").to_string()
        })
    };
    let failures = match state.failures {
        0 => String::new(),
        1 => " once".to_owned(),
        failures => format!(" {failures} times"),
    };
    let polled = match &state.leased_until {
        Some(_) => ", is being polled",
        None => "",
    };
    format!(
        "{}{failures}{}; last import {} created, {} changed, {} unchanged, {} refused; last success {}, next poll {}{polled}",
        result_name(state.result()),
        reason(&state.reason),
        counts.created,
        counts.changed,
        counts.unchanged,
        counts.refused,
        at(state.succeeded_at.as_ref()),
        at(state.next_poll_at.as_ref()),
    )
}

fn reason(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(" ({reason})")
    }
}
