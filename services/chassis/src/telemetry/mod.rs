//! Logs, spans and metrics. Logs and spans hold no email address, cookie or token.

mod measures;
mod otlp;

use std::{io::IsTerminal, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::{
    metrics::SdkMeterProvider, propagation::TraceContextPropagator, trace::SdkTracerProvider,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::error::{Code, Fault};

/// The time in which a process that ends sends its remaining spans, and then its metrics.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The format of log lines.
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
    /// The log filter: `info`, `info,sqlx=debug` (the syntax of tracing's `EnvFilter`).
    pub filter: String,
}

/// `[otlp]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtlpSettings {
    /// Where spans and metrics are sent, by OTLP over gRPC: `http://collector:4317`. Empty: nowhere.
    pub url: String,
    /// Whether spans are.
    pub traces: bool,
    /// Which part of all requests is traced, 0 to 1.
    pub trace_ratio: f64,
    /// Whether metrics are; they can be scraped in any case.
    pub metrics: bool,
    /// Seconds from one sending of metrics to the next.
    pub metrics_interval_seconds: u64,
}

impl OtlpSettings {
    /// Whether spans go anywhere.
    #[must_use]
    pub fn sends_spans(&self) -> bool {
        !self.url.is_empty() && self.traces
    }

    /// The first value that cannot be, by its key.
    pub fn validate(&self) -> Result<(), Fault> {
        let refuse = |what: &str| Err(Fault::new(Code::Invalid, format!("settings: {what}")));
        if !(0.0..=1.0).contains(&self.trace_ratio) {
            return refuse("otlp.trace_ratio must be between 0 and 1");
        }
        if self.metrics_interval_seconds == 0 {
            return refuse("otlp.metrics_interval_seconds must be 1 or more");
        }
        Ok(())
    }
}

/// The exporters of logs, spans and metrics, while the process runs.
#[derive(Debug)]
pub struct Telemetry {
    tracer: SdkTracerProvider,
    meter: Option<SdkMeterProvider>,
    metrics: PrometheusHandle,
}

/// Starts telemetry; once in a process, before anything logs. `service` is the process's name in
/// spans and metrics.
pub fn start(settings: &Settings, otlp: &OtlpSettings, service: &str) -> Result<Telemetry, Fault> {
    let refuse =
        |error: String| Fault::new(Code::Invalid, format!("settings: log.filter: {error}"));
    let filter = EnvFilter::try_new(&settings.filter).map_err(|error| refuse(error.to_string()))?;
    let resource = otlp::resource(service);
    let tracer = otlp::tracer(otlp, resource.clone())?;
    let meter = otlp::meter(otlp, resource)?;
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
        .with(tracing_opentelemetry::layer().with_tracer(tracer.tracer("cityguide")))
        .try_init()
        .map_err(|error| refuse(error.to_string()))?;
    let metrics = measures::install(meter.as_ref())?;
    Ok(Telemetry {
        tracer,
        meter,
        metrics,
    })
}

impl Telemetry {
    /// The metrics in Prometheus's text format.
    #[must_use]
    pub fn metrics(&self) -> PrometheusHandle {
        self.metrics.clone()
    }

    /// Sends what is still held; the last thing a process does, on error too.
    pub fn flush(&self) {
        if let Err(error) = self.tracer.shutdown_with_timeout(LAST_WORDS) {
            tracing::debug!(%error, "spans could not be flushed");
        }
        let sent = self.meter.as_ref();
        if let Some(Err(error)) = sent.map(|meter| meter.shutdown_with_timeout(LAST_WORDS)) {
            tracing::debug!(%error, "metrics could not be flushed");
        }
    }
}
