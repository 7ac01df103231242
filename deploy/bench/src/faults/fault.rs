//! Making a fault, and ending it.

use std::{collections::BTreeMap, fs, process::Stdio};

use anyhow::{Context, ensure};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde::Deserialize;
use tokio::{io::AsyncWriteExt, net::TcpStream, process::Command};

/// A fault that can be made again and again.
#[derive(Debug, Deserialize)]
pub(super) struct Fault {
    /// Its name in the table.
    pub(super) name: String,
    /// What is faulty: `places`, `postgres`.
    pub(super) key: String,
    how: How,
}

/// How a fault is made.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum How {
    /// A process and its children are suspended: they hold their connections, the kernel accepts new ones, and nobody
    /// answers.
    Stop(u32),
    /// One command makes it, another ends it.
    Run { begin: Argv, end: Argv },
    /// A line is sent to a server.
    Send { address: String, line: String },
}

/// A command with its environment.
#[derive(Debug, Deserialize)]
struct Argv {
    program: String,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
}

/// A fault that has begun. Dropped without [`Begun::end`], suspended processes are still
/// continued, but a command that would end the fault is not run: it ends when its server stops.
#[must_use]
pub(super) struct Begun<'a> {
    fault: &'a Fault,
    /// The suspended processes, in the order in which they were.
    suspended: Vec<Pid>,
}

impl Fault {
    pub(super) async fn begin(&self) -> anyhow::Result<Begun<'_>> {
        let mut begun = Begun {
            fault: self,
            suspended: Vec::new(),
        };
        match &self.how {
            How::Stop(id) => {
                // The parent first: it starts no more children from then on.
                begun.suspend(*id)?;
                for child in children(*id) {
                    begun.suspend(child)?;
                }
            }
            How::Run { begin, .. } => begin.run().await?,
            How::Send { address, line } => {
                let mut server = TcpStream::connect(address).await?;
                server.write_all(format!("{line}\r\n").as_bytes()).await?;
                server.readable().await?;
            }
        }
        Ok(begun)
    }
}

impl Begun<'_> {
    fn suspend(&mut self, id: u32) -> anyhow::Result<()> {
        let id = Pid::from_raw(i32::try_from(id)?);
        match kill(id, Signal::SIGSTOP) {
            // A child may end in the same moment.
            Err(nix::errno::Errno::ESRCH) if !self.suspended.is_empty() => return Ok(()),
            sent => sent.with_context(|| format!("process {id} cannot be stopped"))?,
        }
        self.suspended.push(id);
        Ok(())
    }

    pub(super) async fn end(mut self) -> anyhow::Result<()> {
        self.resume();
        match &self.fault.how {
            How::Run { end, .. } => end.run().await,
            How::Stop(_) | How::Send { .. } => Ok(()),
        }
    }

    fn resume(&mut self) {
        for id in self.suspended.drain(..).rev() {
            // It fails if the process has been killed meanwhile.
            let _ = kill(id, Signal::SIGCONT);
        }
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.resume();
    }
}

impl Argv {
    async fn run(&self) -> anyhow::Result<()> {
        let output = Command::new(&self.program)
            .args(&self.arguments)
            .envs(&self.environment)
            .stdin(Stdio::null())
            .output()
            .await
            .with_context(|| self.program.clone())?;
        ensure!(
            output.status.success(),
            "{} {}: {}{}",
            self.program,
            self.arguments.join(" "),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }
}

/// The children of a process's threads (`proc_pid_task_children(5)`).
fn children(id: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{id}/task"))
        .into_iter()
        .flatten();
    let files =
        tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    let each: Vec<String> = files.collect();
    each.iter()
        .flat_map(|text| text.split_whitespace())
        .filter_map(|id| id.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn state(id: u32) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.chars().next()
    }

    async fn until_state(id: u32, wanted: char) {
        for _ in 0..200 {
            if state(id) == Some(wanted) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("process {id} is {:?}, not {wanted}", state(id));
    }

    #[tokio::test]
    async fn a_process_and_its_children_are_suspended_until_the_fault_ends() {
        let mut parent = Command::new("sh")
            .args(["-c", "sleep 60 & wait"])
            .kill_on_drop(true)
            .spawn()
            .expect("a shell");
        let id = parent.id().expect("it runs");
        let mut below = children(id);
        while below.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
            below = children(id);
        }
        let fault = Fault {
            name: String::new(),
            key: String::new(),
            how: How::Stop(id),
        };
        for is_ended in [true, false] {
            let begun = fault.begin().await.expect("begins");
            until_state(id, 'T').await;
            until_state(below[0], 'T').await;
            if is_ended {
                begun.end().await.expect("ends");
            } else {
                drop(begun);
            }
            until_state(id, 'S').await;
            until_state(below[0], 'S').await;
        }
        let child = Pid::from_raw(i32::try_from(below[0]).expect("an id"));
        kill(child, Signal::SIGKILL).expect("killed");
        parent.wait().await.expect("ends");
    }

    #[tokio::test]
    async fn a_command_that_fails_is_told() {
        let argv = |program: &str| Argv {
            program: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), program.to_owned()],
            environment: BTreeMap::from([("WHY".to_owned(), "no broker".to_owned())]),
        };
        assert!(argv("true").run().await.is_ok());
        let error = argv("echo $WHY; false").run().await.expect_err("fails");
        assert!(error.to_string().contains("no broker"), "{error}");
    }
}
