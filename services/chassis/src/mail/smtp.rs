//! An SMTP server (RFC 5321) that takes the site's mail.

use std::time::Duration;

use async_trait::async_trait;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    transport::smtp::{
        self, PoolConfig,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};

use super::{
    letter::Letter,
    mailer::{Mailer, Reply, Undelivered},
    settings::{Security, Settings},
};
use crate::error::{Code, Fault};

/// The timeout of each answer of the server.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of a letter as a whole, for which its worker holds it.
const AT_MOST: Duration = Duration::from_secs(30);

/// Hands letters to an SMTP server. Connections are kept for a while, so that a letter soon after another
/// needs no new one.
#[derive(Debug, Clone)]
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
}

impl SmtpMailer {
    /// A mailer to the server in the settings; it connects when the first letter comes.
    pub fn new(settings: &Settings) -> Result<Self, Fault> {
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
            .port(settings.port)
            .timeout(Some(TIMEOUT))
            .pool_config(PoolConfig::new().max_size(settings.connections.get().into()))
            .tls(tls(settings)?);
        if !settings.user.is_empty() {
            let (user, password) = (settings.user.clone(), settings.password.clone());
            builder = builder.credentials(Credentials::new(user, password));
        }
        Ok(Self {
            transport: builder.build(),
        })
    }

    async fn hand_over(&self, letter: &Letter) -> Result<(), Undelivered> {
        // A failure to connect or to sign in says nothing about the letter.
        match self.transport.test_connection().await {
            Ok(true) => {}
            Ok(false) => return Err(Undelivered::Away("the server hung up".to_owned())),
            Err(error) => return Err(Undelivered::Away(error.to_string())),
        }
        let sent = self.transport.send_raw(&letter.envelope, &letter.content);
        sent.await.map(drop).map_err(|error| why(&error))
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, letter: &Letter) -> Result<(), Undelivered> {
        let sent = tokio::time::timeout(AT_MOST, self.hand_over(letter)).await;
        sent.unwrap_or_else(|_| Err(Undelivered::Away("the server is too slow".to_owned())))
    }
}

fn tls(settings: &Settings) -> Result<Tls, Fault> {
    let invalid = |error: &smtp::Error| {
        let message = format!("settings: mail.ca or mail.host is not valid: {error}");
        Fault::new(Code::Invalid, message)
    };
    let mut parameters = TlsParameters::builder(settings.host.clone());
    if !settings.ca.is_empty() {
        let authority = Certificate::from_pem(settings.ca.as_bytes()).map_err(|e| invalid(&e))?;
        parameters = parameters.add_root_certificate(authority);
    }
    let parameters = parameters.build_rustls().map_err(|error| invalid(&error))?;
    Ok(match settings.security {
        Security::Starttls => Tls::Required(parameters),
        Security::Tls => Tls::Wrapper(parameters),
        Security::None => Tls::None,
    })
}

/// The meaning of an error for the letter. If the server does not understand us or wants us to sign in first
/// (500 to 504, 530 to 538), or is closing (421), the letter is not the cause.
fn why(error: &smtp::Error) -> Undelivered {
    let Some(code) = error.status().map(u16::from) else {
        return Undelivered::Away(error.to_string());
    };
    let reply = Reply {
        code,
        words: error.to_string(),
    };
    match code {
        421 | 500..=504 | 530..=538 => Undelivered::Away(format!("the server said {code}")),
        500.. => Undelivered::Refused(reply),
        _ => Undelivered::Later(reply),
    }
}
