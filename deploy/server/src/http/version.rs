//! Which version of HTTP a client begins with.

use std::{io, time::Duration};

use tokio::net::TcpStream;

/// The begin of a client's first bytes if it speaks HTTP/2 without asking (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0";
/// The pause before a preface that has come in part is looked at again: no event tells of the rest.
const PAUSE: Duration = Duration::from_millis(10);

/// Whether the client's first bytes are HTTP/2's preface. They stay unread.
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
