//! Trace context as text, for the outbox, messages and browsers (W3C Trace Context).

use std::{
    borrow::Cow,
    collections::HashMap,
    time::{Duration, SystemTime},
};

use opentelemetry::{
    Context, KeyValue, global,
    trace::{
        Span as _, SpanContext, SpanId, SpanKind, TraceContextExt, TraceFlags, TraceId, TraceState,
        Tracer,
    },
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::keys::Keys;

/// The header that carries a trace context.
pub const TRACEPARENT: &str = "traceparent";

/// The `traceparent` of the current span; `None` if nothing is traced.
#[must_use]
pub fn current() -> Option<String> {
    let mut carrier = HashMap::new();
    let context = Span::current().context();
    global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut carrier);
    });
    carrier.remove(TRACEPARENT)
}

/// Makes a span continue a trace, if there is one.
pub fn continue_from(span: &Span, traceparent: Option<&str>) {
    let Some(traceparent) = traceparent else {
        return;
    };
    let carrier = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    let parent = global::get_text_map_propagator(|propagator| propagator.extract(&carrier));
    // This fails only without a tracing layer, and then there is no trace to continue.
    let _ = span.set_parent(parent);
}

/// A trace that a browser has begun, at a click: the ids of the trace and of the click's span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientTrace {
    trace: TraceId,
    span: SpanId,
}

impl ClientTrace {
    /// Parses a `traceparent` of version 00 (W3C Trace Context, section 3.2); `None` if it is invalid. The flags are
    /// ignored: clients must not decide which traces are recorded.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut part = |length: usize| {
            let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let part = parts.next()?;
            (part.len() == length && part.bytes().all(is_digit)).then_some(part)
        };
        let (version, trace, span, _flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
        let trace = TraceId::from_hex(trace).ok()?;
        let span = SpanId::from_hex(span).ok()?;
        let is_valid = version == "00" && trace != TraceId::INVALID && span != SpanId::INVALID;
        (is_valid && parts.next().is_none()).then_some(Self { trace, span })
    }
}

/// The traces that browsers begin. A secret key decides which of them are recorded, so that a client cannot choose ids
/// that are always recorded, and all gateways decide alike.
#[derive(Clone)]
pub struct ClientTraces {
    keys: Keys,
    /// The ratio of recorded traces, 0 to 1; `None` if spans are not exported.
    ratio: Option<f64>,
}

crate::opaque_debug!(ClientTraces);

impl ClientTraces {
    /// `ratio` is the ratio of recorded traces, 0 to 1; `None` if spans are not exported.
    #[must_use]
    pub fn new(keys: &Keys, ratio: Option<f64>) -> Self {
        Self {
            keys: keys.derive("client traces"),
            ratio,
        }
    }

    /// Whether spans are exported.
    #[must_use]
    pub fn are_exported(&self) -> bool {
        self.ratio.is_some()
    }

    /// Makes a request's span continue its client's trace, if the header names one. A trace that is not recorded is
    /// not recorded here either.
    pub fn continue_in(&self, span: &Span, traceparent: impl FnOnce() -> Option<ClientTrace>) {
        if self.ratio.is_some()
            && let Some(trace) = traceparent()
        {
            // This fails only without a tracing layer, and then there is no trace to continue.
            let _ = span.set_parent(self.context(trace));
        }
    }

    /// Exports a span that a browser has measured, if its trace is recorded. It is a child of the click's span, because
    /// the id of an exported span cannot be chosen.
    pub fn record(
        &self,
        name: impl Into<Cow<'static, str>>,
        trace: ClientTrace,
        (started_at, duration): (SystemTime, Duration),
        attributes: &[(&'static str, &'static str)],
    ) {
        if !self.is_recorded(trace) {
            return;
        }
        let tracer = global::tracer("cityguide");
        let span = tracer
            .span_builder(name)
            .with_kind(SpanKind::Client)
            .with_start_time(started_at)
            .with_attributes(
                attributes
                    .iter()
                    .map(|(key, value)| KeyValue::new(*key, *value)),
            );
        let mut span = span.start_with_context(&tracer, &self.context(trace));
        span.end_with_timestamp(started_at + duration);
    }

    fn context(&self, trace: ClientTrace) -> Context {
        let flags = TraceFlags::default().with_sampled(self.is_recorded(trace));
        let ClientTrace { trace, span } = trace;
        let state = TraceState::default();
        Context::new().with_remote_span_context(SpanContext::new(trace, span, flags, true, state))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a ratio needs fewer than 53 bits"
    )]
    fn is_recorded(&self, trace: ClientTrace) -> bool {
        let Some(ratio) = self.ratio else {
            return false;
        };
        let tag = self.keys.tag(&[&trace.trace.to_string()]);
        let (first, _) = tag.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
        let share = (u64::from_be_bytes(*first) >> 11) as f64 / (1_u64 << 53) as f64;
        share < ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLICK: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn only_a_valid_traceparent_is_a_trace() {
        assert!(ClientTrace::parse(CLICK).is_some());
        for wrong in [
            "",
            "00",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ] {
            assert_eq!(ClientTrace::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_key_and_the_ratio_decide_which_traces_are_recorded() {
        let keys = Keys::one(b"a secret of a test, long enough");
        let recorded = |ratio: f64| {
            let traces = ClientTraces::new(&keys, Some(ratio));
            let of = |number: u64| {
                let click = format!("00-{number:032x}-b7ad6b7169203331-01");
                ClientTrace::parse(&click).expect("a trace")
            };
            (1..=2_000)
                .filter(|number| traces.is_recorded(of(*number)))
                .count()
        };
        assert_eq!((recorded(0.0), recorded(1.0)), (0, 2_000));
        assert!((400..600).contains(&recorded(0.25)), "{}", recorded(0.25));
        let trace = ClientTrace::parse(CLICK).expect("a trace");
        assert!(!ClientTraces::new(&keys, None).is_recorded(trace));
        let context = ClientTraces::new(&keys, Some(1.0)).context(trace);
        assert!(context.span().span_context().is_sampled());
        // The client's own flag does not matter.
        let context = ClientTraces::new(&keys, Some(0.0)).context(trace);
        assert!(!context.span().span_context().is_sampled());
    }
}
