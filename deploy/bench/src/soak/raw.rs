//! Connections as strangers hold them: bytes that no client library would send.

use std::time::Duration;

use anyhow::Context;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{Visit, tally::CLOSED};

impl Visit {
    /// Sends bytes to an address, in parts with pauses, and counts the status of the first answer.
    pub(super) async fn send(
        &self,
        address: &str,
        parts: &[&[u8]],
        pause: Duration,
        expected: &[u16],
    ) -> anyhow::Result<()> {
        let mut stream = connect(address).await?;
        for part in parts {
            // The site may have closed the connection already.
            if stream.write_all(part).await.is_err() {
                break;
            }
            tokio::time::sleep(pause).await;
        }
        let answered = timeout(super::LET_GO_WITHIN, status(&mut stream)).await;
        let status = answered.context("the site neither answers nor closes")?;
        let line = parts
            .first()
            .map(|part| first_line(part))
            .unwrap_or_default();
        self.load.tally.note(self.kind, status, expected, &line);
        Ok(())
    }
}

pub(super) async fn connect(address: &str) -> anyhow::Result<TcpStream> {
    let connecting = timeout(super::PATIENCE, TcpStream::connect(address)).await;
    let stream = connecting.context("a connection is not accepted")??;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The status of the answer that comes next; a reset counts as closed.
async fn status(stream: &mut TcpStream) -> u16 {
    let mut read = Vec::new();
    let mut some = [0; 1024];
    while read.len() < 12 {
        match stream.read(&mut some).await {
            Ok(length @ 1..) => read.extend_from_slice(&some[..length]),
            Ok(0) | Err(_) => return CLOSED,
        }
    }
    let status = read
        .get(9..12)
        .and_then(|text| std::str::from_utf8(text).ok());
    status.and_then(|text| text.parse().ok()).unwrap_or(CLOSED)
}

fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
    text.lines().next().unwrap_or_default().to_owned()
}
