//! The `[log]` and `[otlp]` sections of the settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Fault};

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Readable by people.
    Pretty,
    /// One JSON object per line, for machines.
    Json,
}

/// The `[log]` section.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `pretty` or `json`.
    pub format: LogFormat,
    /// The log filter, in the syntax of tracing's `EnvFilter`: `info`, `info,sqlx=debug`.
    pub filter: String,
}

/// The `[otlp]` section.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtlpSettings {
    /// The collector of spans and metrics (OTLP over gRPC): `http://collector:4317`, or `https` for TLS. Empty: none.
    pub url: String,
    /// An additional authority for the collector's certificate, besides the public ones, in PEM; may come from
    /// `otlp.ca_file`.
    pub ca: String,
    /// Whether spans are sent.
    pub traces: bool,
    /// The ratio of requests that are traced, 0 to 1.
    pub trace_ratio: f64,
    /// Whether metrics are sent; they can be scraped in any case.
    pub metrics: bool,
    /// The interval at which metrics are sent, in seconds.
    pub metrics_interval_seconds: u64,
}

impl OtlpSettings {
    /// Whether spans are sent to a collector.
    #[must_use]
    pub fn sends_spans(&self) -> bool {
        !self.url.is_empty() && self.traces
    }

    /// Refuses invalid values; the error names the key.
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
