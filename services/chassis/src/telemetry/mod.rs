//! Logs, spans and metrics. Logs and spans contain no email address, cookie or token.

mod measures;
mod otlp;
mod settings;

use std::{io::IsTerminal, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::{
    metrics::SdkMeterProvider, propagation::TraceContextPropagator, trace::SdkTracerProvider,
};
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

pub use self::{
    otlp::check_collector,
    settings::{LogFormat, OtlpSettings, Settings},
};
use crate::error::{Code, Fault};

/// The timeouts, at the end of a process, for sending first the remaining spans and then the metrics.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The providers of spans and metrics. [`Telemetry::flush`] must be called before the process ends.
#[derive(Debug)]
pub struct Telemetry {
    tracer: SdkTracerProvider,
    meter: Option<SdkMeterProvider>,
    metrics: PrometheusHandle,
}

/// Starts telemetry; call it once per process, before anything is logged. `service` is the process's name in spans and
/// metrics.
pub fn start(settings: &Settings, otlp: &OtlpSettings, service: &str) -> Result<Telemetry, Fault> {
    let refuse =
        |error: String| Fault::new(Code::Invalid, format!("settings: log.filter: {error}"));
    let filter = EnvFilter::try_new(&settings.filter).map_err(|error| refuse(error.to_string()))?;
    let resource = otlp::resource(service);
    let tracer = otlp::tracer(otlp, resource.clone())?;
    let meter = otlp::meter(otlp, resource)?;
    opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
    opentelemetry::global::set_tracer_provider(tracer.clone());
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

    /// Sends the buffered data; the last step of a process, also after an error.
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
