//! A connection to an SMTP server.

use std::{fmt, time::Duration};

use lettre::address::Envelope;
use mail_send::{Credentials, Error, SmtpClient, SmtpClientBuilder, smtp::AssertReply};
use smtp_proto::{EXT_PIPELINING, EXT_SMTP_UTF8, EXT_START_TLS, EhloResponse, Response};
use tokio::{
    io::{AsyncRead, AsyncWrite, BufWriter},
    net::TcpStream,
    time::Instant,
};
use tokio_rustls::TlsConnector;

use super::super::{
    mailer::{Reply, Undelivered},
    settings::{Security, Settings},
};
use crate::{error::Fault, server_tls};

/// The timeout of each reply of the server.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The size of the write buffer, in bytes.
const BUFFER: usize = 32 * 1024;

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

type Client = SmtpClient<BufWriter<Box<dyn Stream>>>;

/// The server's address and login.
pub(super) struct Server {
    host: String,
    port: u16,
    security: Security,
    tls: TlsConnector,
    login: Option<Credentials<String>>,
    /// This host's name, sent in the greeting.
    name: String,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("host", &self.host)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl Server {
    pub(super) fn new(settings: &Settings) -> Result<Self, Fault> {
        let tls = server_tls::client_beside_public("mail.ca", &settings.ca)?;
        let tls = TlsConnector::from(tls);
        let host = settings.host.clone();
        let builder = SmtpClientBuilder::new_with_tls_connector(host, settings.port, tls.clone());
        Ok(Self {
            host: settings.host.clone(),
            port: settings.port,
            security: settings.security,
            tls,
            login: (!settings.user.is_empty()).then(|| Credentials::Plain {
                username: settings.user.clone(),
                secret: settings.password.clone(),
            }),
            name: builder.local_host,
        })
    }

    /// Connects and signs in. A failure is unrelated to any letter.
    pub(super) async fn connect(&self) -> Result<Connection, Undelivered> {
        let connected = tokio::time::timeout(TIMEOUT, self.greet()).await;
        connected
            .unwrap_or(Err(Error::Timeout))
            .map_err(|error| Undelivered::Away(server_tls::explained(&error, "mail.ca")))
    }

    async fn greet(&self) -> Result<Connection, Error> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        // Sends the last bytes of a letter without waiting for the acknowledgement of the first.
        stream.set_nodelay(true)?;
        let mut client = SmtpClient {
            stream,
            timeout: TIMEOUT,
        };
        match self.security {
            Security::None => {
                client.read().await?.assert_positive_completion()?;
                self.sign_in(client).await
            }
            Security::Tls => {
                let mut client = client.into_tls(&self.tls, &self.host).await?;
                client.read().await?.assert_positive_completion()?;
                self.sign_in(client).await
            }
            Security::Starttls => {
                client.read().await?.assert_positive_completion()?;
                let offers = client.ehlo(&self.name).await?;
                if !offers.has_capability(EXT_START_TLS) {
                    return Err(Error::MissingStartTls);
                }
                let client = client.start_tls(&self.tls, &self.host).await?;
                self.sign_in(client).await
            }
        }
    }

    async fn sign_in<S: Stream + 'static>(
        &self,
        client: SmtpClient<S>,
    ) -> Result<Connection, Error> {
        let stream: Box<dyn Stream> = Box::new(client.stream);
        let mut client = Client {
            stream: BufWriter::with_capacity(BUFFER, stream),
            timeout: client.timeout,
        };
        let offers = client.ehlo(&self.name).await?;
        if let Some(login) = &self.login {
            client.authenticate(login, &offers).await?;
        }
        Ok(Connection::new(client, &offers))
    }
}

/// A connection over which letters can be sent one after another.
pub(super) struct Connection {
    client: Client,
    /// Whether commands can be sent without waiting for earlier replies (RFC 2920).
    pipelines: bool,
    /// Whether the server accepts non-ASCII addresses (RFC 6531).
    takes_unicode: bool,
    /// Whether the server waits for the content of a refused letter.
    awaits_content: bool,
    used_at: Instant,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("pipelines", &self.pipelines)
            .finish_non_exhaustive()
    }
}

impl Connection {
    fn new(client: Client, offers: &EhloResponse<String>) -> Self {
        Self {
            client,
            pipelines: offers.has_capability(EXT_PIPELINING),
            takes_unicode: offers.has_capability(EXT_SMTP_UTF8),
            awaits_content: false,
            used_at: Instant::now(),
        }
    }

    /// The time since the connection was last used.
    pub(super) fn rests(&self) -> Duration {
        self.used_at.elapsed()
    }

    /// Sends a letter's sender and recipients; the server then waits for the content.
    pub(super) async fn announce(&mut self, envelope: &Envelope) -> Result<(), Undelivered> {
        let from = envelope.from().map(ToString::to_string).unwrap_or_default();
        let mut commands = Vec::new();
        let is_ascii = from.is_ascii() && envelope.to().iter().all(|to| to.to_string().is_ascii());
        if !is_ascii && !self.takes_unicode {
            return Err(Undelivered::Refused(Reply {
                enhanced: [5, 6, 7],
                ..Reply::none("the server takes no address beyond ASCII")
            }));
        }
        let parameter = if is_ascii { "" } else { " SMTPUTF8" };
        commands.push(format!("MAIL FROM:<{from}>{parameter}\r\n"));
        commands.extend(envelope.to().iter().map(|to| format!("RCPT TO:<{to}>\r\n")));
        commands.push("DATA\r\n".to_owned());
        let mut answers = self.command(&commands).await.map_err(no_reply)?;
        let Some(refused) = answers.iter().position(|answer| !is_fine(answer)) else {
            return Ok(());
        };
        // A server may accept DATA although it refused every recipient (RFC 2920, section 3.1).
        self.awaits_content = answers.last().is_some_and(|last| last.code == 354);
        let answer = answers.swap_remove(refused);
        Err(if refused == 0 {
            // The MAIL command contains the site's address, so its refusal does not concern the recipient.
            away(&answer)
        } else {
            refusal(answer)
        })
    }

    /// The replies to commands, up to the first refusal if the server does not support pipelining.
    async fn command(&mut self, commands: &[String]) -> Result<Vec<Response<String>>, Error> {
        if self.pipelines {
            return self.client.cmds(commands).await;
        }
        let mut answers = Vec::new();
        for command in commands {
            let answer = self.client.cmd(command).await?;
            let goes_on = is_fine(&answer);
            answers.push(answer);
            if !goes_on {
                break;
            }
        }
        Ok(answers)
    }

    /// Sends the content of the announced letter; returns the reply of the server, which has then stored the letter.
    pub(super) async fn deliver(&mut self, content: &[u8]) -> Result<Reply, Undelivered> {
        let sending = async {
            self.client.write_message(content).await?;
            self.client.read().await
        };
        let answer = tokio::time::timeout(TIMEOUT, sending)
            .await
            .unwrap_or(Err(Error::Timeout))
            .map_err(no_reply)?;
        self.used_at = Instant::now();
        if answer.is_positive_completion() {
            Ok(reply(answer))
        } else {
            Err(refusal(answer))
        }
    }

    /// Cancels the announced letter; returns whether the connection can be reused.
    pub(super) async fn reset(&mut self) -> bool {
        // The server would read the RSET command as content.
        !self.awaits_content && self.client.rset().await.is_ok()
    }
}

/// Whether a command succeeded or the server waits for the content.
fn is_fine(answer: &Response<String>) -> bool {
    answer.is_positive_completion() || answer.code == 354
}

/// The error for a server that accepts no mail from this site. It contains only the reply's code, because the reply's
/// text may name the recipient.
fn away(answer: &Response<String>) -> Undelivered {
    Undelivered::Away(format!("the server said {}", answer.code))
}

/// The error for a server that closed the connection or fell silent after the letter had begun. A second connection
/// then shows whether the letter is the cause.
#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn no_reply(error: Error) -> Undelivered {
    Undelivered::Later(Reply::none(&error.to_string()))
}

/// Classifies the refusal of a recipient or of a letter's content. It concerns only that letter, unless the server is
/// closing the connection (421).
fn refusal(answer: Response<String>) -> Undelivered {
    match answer.code {
        421 => away(&answer),
        500.. => Undelivered::Refused(reply(answer)),
        _ => Undelivered::Later(reply(answer)),
    }
}

fn reply(answer: Response<String>) -> Reply {
    let words = match answer.esc {
        [0, ..] => answer.message,
        [class, subject, detail] => format!("{class}.{subject}.{detail} {}", answer.message),
    };
    Reply {
        code: answer.code,
        enhanced: answer.esc,
        words,
    }
}
