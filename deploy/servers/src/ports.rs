//! Ports on this machine.

use std::{
    fs::{self, File, TryLockError},
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use anyhow::bail;

/// Below the ephemeral ports, so that no outgoing connection uses a server's port when the server starts or restarts.
const OURS: Range<u16> = 12_000..32_000;

/// Returns a free port, which other processes of this user do not receive while this process runs, so that a server on
/// it can be killed and restarted.
pub fn free() -> anyhow::Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Parallel runs begin at different ports.
    let begin = u16::try_from(std::process::id() % 400).unwrap_or_default() * 50;
    for _ in OURS {
        let step = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(begin);
        let port = OURS.start + step % (OURS.end - OURS.start);
        if is_ours(port) && TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!(
        "no free port was found between {} and {}",
        OURS.start,
        OURS.end
    )
}

/// Locks a port against other processes that search for a port, until this process ends. If locking fails, for example
/// in another user's folder, ports are used without locks.
fn is_ours(port: u16) -> bool {
    static LOCKS: Mutex<Vec<File>> = Mutex::new(Vec::new());
    let folder = std::env::temp_dir().join("cityguide-ports");
    let lock = fs::create_dir_all(&folder).and_then(|()| {
        let name = folder.join(port.to_string());
        File::options().create(true).append(true).open(name)
    });
    let Ok(lock) = lock else { return true };
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        return false;
    }
    LOCKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(lock);
    true
}

/// Fails with advice if the port cannot be bound.
pub fn require(port: u16) -> anyhow::Result<()> {
    if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        if error.kind() == std::io::ErrorKind::AddrInUse {
            bail!("port {port} is taken by another program; choose another with --port");
        }
        bail!("port {port} cannot be used: {error}");
    }
    Ok(())
}

/// Whether `GET path` returns 200 within two seconds; a few lines of HTTP/1.1 instead of a client library.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_stays_ours_while_nothing_listens_there() {
        let port = free().expect("a port");
        let name = std::env::temp_dir().join(format!("cityguide-ports/{port}"));
        let other = File::options().append(true).open(name).expect("a lock");
        assert!(matches!(other.try_lock(), Err(TryLockError::WouldBlock)));
        assert_ne!(free().expect("another"), port);
    }
}
