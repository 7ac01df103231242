//! The internal port: probes and metrics.

use std::sync::Arc;

use axum::{Router, extract::State, routing::get};
use chassis::{lifecycle::Lifecycle, role::Role};
use metrics_exporter_prometheus::PrometheusHandle;

/// The roles whose readiness is checked.
#[derive(Clone)]
struct Probed {
    life: Lifecycle,
    roles: Arc<[Box<dyn Role>]>,
}

/// `/health/live`, `/health/ready` and `/metrics`. The process is ready if it is not about to stop and every
/// service in it reaches the servers that it needs.
pub(crate) fn router(
    life: Lifecycle,
    roles: Arc<[Box<dyn Role>]>,
    metrics: PrometheusHandle,
) -> Router {
    Router::new()
        .route("/health/live", get("live\n"))
        .route("/health/ready", get(ready))
        .with_state(Probed { life, roles })
        .route("/metrics", get(async move || metrics.render()))
}

async fn ready(State(probed): State<Probed>) -> (axum::http::StatusCode, String) {
    let unready = axum::http::StatusCode::SERVICE_UNAVAILABLE;
    if probed.life.is_retiring() {
        return (unready, "stopping\n".to_owned());
    }
    for role in probed.roles.iter() {
        if let Err(error) = role.check().await {
            return (unready, format!("{error}\n"));
        }
    }
    (axum::http::StatusCode::OK, "ready\n".to_owned())
}
