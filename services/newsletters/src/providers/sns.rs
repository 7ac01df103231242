//! Amazon's Simple Notification Service, by which SES reports: messages of a topic, signed by a certificate of Amazon's
//! (<https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html>).

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use chassis::{
    error::{Code, Fault},
    third_party::ThirdParty,
};
use chrono::{DateTime, TimeDelta, Utc};
use rustls_pki_types::{CertificateDer, pem::PemObject};
use serde::Deserialize;
use tokio::sync::Mutex;
use webpki::{EndEntityCert, ring::RSA_PKCS1_2048_8192_SHA256};

use super::event::{Event, MAX, Reported, forged, parse};

/// How old a message may be: SNS tries to deliver one for an hour.
const FRESH: TimeDelta = TimeDelta::hours(2);
/// Certificates that are kept; Amazon signs with one for months.
const KEPT: usize = 4;

/// A topic whose messages are taken.
#[derive(Debug, Clone)]
pub(crate) struct Topic {
    arn: String,
    /// The address of SNS in the topic's region, where its certificates are too.
    base: String,
    client: ThirdParty,
    certificates: Arc<Mutex<Vec<(String, CertificateDer<'static>)>>>,
}

/// A message as SNS wraps it.
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
    /// The topic of an ARN (`arn:aws:sns:ca-central-1:123456789012:bounces`). `base` is for tests: where SNS answers.
    ///
    /// # Errors
    /// `Invalid` for what is no ARN of a topic.
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
        let base = match base {
            "" => format!("https://sns.{region}.{ending}"),
            base => base.to_owned(),
        };
        Ok(Self {
            arn: arn.to_owned(),
            base,
            client: ThirdParty::new()?,
            certificates: Arc::default(),
        })
    }

    /// The events of a message. One that asks whether the topic may send its messages here is answered.
    ///
    /// # Errors
    /// As [`super::Report::read`].
    pub(super) async fn read(
        &self,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<Vec<Reported>, Fault> {
        let message: Envelope = parse(body)?;
        if message.topic_arn != self.arn || !is_fresh(&message.timestamp, now) {
            return Err(forged());
        }
        self.verify(&message).await?;
        match message.r#type.as_str() {
            "Notification" => Ok(events(&message.message)),
            "SubscriptionConfirmation" => self.confirm(&message.subscribe).await,
            _ => Ok(Vec::new()),
        }
    }

    /// Whether the message is signed by Amazon. The first version of its signatures is made with SHA-1, and not taken.
    async fn verify(&self, message: &Envelope) -> Result<(), Fault> {
        if message.signature_version != "2" || !self.is_own(&message.certificate) {
            return Err(forged());
        }
        let signature = BASE64_STANDARD.decode(&message.signature);
        let signature = signature.map_err(|_| forged())?;
        let certificate = self.certificate(&message.certificate).await?;
        let certificate = EndEntityCert::try_from(&certificate).map_err(|_| forged())?;
        let signed = signed_text(message);
        certificate
            .verify_signature(RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &signature)
            .map_err(|_| forged())
    }

    /// Whether an address is one of SNS in the topic's region.
    fn is_own(&self, url: &str) -> bool {
        let path = url.strip_prefix(&self.base);
        path.is_some_and(|path| path.starts_with('/'))
    }

    async fn certificate(&self, url: &str) -> Result<CertificateDer<'static>, Fault> {
        // Meanwhile others wait for the same one.
        let mut kept = self.certificates.lock().await;
        if let Some((_, certificate)) = kept.iter().find(|(known, _)| known == url) {
            return Ok(certificate.clone());
        }
        let (status, text) = self.client.get_text(url).await?;
        if !status.is_success() {
            let message = format!("SNS answered {status} for its certificate");
            return Err(Fault::new(Code::Unavailable, message));
        }
        let certificate = CertificateDer::from_pem_slice(text.as_bytes()).map_err(|_| forged())?;
        if kept.len() == KEPT {
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

/// What is signed: names and values, a line each.
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

/// What SES reports, as a notification or as an event of a configuration set.
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
    // A topic may have other messages; SES itself writes one that is no JSON.
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
