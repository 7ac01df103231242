//! `cityguide serve`.

use std::sync::Arc;

use chassis::{clock::SystemClock, telemetry};
use tokio::signal::unix::{SignalKind, signal};

use super::print;
use crate::{settings::Settings, system::System, targets::Target};

/// Serves until a signal asks to stop, then drains.
pub(super) async fn serve(settings: &Settings, targets: &[Target]) -> Result<(), String> {
    let targets = if targets.is_empty() {
        &Target::ALL
    } else {
        targets
    };
    if let Some(missing) = Target::ALL.iter().find(|target| !targets.contains(target)) {
        // Bus and cache live in this process; whoever runs elsewhere would hear nothing.
        let name = missing.name();
        return Err(format!(
            "{name} must run here too: bus and cache are within one process"
        ));
    }
    let telemetry = telemetry::start(&settings.log).map_err(|fault| fault.message)?;
    let outcome = until_stopped(settings, targets, &telemetry).await;
    telemetry.flush();
    outcome
}

async fn until_stopped(
    settings: &Settings,
    targets: &[Target],
    telemetry: &telemetry::Telemetry,
) -> Result<(), String> {
    let system = System::create(settings, targets, Arc::new(SystemClock))
        .await
        .map_err(|fault| fault.message)?;
    let running = system
        .serve(telemetry.metrics())
        .await
        .map_err(|fault| fault.message)?;
    print(&format!(
        "serving {} on http://{}",
        settings.site.url, running.public
    ))?;
    tracing::info!(public = %running.public, internal = %running.internal, "serving");
    asked_to_stop().await?;
    tracing::info!("stopping");
    running.stop().await;
    tracing::info!("stopped");
    Ok(())
}

async fn asked_to_stop() -> Result<(), String> {
    let listen = |kind| signal(kind).map_err(|error| format!("signals: {error}"));
    let (mut terminate, mut interrupt) = (
        listen(SignalKind::terminate())?,
        listen(SignalKind::interrupt())?,
    );
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
