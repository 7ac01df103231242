//! The service's process, as those who call it see it.

use std::{process::Stdio, sync::Arc};

use anyhow::{Context, ensure};
use chassis::{
    call::CallerTokens,
    clock::Clock as _,
    keys::Keys,
    rpc::{self, Outgoing, Transport},
};
use cityguide_proto::ads::v1::delivery_client::DeliveryClient;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use super::{Service, TIMEOUT, clock::SetClock};

pub(super) type Client = DeliveryClient<Transport>;

/// A running service.
pub(super) struct Program {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    pub(super) client: Client,
}

impl Program {
    /// Starts it at the clock's instant, and waits until it answers.
    pub(super) async fn start(service: &Service, clock: &Arc<SetClock>) -> anyhow::Result<Self> {
        let mut command = Command::new(&service.program);
        command.envs(service.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn()?;
        let mut input = child.stdin.take().context("an input")?;
        input.write_all(line(clock).as_bytes()).await?;
        let output = child.stdout.take().context("an output")?;
        let mut output = BufReader::new(output).lines();
        let port = output.next_line().await?;
        let port: u16 = port.context("the service did not start")?.parse()?;
        let outgoing = Outgoing {
            tokens: CallerTokens::new(Keys::parse(&service.key)?, clock.clone()),
            read_timeout: TIMEOUT,
        };
        let transport = rpc::remote("ads", &format!("http://127.0.0.1:{port}"), None, outgoing)?;
        Ok(Self {
            child,
            input,
            output,
            client: DeliveryClient::new(transport),
        })
    }

    /// Sets its clock.
    pub(super) async fn set(&mut self, clock: &SetClock) -> anyhow::Result<()> {
        self.input.write_all(line(clock).as_bytes()).await?;
        let said = self.output.next_line().await?;
        ensure!(said.as_deref() == Some("set"), "the service has ended");
        Ok(())
    }

    /// Ends it in the middle of whatever it does.
    pub(super) async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("the service had ended")
    }
}

fn line(clock: &SetClock) -> String {
    format!("{}\n", clock.now().timestamp_millis())
}
