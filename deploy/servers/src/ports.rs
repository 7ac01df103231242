//! Ports on this machine.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    ops::Range,
    sync::atomic::{AtomicU16, Ordering},
    time::Duration,
};

use anyhow::bail;

/// Below the ephemeral ports, so that no outgoing connection holds a server's port when it starts or
/// restarts.
const OURS: Range<u16> = 12_000..20_000;

/// A port that is free at this moment and that this process has not returned before.
pub fn free() -> anyhow::Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Parallel runs begin at different ports.
    let begin = u16::try_from(std::process::id() % 400).unwrap_or_default() * 20;
    for _ in OURS {
        let step = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(begin);
        let port = OURS.start + step % (OURS.end - OURS.start);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!(
        "no free port was found between {} and {}",
        OURS.start,
        OURS.end
    )
}

/// Fails, saying what to do, if the port cannot be bound.
pub fn require(port: u16) -> anyhow::Result<()> {
    if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        if error.kind() == std::io::ErrorKind::AddrInUse {
            bail!("port {port} is taken by another program; choose another with --port");
        }
        bail!("port {port} cannot be used: {error}");
    }
    Ok(())
}

/// Whether `GET path` answers 200 within a moment. A few lines of HTTP/1.1 instead of a client library.
#[must_use]
pub fn answers(port: u16, path: &str) -> bool {
    let timeout = Duration::from_secs(2);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, timeout)?;
        stream.set_read_timeout(Some(timeout))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"
        )?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(status.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}
