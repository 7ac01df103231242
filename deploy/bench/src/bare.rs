//! A reference: an axum handler that answers with fixed bytes and a fixed status.

use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
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

use crate::{
    cpu::Of,
    harness::Turn,
    load::{self, Requests},
};

/// The reference's name in the table of results.
pub(crate) const BARE: &str = "bare handler, same bytes";

/// Serves the bytes of a file with a status until it is killed; its first output line is the port.
pub(crate) async fn serve(body: &Path, status: u16) -> anyhow::Result<()> {
    let body = Bytes::from(std::fs::read(body)?);
    let status = StatusCode::from_u16(status)?;
    let answer = move || std::future::ready((status, [(CONTENT_TYPE, "application/json")], body));
    let router = Router::new().fallback(get(answer));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(stdout(), "{}", listener.local_addr()?.port())?;
    let listener = listener.tap_io(|connection| {
        // This fails if the connection is already closed.
        let _ = connection.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    Ok(())
}

/// A bare server in a child process, stopped on drop.
#[derive(Debug)]
pub(crate) struct Bare {
    child: Child,
    pub(crate) address: String,
    body: PathBuf,
}

impl Bare {
    pub(crate) async fn start(body: &[u8], status: u16) -> anyhow::Result<Self> {
        let file = std::env::temp_dir().join(format!("cityguide-bare-{}", std::process::id()));
        std::fs::write(&file, body)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare").arg(&file).arg(status.to_string());
        let mut child = command.stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
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
        })
    }

    /// Starts a server that answers with the body of the site's response to this request.
    pub(crate) async fn like(site: &str, request: &[u8]) -> anyhow::Result<Self> {
        Self::start(&load::fetch(site, request).await?.body, 200).await
    }

    /// Measures the server's rate under the same load as the site.
    pub(crate) async fn rate(
        &self,
        requests: &Arc<Requests>,
        turn: Duration,
    ) -> anyhow::Result<Turn> {
        let id = self.child.id().context("the bare server has ended")?;
        load::rate(&self.address, Of::Process(id), requests, turn).await
    }

    /// Measures the server's times for the same requests.
    pub(crate) async fn times(&self, requests: &[Vec<u8>]) -> anyhow::Result<Turn> {
        let id = self.child.id().context("the bare server has ended")?;
        load::times(&self.address, Of::Process(id), requests).await
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // The file may have been removed already.
        let _ = std::fs::remove_file(&self.body);
    }
}
