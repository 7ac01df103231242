//! A stand-in for an external SMTP server. It accepts mail over real connections, with or without TLS, and sends
//! configurable replies.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use crate::certificates::TestAuthority;

/// Encryption of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Unencrypted.
    Clear,
    /// Unencrypted until STARTTLS, which is required before mail.
    Starttls,
    /// TLS only.
    Tls,
}

/// A received email.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Sender and recipient of the envelope.
    pub envelope: (String, String),
    /// Headers and body.
    pub content: String,
}

#[derive(Default)]
struct Said {
    received: Vec<Received>,
    /// Reply to messages, if they are refused.
    refusal: Option<String>,
    /// Reply to recipients, if they are refused.
    no_recipient: Option<String>,
    /// Reply to senders, if they are refused.
    no_sender: Option<String>,
    /// Whether DATA is accepted after a refused recipient.
    accepts_data: bool,
    /// Whether connections are closed after each message.
    hangs_up: bool,
    /// Domains whose recipients get no reply, and domains for whose recipients the connection is closed.
    silent_for: Vec<String>,
    closes_for: Vec<String>,
    greetings: usize,
}

/// A running stand-in for an SMTP server.
pub struct SmtpServer {
    address: SocketAddr,
    said: Arc<Mutex<Said>>,
    listening: JoinHandle<()>,
}

impl std::fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpServer")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// State shared by connections.
#[derive(Clone)]
struct Rules {
    offer: Offer,
    /// Credentials in the form of AUTH PLAIN; `None` if no authentication is needed.
    login: Option<String>,
    tls: TlsAcceptor,
    said: Arc<Mutex<Said>>,
}

impl SmtpServer {
    /// Starts a server on a free port, with a certificate for 127.0.0.1. `login` is the base64 value that AUTH PLAIN
    /// must contain.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start(offer: Offer, authority: &TestAuthority, login: Option<&str>) -> Self {
        Self::start_at(([127, 0, 0, 1], 0).into(), offer, authority, login).await
    }

    /// Starts a server on an address, as after a restart.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start_at(
        address: SocketAddr,
        offer: Offer,
        authority: &TestAuthority,
        login: Option<&str>,
    ) -> Self {
        let said = Arc::new(Mutex::new(Said::default()));
        let rules = Rules {
            offer,
            login: login.map(str::to_owned),
            tls: acceptor(authority),
            said: Arc::clone(&said),
        };
        let listener = TcpListener::bind(address)
            .await
            .unwrap_or_else(|error| panic!("{address}: {error}"));
        let address = listener
            .local_addr()
            .unwrap_or_else(|error| panic!("an address: {error}"));
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A closed connection is not a failure.
                tokio::spawn(connection(stream, rules.clone()));
            }
        });
        Self {
            address,
            said,
            listening,
        }
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the accepted emails.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        lock(&self.said).received.clone()
    }

    /// Returns the number of connections so far.
    #[must_use]
    pub fn greetings(&self) -> usize {
        lock(&self.said).greetings
    }

    /// Refuses messages with this reply from now on, or accepts them with `None`.
    pub fn refuse_with(&self, refusal: Option<&str>) {
        lock(&self.said).refusal = refusal.map(str::to_owned);
    }

    /// Refuses recipients with this reply from now on, or accepts them with `None`.
    pub fn refuse_recipients_with(&self, refusal: Option<&str>) {
        lock(&self.said).no_recipient = refusal.map(str::to_owned);
    }

    /// Refuses senders with this reply from now on, or accepts them with `None`.
    pub fn refuse_senders_with(&self, refusal: Option<&str>) {
        lock(&self.said).no_sender = refusal.map(str::to_owned);
    }

    /// Accepts DATA after a refused recipient from now on, and refuses the content (RFC 2920, 3.1).
    pub fn accept_data_always(&self) {
        lock(&self.said).accepts_data = true;
    }

    /// Sets whether connections are closed after each message.
    pub fn hang_up(&self, hangs_up: bool) {
        lock(&self.said).hangs_up = hangs_up;
    }

    /// Sends no reply to recipients in this domain from now on.
    pub fn be_silent_for(&self, domain: &str) {
        lock(&self.said).silent_for.push(domain.to_owned());
    }

    /// Closes the connection instead of replying to recipients in this domain from now on.
    pub fn close_for(&self, domain: &str) {
        lock(&self.said).closes_for.push(domain.to_owned());
    }

    /// Stops listening.
    pub fn stop(&self) {
        self.listening.abort();
    }
}

fn lock(said: &Mutex<Said>) -> std::sync::MutexGuard<'_, Said> {
    said.lock().unwrap_or_else(PoisonError::into_inner)
}

fn acceptor(authority: &TestAuthority) -> TlsAcceptor {
    let process = authority.process(&["127.0.0.1"]);
    let certificate = CertificateDer::from_pem_slice(process.certificate.as_bytes())
        .unwrap_or_else(|error| panic!("a certificate: {error}"));
    let key = PrivateKeyDer::from_pem_slice(process.key.as_bytes())
        .unwrap_or_else(|error| panic!("a key: {error}"));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder
                .with_no_client_auth()
                .with_single_cert(vec![certificate], key)
        })
        .unwrap_or_else(|error| panic!("TLS: {error}"));
    TlsAcceptor::from(Arc::new(config))
}

async fn connection(stream: TcpStream, rules: Rules) -> io::Result<()> {
    lock(&rules.said).greetings += 1;
    if rules.offer == Offer::Tls {
        let stream = rules.tls.accept(stream).await?;
        return Session::new(stream, &rules, true).run(true).await.map(drop);
    }
    let plain = Session::new(stream, &rules, false).run(true).await?;
    if let Some(stream) = plain {
        let stream = rules.tls.accept(stream).await?;
        Session::new(stream, &rules, true).run(false).await?;
    }
    Ok(())
}

struct Session<'a, S> {
    stream: BufReader<S>,
    rules: &'a Rules,
    is_secret: bool,
    is_signed_in: bool,
    from: String,
    to: String,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Session<'a, S> {
    fn new(stream: S, rules: &'a Rules, is_secret: bool) -> Self {
        Self {
            stream: BufReader::new(stream),
            rules,
            is_secret,
            is_signed_in: rules.login.is_none(),
            from: String::new(),
            to: String::new(),
        }
    }

    async fn say(&mut self, reply: &str) -> io::Result<()> {
        self.stream
            .write_all(format!("{reply}\r\n").as_bytes())
            .await?;
        self.stream.flush().await
    }

    /// Runs until the client disconnects; returns the connection if it requests TLS.
    async fn run(mut self, greets: bool) -> io::Result<Option<S>> {
        if greets {
            self.say("220 stand-in").await?;
        }
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Ok(None);
            }
            let command = line.trim_end();
            let verb = command.split([' ', ':']).next().unwrap_or_default();
            let may_mail =
                self.is_signed_in && (self.is_secret || self.rules.offer == Offer::Clear);
            match verb.to_uppercase().as_str() {
                "EHLO" if self.is_secret || self.rules.offer == Offer::Clear => {
                    // Some servers support pipelining and others do not.
                    let more = if self.is_secret {
                        ""
                    } else {
                        "250-PIPELINING\r\n"
                    };
                    self.say(&format!("250-stand-in\r\n{more}250 AUTH PLAIN"))
                        .await?;
                }
                "EHLO" => self.say("250-stand-in\r\n250 STARTTLS").await?,
                "STARTTLS" => {
                    self.say("220 go on").await?;
                    return Ok(Some(self.stream.into_inner()));
                }
                "AUTH" => {
                    let given = command.rsplit(' ').next();
                    self.is_signed_in = given == self.rules.login.as_deref();
                    let reply = if self.is_signed_in {
                        "235 welcome"
                    } else {
                        "535 5.7.8 no"
                    };
                    self.say(reply).await?;
                }
                "MAIL" if may_mail => {
                    self.from = path(command);
                    let refusal = lock(&self.rules.said).no_sender.clone();
                    self.say(refusal.as_deref().unwrap_or("250 from")).await?;
                }
                "MAIL" => self.say("530 5.7.0 not like this").await?,
                "RCPT" if self.is_in(command, |said| &said.closes_for) => return Ok(None),
                "RCPT" if self.is_in(command, |said| &said.silent_for) => {
                    std::future::pending::<()>().await;
                }
                "RCPT" => {
                    let refusal = lock(&self.rules.said).no_recipient.clone();
                    self.to = if refusal.is_none() {
                        path(command)
                    } else {
                        String::new()
                    };
                    self.say(refusal.as_deref().unwrap_or("250 to")).await?;
                }
                "DATA" if self.to.is_empty() && !lock(&self.rules.said).accepts_data => {
                    self.say("503 5.5.1 no recipient").await?;
                }
                "DATA" => {
                    self.take().await?;
                    if lock(&self.rules.said).hangs_up {
                        return Ok(None);
                    }
                }
                "QUIT" => {
                    self.say("221 bye").await?;
                    return Ok(None);
                }
                "NOOP" | "RSET" => self.say("250 well").await?,
                _ => self.say("500 what?").await?,
            }
        }
    }

    /// Whether the recipient's domain is one of these.
    fn is_in(&self, command: &str, domains: impl Fn(&Said) -> &Vec<String>) -> bool {
        let to = path(command);
        let domain = to.rsplit('@').next().unwrap_or_default();
        domains(&lock(&self.rules.said))
            .iter()
            .any(|one| one == domain)
    }

    async fn take(&mut self) -> io::Result<()> {
        self.say("354 go on").await?;
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n.\r\n") {
            bytes.push(self.stream.read_u8().await?);
        }
        bytes.truncate(bytes.len() - 3);
        let content = String::from_utf8_lossy(&bytes).replace("\r\n..", "\r\n.");
        let refusal = {
            let mut said = lock(&self.rules.said);
            if self.to.is_empty() {
                Some("554 5.5.1 no valid recipients".to_owned())
            } else if said.refusal.is_none() {
                said.received.push(Received {
                    envelope: (self.from.clone(), self.to.clone()),
                    content,
                });
                None
            } else {
                said.refusal.clone()
            }
        };
        self.say(refusal.as_deref().unwrap_or("250 taken")).await
    }
}

/// Returns the address between the angle brackets of a command.
fn path(command: &str) -> String {
    let path = command.split(['<', '>']).nth(1);
    path.unwrap_or_default().to_owned()
}
