//! A collector that stores the spans and metrics that it receives by OTLP.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use opentelemetry_proto::tonic::{
    collector::{
        metrics::v1::{
            ExportMetricsServiceRequest, ExportMetricsServiceResponse,
            metrics_service_server::{MetricsService, MetricsServiceServer},
        },
        trace::v1::{
            ExportTraceServiceRequest, ExportTraceServiceResponse,
            trace_service_server::{TraceService, TraceServiceServer},
        },
    },
    common::v1::{KeyValue, any_value::Value},
    metrics::v1::{Metric, metric::Data},
    resource::v1::Resource,
};
use testkit::certificates::TestAuthority;
use tonic::{
    Request, Response, Status, async_trait,
    transport::{Identity, Server, ServerTlsConfig},
};

use crate::site::free;

#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) service: String,
    pub(crate) name: String,
    pub(crate) trace: Vec<u8>,
    pub(crate) id: Vec<u8>,
    pub(crate) parent: Vec<u8>,
}

/// The last received point of a metric's series.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) service: String,
    pub(crate) instance: String,
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) count: u64,
    pub(crate) bounds: Vec<f64>,
}

/// The collector; clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct Collector {
    address: SocketAddr,
    identity: Option<Identity>,
    spans: Arc<Mutex<Vec<Span>>>,
    points: Arc<Mutex<Vec<Point>>>,
}

impl Collector {
    /// Starts a collector without TLS.
    pub(crate) async fn start() -> Self {
        let collector = Self::at(free());
        collector.listen().await;
        collector
    }

    /// A collector that accepts only TLS connections.
    pub(crate) async fn start_with_tls(authority: &TestAuthority) -> Self {
        let process = authority.process(&["127.0.0.1"]);
        let collector = Self {
            identity: Some(Identity::from_pem(process.certificate, process.key)),
            ..Self::at(free())
        };
        collector.listen().await;
        collector
    }

    /// A collector that is unavailable until it starts to listen.
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self {
            address,
            identity: None,
            spans: Arc::default(),
            points: Arc::default(),
        }
    }

    pub(crate) async fn listen(&self) {
        let listener = tokio::net::TcpListener::bind(self.address).await;
        let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener.expect("free"));
        let mut server = Server::builder();
        if let Some(identity) = self.identity.clone() {
            let tls = ServerTlsConfig::new().identity(identity);
            server = server.tls_config(tls).expect("a certificate");
        }
        tokio::spawn(
            server
                .add_service(TraceServiceServer::new(self.clone()))
                .add_service(MetricsServiceServer::new(self.clone()))
                .serve_with_incoming(incoming),
        );
    }

    /// The collector's URL, as in settings.
    pub(crate) fn url(&self) -> String {
        let scheme = if self.identity.is_some() {
            "https"
        } else {
            "http"
        };
        format!("{scheme}://{}", self.address)
    }

    /// The spans received so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        self.spans.lock().expect("no panic").clone()
    }

    /// The received points of a metric; each export contains every series again.
    pub(crate) fn points(&self, name: &str) -> Vec<Point> {
        let points = self.points.lock().expect("no panic");
        let named = points.iter().filter(|point| point.name == name);
        named.cloned().collect()
    }
}

fn texts(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |pair: &KeyValue| match pair.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some((pair.key.clone(), text.clone())),
        _ => None,
    };
    attributes.iter().filter_map(text).collect()
}

fn attribute(resource: Option<&Resource>, key: &str) -> String {
    let attributes = resource.map(|resource| texts(&resource.attributes));
    attributes
        .and_then(|mut texts| texts.remove(key))
        .unwrap_or_default()
}

#[async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mut spans = self.spans.lock().expect("no panic");
        for of_process in request.into_inner().resource_spans {
            let service = attribute(of_process.resource.as_ref(), "service.name");
            let scopes = of_process.scope_spans.into_iter();
            spans.extend(scopes.flat_map(|scope| scope.spans).map(|span| Span {
                service: service.clone(),
                name: span.name,
                trace: span.trace_id,
                id: span.span_id,
                parent: span.parent_span_id,
            }));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        let mut points = self.points.lock().expect("no panic");
        for of_process in request.into_inner().resource_metrics {
            let resource = of_process.resource.as_ref();
            let service = attribute(resource, "service.name");
            let instance = attribute(resource, "service.instance.id");
            let scopes = of_process.scope_metrics.into_iter();
            for metric in scopes.flat_map(|scope| scope.metrics) {
                points.extend(
                    series(&metric)
                        .into_iter()
                        .map(|(attributes, count, bounds)| Point {
                            service: service.clone(),
                            instance: instance.clone(),
                            name: metric.name.clone(),
                            attributes,
                            count,
                            bounds,
                        }),
                );
            }
        }
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

type Series = (BTreeMap<String, String>, u64, Vec<f64>);

fn series(metric: &Metric) -> Vec<Series> {
    let plain = |attributes: &[KeyValue]| (texts(attributes), 0, Vec::new());
    match metric.data.as_ref().expect("data") {
        Data::Gauge(gauge) => gauge
            .data_points
            .iter()
            .map(|point| plain(&point.attributes))
            .collect(),
        Data::Sum(sum) => sum
            .data_points
            .iter()
            .map(|point| plain(&point.attributes))
            .collect(),
        Data::Histogram(histogram) => {
            let points = histogram.data_points.iter();
            points
                .map(|point| {
                    (
                        texts(&point.attributes),
                        point.count,
                        point.explicit_bounds.clone(),
                    )
                })
                .collect()
        }
        other => panic!("nothing measures like that: {other:?}"),
    }
}
