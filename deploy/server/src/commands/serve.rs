//! `cityguide serve`.

use std::sync::Arc;

use chassis::{clock::SystemClock, telemetry};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::console::print;
use crate::{settings::Settings, system::System, targets::Target};

/// Serves until a stop signal arrives, then drains.
pub(super) async fn serve(settings: &Settings, targets: &[Target]) -> Result<(), String> {
    let targets = if targets.is_empty() {
        Target::ALL
    } else {
        targets
    };
    let telemetry = telemetry::start(&settings.log, &settings.otlp, &service(targets))
        .map_err(|fault| fault.message)?;
    let outcome = until_stopped(settings, targets, &telemetry).await;
    telemetry.flush();
    outcome
}

async fn until_stopped(
    settings: &Settings,
    targets: &[Target],
    telemetry: &telemetry::Telemetry,
) -> Result<(), String> {
    // Signal handlers must be installed before the process reports readiness, because a stop signal may follow
    // immediately.
    let mut signals = Signals::listen()?;
    let system = System::create(settings, targets, Arc::new(SystemClock))
        .await
        .map_err(|fault| fault.message)?;
    let running = system
        .serve(telemetry.metrics())
        .await
        .map_err(|fault| fault.message)?;
    match running.public {
        Some(address) => print(&format!(
            "serving {} on http://{address}",
            settings.site.url
        ))?,
        None => print(&format!("serving {}", names(targets)))?,
    }
    tracing::info!(targets = names(targets), internal = %running.internal, "serving");
    signals.asked_to_stop().await;
    tracing::info!("stopping");
    running.stop().await;
    tracing::info!("stopped");
    Ok(())
}

/// Returns the name of this process in spans and metrics: `cityguide`, or `cityguide-places` if it runs only places.
fn service(targets: &[Target]) -> String {
    match targets {
        [alone] => format!("cityguide-{}", alone.name()),
        _ => "cityguide".to_owned(),
    }
}

fn names(targets: &[Target]) -> String {
    let names: Vec<_> = targets.iter().map(|target| target.name()).collect();
    names.join(", ")
}

/// The signals that request a stop.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> Result<Self, String> {
        let listen = |kind| signal(kind).map_err(|error| format!("signals: {error}"));
        Ok(Self {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
        })
    }

    async fn asked_to_stop(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
