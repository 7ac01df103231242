//! The reference of reads: an axum handler that does nothing but answer bytes it holds, or a status.

use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::Context;
use axum::{Router, routing::get, serve::ListenerExt};
use bytes::Bytes;
use http::{StatusCode, header::CONTENT_TYPE};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpListener,
    process::{Child, Command},
};

use crate::{cpu, figures::Figures, load};

/// Serves the bytes of a file with a status until it is killed; its first output line is the port.
pub(crate) async fn serve(body: &Path, status: u16) -> anyhow::Result<()> {
    let body = Bytes::from(std::fs::read(body)?);
    let status = StatusCode::from_u16(status)?;
    let answer = move || std::future::ready((status, [(CONTENT_TYPE, "application/json")], body));
    let router = Router::new().fallback(get(answer));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(stdout(), "{}", listener.local_addr()?.port())?;
    let listener = listener.tap_io(|connection| {
        // It fails if the connection is closed already.
        let _ = connection.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    Ok(())
}

/// A bare server beside us, stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct Bare {
    child: Child,
    address: String,
    body: PathBuf,
    status: u16,
}

impl Bare {
    pub(crate) async fn start(body: &[u8], status: u16) -> anyhow::Result<Self> {
        let file = std::env::temp_dir().join(format!("cityguide-bare-{}", std::process::id()));
        std::fs::write(&file, body)?;
        let mut child = Command::new(std::env::current_exe()?)
            .arg("bare")
            .arg(&file)
            .arg(status.to_string())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child
            .stdout
            .take()
            .context("the bare server has no output")?;
        let line = BufReader::new(stdout).lines().next_line().await?;
        let port = line.context("the bare server did not start")?;
        Ok(Self {
            child,
            address: format!("127.0.0.1:{port}"),
            body: file,
            status,
        })
    }

    /// Where it answers.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Puts the same load on it as the site gets.
    pub(crate) async fn read(
        &self,
        requests: &[Vec<u8>],
        turn: Duration,
    ) -> anyhow::Result<Figures> {
        let id = self.child.id().context("the bare server is gone")?;
        let before = cpu::of_process(id);
        let (done, seconds) = load::read_for(&self.address, requests, self.status, turn).await?;
        let used = cpu::since(&before, &cpu::of_process(id), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // The file may be gone already.
        let _ = std::fs::remove_file(&self.body);
    }
}
