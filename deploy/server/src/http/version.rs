//! Detects a client's HTTP version.

use std::{io, time::Duration};

use tokio::net::TcpStream;

/// First bytes of a client that starts with HTTP/2 (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0";
/// Pause before a partial preface is checked again, as no event reports the arrival of further bytes.
const PAUSE: Duration = Duration::from_millis(10);

/// Whether the client's first bytes are the HTTP/2 preface. The bytes remain unread.
pub(super) async fn is_http2(stream: &TcpStream) -> io::Result<bool> {
    let mut begin = [0; PREFACE.len()];
    loop {
        let length = stream.peek(&mut begin).await?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if begin[..length] != PREFACE[..length] {
            return Ok(false);
        }
        if length == PREFACE.len() {
            return Ok(true);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
