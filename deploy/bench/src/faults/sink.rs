//! An SMTP server without TLS: it accepts all mail, except that recipients in one domain get no reply.

use std::{
    collections::HashSet,
    io,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

type Recipients = Arc<Mutex<HashSet<String>>>;

/// The running server, and the recipients of the accepted mail.
pub(super) struct Sink {
    received: Recipients,
    listening: JoinHandle<()>,
}

impl Sink {
    /// Listens on a port of this machine.
    pub(super) async fn start(port: u16, silent: &'static str) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        Ok(Self::on(listener, silent))
    }

    fn on(listener: TcpListener, silent: &'static str) -> Self {
        let received = Recipients::default();
        let accepted = Arc::clone(&received);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client may close its connection at any time.
                tokio::spawn(session(stream, Arc::clone(&accepted), silent));
            }
        });
        Self {
            received,
            listening,
        }
    }

    pub(super) fn has_received(&self, to: &str) -> bool {
        let received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        received.contains(to)
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn session(stream: TcpStream, received: Recipients, silent: &str) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 sink\r\n").await?;
    let (mut line, mut to) = (String::new(), String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let reply = match line.get(..4).unwrap_or_default() {
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                if to.ends_with(silent) {
                    std::future::pending::<()>().await;
                }
                "250 recipient"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                while line != ".\r\n" {
                    line.clear();
                    if stream.read_line(&mut line).await? == 0 {
                        return Ok(());
                    }
                }
                let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
                received.insert(to.clone());
                "250 taken"
            }
            "QUIT" => return stream.write_all(b"221 bye\r\n").await,
            _ => "250 sink",
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn mail_is_accepted_for_its_recipients() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let sink = Sink::on(listener, "silent.example");
        let mut client = TcpStream::connect(address).await.expect("listens");
        let dialogue = "EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\nHello.\r\n.\r\nQUIT\r\n";
        client.write_all(dialogue.as_bytes()).await.expect("reads");
        let mut replies = String::new();
        client.read_to_string(&mut replies).await.expect("answers");
        assert!(
            replies.ends_with("354 go on\r\n250 taken\r\n221 bye\r\n"),
            "{replies}"
        );
        assert!(sink.has_received("c@d.example"));
        assert!(!sink.has_received("a@b.example"));
    }
}
