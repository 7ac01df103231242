//! An HTTP stand-in for Amazon Simple Notification Service, which signs messages, serves certificates of its key and
//! counts confirmations of its topic.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Router, extract::Path, http::StatusCode, routing::get};
use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::{DateTime, SecondsFormat, Utc};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use serde_json::{Value, json};
use stand_ins::server::Server;
use tokio_rustls::rustls::{
    SignatureScheme,
    crypto::ring::sign::any_supported_type,
    pki_types::{PrivateKeyDer, pem::PemObject},
};

use crate::certificates::RSA_KEY;

/// The file of the stand-in's valid certificate.
const VALID: &str = "SimpleNotificationService-0123456789abcdef.pem";
/// The file of a certificate that has expired.
pub const EXPIRED: &str = "SimpleNotificationService-00000000000000ed.pem";
/// The file of a certificate with another name.
pub const OTHERS: &str = "SimpleNotificationService-00000000000000ba.pem";
/// ARN of the topic whose messages the stand-in signs.
pub const TOPIC: &str = "arn:aws:sns:ca-central-1:123456789012:bounces";

/// A running stand-in for SNS.
pub struct SnsServer {
    server: Server,
    confirmed: Arc<AtomicUsize>,
    fetched: Arc<AtomicUsize>,
}

chassis::opaque_debug!(SnsServer);

impl SnsServer {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start() -> Self {
        let (confirmed, fetched) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let (on_confirm, on_fetch) = (Arc::clone(&confirmed), Arc::clone(&fetched));
        let routes = Router::new()
            .route(
                "/{file}",
                get(move |Path(file): Path<String>| async move {
                    on_fetch.fetch_add(1, Ordering::Relaxed);
                    match file.as_str() {
                        VALID => Ok(certificate("sns.amazonaws.com", 2100)),
                        EXPIRED => Ok(certificate("sns.amazonaws.com", 2020)),
                        OTHERS => Ok(certificate("guide.example", 2100)),
                        _ => Err(StatusCode::NOT_FOUND),
                    }
                }),
            )
            .route(
                "/confirm",
                get(move || async move {
                    on_confirm.fetch_add(1, Ordering::Relaxed);
                    "<ConfirmSubscriptionResponse/>"
                }),
            );
        Self {
            server: Server::start(routes, 0).await,
            confirmed,
            fetched,
        }
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url("")
    }

    /// Returns how often its topic was confirmed and its certificate fetched.
    #[must_use]
    pub fn calls(&self) -> (usize, usize) {
        let count = |calls: &AtomicUsize| calls.load(Ordering::Relaxed);
        (count(&self.confirmed), count(&self.fetched))
    }

    /// Returns a signed message with an SES report.
    #[must_use]
    pub fn notification(&self, at: DateTime<Utc>, report: &Value) -> Value {
        let mut message = self.message("Notification", at, &report.to_string());
        sign(
            &mut message,
            &["Message", "MessageId", "Timestamp", "TopicArn", "Type"],
        );
        message
    }

    /// Returns a signed subscription request of the topic.
    #[must_use]
    pub fn confirmation(&self, at: DateTime<Utc>) -> Value {
        let words = "You have chosen to subscribe to the topic.";
        let mut message = self.message("SubscriptionConfirmation", at, words);
        message["SubscribeURL"] = json!(self.server.url("/confirm"));
        message["Token"] = json!("2336412f37");
        let signed = [
            "Message",
            "MessageId",
            "SubscribeURL",
            "Timestamp",
            "Token",
            "TopicArn",
            "Type",
        ];
        sign(&mut message, &signed);
        message
    }

    fn message(&self, kind: &str, at: DateTime<Utc>, message: &str) -> Value {
        json!({
            "Type": kind,
            "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
            "TopicArn": TOPIC,
            "Message": message,
            "Timestamp": at.to_rfc3339_opts(SecondsFormat::Millis, true),
            "SignatureVersion": "2",
            "SigningCertURL": self.server.url(&format!("/{VALID}")),
        })
    }
}

/// Creates a self-signed certificate for the key, which expires at the beginning of a year.
fn certificate(name: &str, expires: i32) -> String {
    let made = || {
        let key = KeyPair::from_pem(RSA_KEY)?;
        let mut params = CertificateParams::new(vec![name.to_owned()])?;
        params.not_after = date_time_ymd(expires, 1, 1);
        Ok(params.self_signed(&key)?.pem())
    };
    made().unwrap_or_else(|error: rcgen::Error| panic!("a certificate: {error}"))
}

/// Signs fields as documented by Amazon: names and values, one per line.
fn sign(message: &mut Value, fields: &[&str]) {
    let lines = fields.iter().flat_map(|name| {
        [
            *name,
            "\n",
            message[*name].as_str().unwrap_or_default(),
            "\n",
        ]
    });
    let signed: String = lines.collect();
    let signature = PrivateKeyDer::from_pem_slice(RSA_KEY.as_bytes())
        .ok()
        .and_then(|key| any_supported_type(&key).ok())
        .and_then(|key| key.choose_scheme(&[SignatureScheme::RSA_PKCS1_SHA256]))
        .and_then(|signer| signer.sign(signed.as_bytes()).ok())
        .unwrap_or_else(|| panic!("the key does not sign"));
    message["Signature"] = json!(BASE64_STANDARD.encode(signature));
}
