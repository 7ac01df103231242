//! Amazon Simple Notification Service, which delivers SES reports as messages of a topic, signed with an Amazon
//! certificate (<https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html>).

use std::sync::{Arc, Mutex, PoisonError};

use base64::{Engine, prelude::BASE64_STANDARD};
use chassis::{
    bulkhead::Bulkhead,
    error::{Code, Fault},
    third_party::ThirdParty,
};
use chrono::{DateTime, TimeDelta, Utc};
use rustls_pki_types::{CertificateDer, ServerName, pem::PemObject};
use serde::Deserialize;
use webpki::{EndEntityCert, ring::RSA_PKCS1_2048_8192_SHA256};
use x509_parser::{parse_x509_certificate, time::ASN1Time};

use super::event::{Event, MAX, Reported, forged, parse};

/// Maximum age of a message: SNS retries delivery for an hour.
const FRESH: TimeDelta = TimeDelta::hours(2);
/// Maximum number of cached certificates; Amazon uses a certificate for months.
const KEPT: usize = 4;
/// Concurrent fetches of certificates, and further messages that wait for a fetch: anyone who knows the topic's name
/// can request certificates that do not exist.
const AT_A_TIME: usize = 2;
const WAITING: usize = 16;
/// The names of certificates at SNS: this, hexadecimal digits and `.pem`.
const CERTIFICATE: &str = "/SimpleNotificationService-";

/// A topic whose messages are accepted.
#[derive(Debug, Clone)]
pub(crate) struct Topic {
    arn: String,
    /// Address of SNS in the topic's region, which also serves the certificates.
    base: String,
    /// The name in the certificates of all regions.
    name: ServerName<'static>,
    client: ThirdParty,
    certificates: Arc<Mutex<Vec<(String, CertificateDer<'static>)>>>,
    fetches: Bulkhead,
}

/// The SNS envelope of a message.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Envelope {
    r#type: String,
    message_id: String,
    topic_arn: String,
    #[serde(default)]
    subject: Option<String>,
    message: String,
    timestamp: String,
    signature_version: String,
    signature: String,
    #[serde(rename = "SigningCertURL")]
    certificate: String,
    #[serde(rename = "SubscribeURL", default)]
    subscribe: String,
    #[serde(default)]
    token: String,
}

impl Topic {
    /// Creates the topic of an ARN (`arn:aws:sns:ca-central-1:123456789012:bounces`). `base` is the address of SNS, for
    /// tests.
    ///
    /// # Errors
    /// `Invalid` if the text is not the ARN of a topic.
    pub(crate) fn new(arn: &str, base: &str) -> Result<Self, Fault> {
        let parts: Vec<_> = arn.split(':').collect();
        let (["arn", partition, "sns", region, _, _], true) = (parts.as_slice(), arn.is_ascii())
        else {
            let message = "settings: newsletters.webhooks.ses is no ARN of a topic of SNS";
            return Err(Fault::new(Code::Invalid, message));
        };
        let ending = match *partition {
            "aws-cn" => "amazonaws.com.cn",
            _ => "amazonaws.com",
        };
        let name = ServerName::try_from(format!("sns.{ending}"));
        let name = name.map_err(|error| Fault::new(Code::Internal, error.to_string()))?;
        let base = match base {
            "" => format!("https://sns.{region}.{ending}"),
            base => base.to_owned(),
        };
        Ok(Self {
            arn: arn.to_owned(),
            base,
            name,
            client: ThirdParty::new()?,
            certificates: Arc::default(),
            fetches: Bulkhead::new("sns_certificates", AT_A_TIME, WAITING),
        })
    }

    /// Verifies a message and returns its events. A subscription request of the topic is confirmed.
    ///
    /// # Errors
    /// Fails in the same cases as [`super::Report::read`].
    pub(super) async fn read(
        &self,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<Vec<Reported>, Fault> {
        let message: Envelope = parse(body)?;
        if message.topic_arn != self.arn || !is_fresh(&message.timestamp, now) {
            return Err(forged());
        }
        self.verify(&message, now).await?;
        match message.r#type.as_str() {
            "Notification" => Ok(events(&message.message)),
            "SubscriptionConfirmation" => self.confirm(&message.subscribe).await,
            _ => Ok(Vec::new()),
        }
    }

    /// Verifies Amazon's signature. Version 1 signatures use SHA-1 and are rejected.
    async fn verify(&self, message: &Envelope, now: DateTime<Utc>) -> Result<(), Fault> {
        if message.signature_version != "2" || !self.is_certificate(&message.certificate) {
            return Err(forged());
        }
        let signature = BASE64_STANDARD.decode(&message.signature);
        let signature = signature.map_err(|_| forged())?;
        let certificate = self.certificate(&message.certificate).await?;
        require_valid(&certificate, now)?;
        let certificate = EndEntityCert::try_from(&certificate).map_err(|_| forged())?;
        certificate
            .verify_is_valid_for_subject_name(&self.name)
            .map_err(|_| forged())?;
        let signed = signed_text(message);
        certificate
            .verify_signature(RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &signature)
            .map_err(|_| forged())
    }

    /// Whether a URL belongs to SNS in the topic's region.
    fn is_own(&self, url: &str) -> bool {
        let path = url.strip_prefix(&self.base);
        path.is_some_and(|path| path.starts_with('/'))
    }

    /// Whether a URL is the address of an SNS certificate in the topic's region.
    fn is_certificate(&self, url: &str) -> bool {
        let path = url.strip_prefix(&self.base);
        let name = path.and_then(|path| path.strip_prefix(CERTIFICATE)?.strip_suffix(".pem"));
        name.is_some_and(|name| {
            (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    }

    fn known(&self, url: &str) -> Option<CertificateDer<'static>> {
        let kept = self.certificates.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().find(|(known, _)| known == url);
        known.map(|(_, certificate)| certificate.clone())
    }

    /// Returns a certificate, which is fetched once.
    async fn certificate(&self, url: &str) -> Result<CertificateDer<'static>, Fault> {
        if let Some(certificate) = self.known(url) {
            return Ok(certificate);
        }
        let place = self.fetches.place()?;
        let _turn = place.turn().await?;
        // Another message may have fetched the certificate in the meantime.
        if let Some(certificate) = self.known(url) {
            return Ok(certificate);
        }
        let (status, text) = self.client.get_text(url).await?;
        if !status.is_success() {
            let message = format!("SNS answered {status} for its certificate");
            return Err(Fault::new(Code::Unavailable, message));
        }
        let certificate = CertificateDer::from_pem_slice(text.as_bytes()).map_err(|_| forged())?;
        let kept = self.certificates.lock();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((url.to_owned(), certificate.clone()));
        Ok(certificate)
    }

    async fn confirm(&self, url: &str) -> Result<Vec<Reported>, Fault> {
        if !self.is_own(url) {
            return Err(forged());
        }
        let (status, _) = self.client.get_text(url).await?;
        if status.is_success() {
            tracing::info!(topic = self.arn, "the topic of SNS is confirmed");
            return Ok(Vec::new());
        }
        let message = format!("SNS answered {status} to the confirmation of its topic");
        Err(Fault::new(Code::Unavailable, message))
    }
}

/// Fails unless a certificate is valid now.
fn require_valid(certificate: &CertificateDer<'_>, now: DateTime<Utc>) -> Result<(), Fault> {
    let (_, parsed) = parse_x509_certificate(certificate).map_err(|_| forged())?;
    let now = ASN1Time::from_timestamp(now.timestamp()).map_err(|_| forged())?;
    parsed
        .validity()
        .is_valid_at(now)
        .then_some(())
        .ok_or_else(forged)
}

/// Returns the signed text: names and values, one per line.
fn signed_text(message: &Envelope) -> String {
    let subject = message.subject.as_deref();
    let is_notification = message.r#type == "Notification";
    let other = |text: &'_ str| (!is_notification).then(|| text.to_owned());
    let fields = [
        ("Message", Some(message.message.clone())),
        ("MessageId", Some(message.message_id.clone())),
        (
            "Subject",
            subject.filter(|_| is_notification).map(str::to_owned),
        ),
        ("SubscribeURL", other(&message.subscribe)),
        ("Timestamp", Some(message.timestamp.clone())),
        ("Token", other(&message.token)),
        ("TopicArn", Some(message.topic_arn.clone())),
        ("Type", Some(message.r#type.clone())),
    ];
    let fields = fields.into_iter();
    fields
        .filter_map(|(name, value)| value.map(|value| format!("{name}\n{value}\n")))
        .collect()
}

fn is_fresh(at: &str, now: DateTime<Utc>) -> bool {
    at.parse::<DateTime<Utc>>()
        .is_ok_and(|at| (now - at).abs() <= FRESH)
}

/// An SES report, as a notification or as an event of a configuration set.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ses {
    #[serde(alias = "eventType")]
    notification_type: String,
    bounce: Option<Bounce>,
    complaint: Option<Complaint>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bounce {
    bounce_type: String,
    bounced_recipients: Vec<Recipient>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Complaint {
    complained_recipients: Vec<Recipient>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipient {
    email_address: String,
}

fn events(message: &str) -> Vec<Reported> {
    // A topic may contain other messages; SES itself sends a message that is not JSON.
    let Ok(Ses {
        notification_type,
        bounce,
        complaint,
    }) = serde_json::from_str(message)
    else {
        return Vec::new();
    };
    let (event, recipients) = match (notification_type.as_str(), bounce, complaint) {
        ("Bounce", Some(bounce), _) if bounce.bounce_type == "Permanent" => {
            (Event::Bounced, bounce.bounced_recipients)
        }
        ("Complaint", _, Some(complaint)) => (Event::Complained, complaint.complained_recipients),
        _ => return Vec::new(),
    };
    let recipients = recipients.into_iter().take(MAX);
    recipients
        .map(|recipient| Reported {
            email: recipient.email_address,
            event,
        })
        .collect()
}
