//! A mailer that uses an SMTP server (RFC 5321).

mod connection;
mod domains;

use std::{
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::sync::Semaphore;

use self::{
    connection::{Connection, Server},
    domains::{Domains, SLOW},
};
use super::{
    letter::Letter,
    mailer::{Mailer, Reply, Undelivered},
    settings::Settings,
};
use crate::error::{Code, Fault};

/// The timeout for sending one letter, which occupies a worker.
const AT_MOST: Duration = Duration::from_secs(30);
/// Connections idle for longer are closed; servers also close them (RFC 5321, section 4.5.3.2.7).
const IDLE: Duration = Duration::from_secs(30);

/// Sends letters to an SMTP server. Connections are kept for a while, so that the next letter can reuse them.
#[derive(Debug, Clone)]
pub struct SmtpMailer {
    server: Arc<Server>,
    /// Limits the number of letters sent concurrently.
    slots: Arc<Semaphore>,
    domains: Arc<Domains>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl SmtpMailer {
    /// A mailer to the configured server; it connects when the first letter is sent.
    pub fn new(settings: &Settings) -> Result<Self, Fault> {
        let connections = settings.connections.get().into();
        Ok(Self {
            server: Arc::new(Server::new(settings)?),
            slots: Arc::new(Semaphore::new(connections)),
            domains: Arc::new(Domains::new(connections)),
            idle: Arc::default(),
        })
    }

    /// Connects to the server and signs in, without sending anything.
    pub async fn check(&self) -> Result<(), Fault> {
        let connection = self.server.connect().await;
        let connection = connection
            .map_err(|undelivered| Fault::new(Code::Unavailable, undelivered.to_string()))?;
        self.keep(connection);
        Ok(())
    }

    async fn hand_over(&self, letter: &Letter) -> Result<Reply, Undelivered> {
        while let Some(connection) = self.last_used() {
            // The server may have closed an idle connection. In that case the letter has not been sent, and the next
            // connection is tried.
            match self.announce(connection, letter).await {
                Err(Undelivered::Away(_)) => {}
                Err(Undelivered::Later(reply)) if reply.code == 0 => {}
                announced => return self.deliver(announced?, letter).await,
            }
        }
        let connection = self.server.connect().await?;
        let announced = self.announce(connection, letter).await?;
        self.deliver(announced, letter).await
    }

    async fn announce(
        &self,
        mut connection: Connection,
        letter: &Letter,
    ) -> Result<Connection, Undelivered> {
        match connection.announce(&letter.envelope).await {
            Ok(()) => Ok(connection),
            Err(undelivered) => {
                // A refusal of this letter does not affect the next.
                if has_replied(&undelivered) && connection.reset().await {
                    self.keep(connection);
                }
                Err(undelivered)
            }
        }
    }

    async fn deliver(
        &self,
        mut connection: Connection,
        letter: &Letter,
    ) -> Result<Reply, Undelivered> {
        let delivered = connection.deliver(&letter.content).await;
        if delivered.as_ref().err().is_none_or(has_replied) {
            self.keep(connection);
        }
        delivered
    }

    fn last_used(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|one| one.rests() < IDLE);
        idle.pop()
    }

    fn keep(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(connection);
    }
}

/// Whether the server has replied and keeps the connection open.
fn has_replied(undelivered: &Undelivered) -> bool {
    match undelivered {
        Undelivered::Away(_) => false,
        Undelivered::Later(reply) => reply.code != 0,
        Undelivered::Refused(_) => true,
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, letter: &Letter) -> Result<Reply, Undelivered> {
        let domain = letter.domain();
        let Some(_turn) = self.domains.turn(&domain).await else {
            let why = "letters to its domain take long; others are sent first";
            return Err(Undelivered::Later(Reply::none(why)));
        };
        let slot = self.slots.acquire().await;
        let _slot = slot.map_err(|_| Undelivered::Away("the mailer is closed".to_owned()))?;
        let mut sending = pin!(tokio::time::timeout(AT_MOST, self.hand_over(letter)));
        let sent = if let Ok(sent) = tokio::time::timeout(SLOW, &mut sending).await {
            self.domains.note_fast(&domain);
            sent
        } else {
            self.domains.note_slow(&domain);
            sending.await
        };
        let late = || Err(Undelivered::Later(Reply::none("the letter took too long")));
        match sent.unwrap_or_else(|_| late()) {
            // The letter is the cause only if the server still accepts connections.
            Err(Undelivered::Later(reply)) if reply.code == 0 => {
                self.keep(self.server.connect().await?);
                Err(Undelivered::Later(reply))
            }
            sent => sent,
        }
    }
}
