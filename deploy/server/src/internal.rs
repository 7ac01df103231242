//! Internal port with probes and metrics.

use std::sync::Arc;

use axum::{Router, extract::State, routing::get};
use chassis::{lifecycle::Lifecycle, role::Role};
use metrics_exporter_prometheus::PrometheusHandle;

/// Roles whose readiness is checked.
#[derive(Clone)]
struct Probed {
    life: Lifecycle,
    roles: Arc<[Box<dyn Role>]>,
}

/// `/health/live`, `/health/ready` and `/metrics`. The process is ready if it is not stopping, all its background tasks
/// are running, and every service in it reaches its servers.
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
    if let Some(task) = probed.life.down() {
        return (
            unready,
            format!("the task \"{task}\" has panicked; it begins again in a moment\n"),
        );
    }
    for role in probed.roles.iter() {
        if let Err(error) = role.check().await {
            return (unready, format!("{error}\n"));
        }
    }
    (axum::http::StatusCode::OK, "ready\n".to_owned())
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        time::Duration,
    };

    use axum::{body::Body, extract::Request, http::StatusCode};
    use http_body_util::BodyExt;
    use metrics_exporter_prometheus::PrometheusBuilder;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_process_is_not_ready_while_a_background_task_that_panicked_is_down() {
        let life = Lifecycle::new();
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let router = router(life.clone(), Arc::new([]), metrics);
        let ready = async || {
            let request = Request::get("/health/ready").body(Body::empty());
            let answer = router.clone().oneshot(request.expect("a request")).await;
            let (head, body) = answer.expect("infallible").into_parts();
            let text = body.collect().await.expect("a body").to_bytes();
            (head.status, String::from_utf8_lossy(&text).into_owned())
        };
        assert_eq!(ready().await.0, StatusCode::OK);

        let has_panicked = AtomicBool::new(false);
        let watch = life.clone();
        life.supervise("relay", move || {
            let is_second = has_panicked.swap(true, Ordering::SeqCst);
            let watch = watch.clone();
            async move {
                assert!(is_second, "a defect, as the test asked");
                watch.stopping().await;
            }
        });
        tokio::time::sleep(Duration::from_millis(10)).await;
        let (status, text) = ready().await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(text.contains("relay"), "{text}");

        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(ready().await.0, StatusCode::OK);
        life.finish(Duration::from_secs(5)).await;
    }
}
