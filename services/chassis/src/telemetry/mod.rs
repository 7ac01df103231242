//! Logs, spans and metrics. Logs and spans hold no email address, cookie or token.

use std::io::IsTerminal;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{Sampler, SdkTracerProvider},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::error::{Code, Fault};

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Pretty,
    /// One JSON object a line, for machines.
    Json,
}

/// `[log]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `pretty` or `json`.
    pub format: LogFormat,
    /// What is logged: `info`, `info,sqlx=debug` (the syntax of tracing's `EnvFilter`).
    pub filter: String,
}

/// `[trace]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    /// Where spans are sent, by OTLP over gRPC: `http://collector:4317`. Empty: nowhere.
    pub otlp_url: String,
    /// Which part of all requests is traced, 0 to 1.
    pub ratio: f64,
}

/// What stands behind logs, spans and metrics while the process runs.
#[derive(Debug)]
pub struct Telemetry {
    tracer: SdkTracerProvider,
    metrics: PrometheusHandle,
}

/// Starts telemetry; once in a process, before anything logs. `service` is the process's name in
/// traces.
pub fn start(
    settings: &Settings,
    traces: &TraceSettings,
    service: String,
) -> Result<Telemetry, Fault> {
    let refuse =
        |error: String| Fault::new(Code::Invalid, format!("settings: log.filter: {error}"));
    let filter = EnvFilter::try_new(&settings.filter).map_err(|error| refuse(error.to_string()))?;
    let spans = tracer(traces, service)?;
    opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let lines = match settings.format {
        LogFormat::Pretty => lines.with_target(false).boxed(),
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
    };
    tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .with(tracing_opentelemetry::layer().with_tracer(spans.tracer("cityguide")))
        .try_init()
        .map_err(|error| refuse(error.to_string()))?;
    Ok(Telemetry {
        tracer: spans,
        metrics: install_metrics()?,
    })
}

/// Spans that go nowhere are not sampled, but their context travels all the same.
fn tracer(settings: &TraceSettings, service: String) -> Result<SdkTracerProvider, Fault> {
    let resource = Resource::builder().with_service_name(service).build();
    let builder = SdkTracerProvider::builder().with_resource(resource);
    if settings.otlp_url.is_empty() {
        return Ok(builder.with_sampler(Sampler::AlwaysOff).build());
    }
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(&settings.otlp_url)
        .build()
        .map_err(|error| {
            let message = format!("settings: trace.otlp_url is not valid: {error}");
            Fault::new(Code::Invalid, message)
        })?;
    let ours = Sampler::TraceIdRatioBased(settings.ratio);
    Ok(builder
        .with_sampler(Sampler::ParentBased(Box::new(ours)))
        .with_batch_exporter(exporter)
        .build())
}

fn install_metrics() -> Result<PrometheusHandle, Fault> {
    let refuse = |error: String| Fault::new(Code::Internal, format!("metrics: {error}"));
    PrometheusBuilder::new()
        .set_buckets_for_metric(
            Matcher::Suffix("_seconds".to_owned()),
            &[
                0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
            ],
        )
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| refuse(error.to_string()))
}

impl Telemetry {
    /// The metrics in Prometheus's text format.
    #[must_use]
    pub fn metrics(&self) -> PrometheusHandle {
        self.metrics.clone()
    }

    /// Sends what is still held; the last thing a process does, on error too.
    pub fn flush(&self) {
        if let Err(error) = self.tracer.shutdown() {
            tracing::debug!(%error, "spans could not be flushed");
        }
    }
}
