//! Ports on this machine.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use anyhow::{Context, bail};

/// A port nobody listens on at this moment.
pub(crate) fn free() -> anyhow::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port was found")?;
    Ok(listener.local_addr()?.port())
}

/// Fails with what to do when the port cannot be listened on.
pub(crate) fn require(port: u16) -> anyhow::Result<()> {
    if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        if error.kind() == std::io::ErrorKind::AddrInUse {
            bail!("port {port} is taken by another program; choose another with --port");
        }
        bail!("port {port} cannot be used: {error}");
    }
    Ok(())
}

/// Whether `GET path` answers 200 within a moment. A few lines of HTTP/1.1 instead of a client library.
pub(crate) fn answers(port: u16, path: &str) -> bool {
    let patience = Duration::from_secs(2);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
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
