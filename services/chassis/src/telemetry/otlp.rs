//! Exports spans and metrics to a collector (OTLP over gRPC) in the background. While the collector is unavailable,
//! data is lost, and one line is logged.

use std::{
    error::Error as _,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use opentelemetry_otlp::{
    ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig, WithTonicConfig,
};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    metrics::{
        Aggregation, Instrument, InstrumentKind, PeriodicReader, SdkMeterProvider, Stream,
        Temporality, data::ResourceMetrics, exporter::PushMetricExporter,
    },
    trace::{Sampler, SdkTracerProvider},
};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use super::{measures::bounds, settings::OtlpSettings};
use crate::{
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
    server_tls,
};

/// A collector that takes longer counts as unavailable.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The identity of this process: a random id distinguishes replicas of a service, as the semantic conventions for
/// `service.instance.id` recommend.
pub(super) fn resource(service: &str) -> Resource {
    let instance = uuid(&OsEntropy).to_string();
    Resource::builder()
        .with_service_name(service.to_owned())
        .with_attribute(opentelemetry::KeyValue::new(
            "service.instance.id",
            instance,
        ))
        .build()
}

/// Configures the connection of an exporter, with TLS if the address requires it.
fn to_collector<E: WithExportConfig + WithTonicConfig>(
    exporter: E,
    settings: &OtlpSettings,
) -> Result<E, Fault> {
    let exporter = exporter.with_endpoint(&settings.url).with_timeout(TIMEOUT);
    Ok(match tls(settings)? {
        Some(tls) => exporter.with_tls_config(tls),
        None => exporter,
    })
}

/// The TLS configuration, if the address requires TLS.
fn tls(settings: &OtlpSettings) -> Result<Option<ClientTlsConfig>, Fault> {
    if !settings.url.starts_with("https:") {
        return Ok(None);
    }
    let mut tls =
        ClientTlsConfig::new().trust_anchors(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if !settings.ca.is_empty() {
        server_tls::authorities("otlp.ca", &settings.ca)?;
        tls = tls.ca_certificate(Certificate::from_pem(&settings.ca));
    }
    Ok(Some(tls))
}

/// Connects to the collector, without sending anything.
pub async fn check_collector(settings: &OtlpSettings) -> Result<(), Fault> {
    let away = |error: tonic::transport::Error| {
        // The error's own text does not contain the cause.
        let cause = error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string);
        Fault::new(
            Code::Unavailable,
            format!("otlp.url {}: {cause}", settings.url),
        )
    };
    let endpoint = Endpoint::from_shared(settings.url.clone()).map_err(away)?;
    let mut endpoint = endpoint.connect_timeout(TIMEOUT);
    if let Some(tls) = tls(settings)? {
        endpoint = endpoint.tls_config(tls).map_err(away)?;
    }
    endpoint.connect().await.map(drop).map_err(away)
}

/// Without a collector, spans are not sampled, but their context is still propagated.
pub(super) fn tracer(
    settings: &OtlpSettings,
    resource: Resource,
) -> Result<SdkTracerProvider, Fault> {
    let builder = SdkTracerProvider::builder().with_resource(resource);
    if !settings.sends_spans() {
        return Ok(builder.with_sampler(Sampler::AlwaysOff).build());
    }
    let exporter = to_collector(SpanExporter::builder().with_tonic(), settings)?
        .build()
        .map_err(|error| refuse(&error))?;
    let ours = Sampler::TraceIdRatioBased(settings.trace_ratio);
    Ok(builder
        .with_sampler(Sampler::ParentBased(Box::new(ours)))
        .with_batch_exporter(exporter)
        .build())
}

/// The exporter of metrics; `None` if metrics are not sent.
pub(super) fn meter(
    settings: &OtlpSettings,
    resource: Resource,
) -> Result<Option<SdkMeterProvider>, Fault> {
    if settings.url.is_empty() || !settings.metrics {
        return Ok(None);
    }
    let inner = to_collector(MetricExporter::builder().with_tonic(), settings)?
        .build()
        .map_err(|error| refuse(&error))?;
    let exporter = Noticed {
        inner,
        is_away: AtomicBool::new(false),
    };
    let reader = PeriodicReader::builder(exporter)
        .with_interval(Duration::from_secs(settings.metrics_interval_seconds))
        .build();
    let provider = SdkMeterProvider::builder()
        .with_resource(resource)
        .with_reader(reader)
        .with_view(histograms)
        .build();
    Ok(Some(provider))
}

/// Uses the same histogram bounds as Prometheus.
fn histograms(instrument: &Instrument) -> Option<Stream> {
    if instrument.kind() != InstrumentKind::Histogram {
        return None;
    }
    let aggregation = Aggregation::ExplicitBucketHistogram {
        boundaries: bounds(instrument.name())?.to_vec(),
        record_min_max: false,
    };
    Stream::builder().with_aggregation(aggregation).build().ok()
}

fn refuse(error: &ExporterBuildError) -> Fault {
    let message = format!("settings: otlp.url is not valid: {error}");
    Fault::new(Code::Invalid, message)
}

/// An exporter that logs once when the collector becomes unavailable, and once when it is available again.
#[derive(Debug)]
struct Noticed {
    inner: MetricExporter,
    is_away: AtomicBool,
}

impl PushMetricExporter for Noticed {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let sent = self.inner.export(metrics).await;
        let was_away = self.is_away.swap(sent.is_err(), Ordering::Relaxed);
        match &sent {
            Err(error) if !was_away => {
                tracing::warn!(%error, "the collector is away: metrics and spans are not kept for it");
            }
            Ok(()) if was_away => tracing::info!("the collector is back"),
            _ => {}
        }
        sent
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn temporality(&self) -> Temporality {
        self.inner.temporality()
    }
}
