//! Other programs: run to completion, or run in the background and stopped cleanly.

use std::{
    fs::File,
    io::{ErrorKind, Read, Seek, SeekFrom},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail};
use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};

use crate::interrupt::{self, Interrupted};

const POLL: Duration = Duration::from_millis(40);

/// The destination of a program's output.
#[derive(Debug, Clone, Copy)]
pub enum Output<'a> {
    /// The terminal, unbuffered.
    Shown,
    /// A file, whose end becomes part of the error if the program fails.
    Log(&'a Path),
}

/// A program in the background. Dropping this kills the program and its descendants.
#[derive(Debug)]
pub struct Running {
    name: String,
    child: Child,
    log: Option<PathBuf>,
    ended: Option<ExitStatus>,
}

impl Running {
    /// Starts a program in its own process group: Ctrl-C in the terminal signals only this process, which then stops
    /// programs in a defined order, and a signal to the group also reaches the program's children.
    pub fn start(name: &str, command: &mut Command, output: Output<'_>) -> anyhow::Result<Self> {
        command.stdin(Stdio::null()).process_group(0);
        let mut kept_log = None;
        if let Output::Log(path) = output {
            let file = File::create(path)
                .with_context(|| format!("the log {} cannot be written", path.display()))?;
            command.stdout(file.try_clone()?).stderr(file);
            kept_log = Some(path.to_owned());
        }
        let child = command
            .spawn()
            .map_err(|error| not_started(command, &error))?;
        Ok(Self {
            name: name.to_owned(),
            child,
            log: kept_log,
            ended: None,
        })
    }

    /// The program's process id, which is also the id of its process group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The standard output, if the command piped it.
    pub fn take_stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// The program's exit status, if it has ended.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?;
        }
        Ok(self.ended)
    }

    /// Fails if the program has ended although it should still be running.
    pub fn require_alive(&mut self) -> anyhow::Result<()> {
        match self.ended()? {
            Some(status) => Err(self.failure(status)),
            None => Ok(()),
        }
    }

    /// Waits until the program ends; on a signal, stops the program and fails.
    pub fn finish(mut self) -> anyhow::Result<()> {
        loop {
            if let Some(status) = self.ended()? {
                return if status.success() {
                    Ok(())
                } else if interrupt::requested() {
                    Err(Interrupted.into())
                } else {
                    Err(self.failure(status))
                };
            }
            if interrupt::requested() {
                self.stop(Signal::SIGTERM, Duration::from_secs(5));
                return Err(Interrupted.into());
            }
            thread::sleep(POLL);
        }
    }

    /// Sends the program a signal to stop, and kills its whole group after `bound`. Returns whether it stopped in time
    /// and without an error, or had done so before.
    pub fn stop(&mut self, signal: Signal, bound: Duration) -> bool {
        if let Ok(Some(status)) = self.ended() {
            return status.success();
        }
        self.signal(signal);
        let asked = Instant::now();
        while asked.elapsed() < bound {
            if let Ok(Some(status)) = self.ended() {
                // Some programs end by the signal itself, or with the code by which shells report it.
                let by_signal = signal as i32;
                return status.success()
                    || status.signal() == Some(by_signal)
                    || status.code() == Some(128 + by_signal);
            }
            thread::sleep(POLL);
        }
        self.signal(Signal::SIGKILL);
        self.ended = self.child.wait().ok();
        false
    }

    /// Kills the program and its descendants, as in a crash, and waits until it has ended.
    pub fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.ended = self.child.wait().ok();
    }

    fn signal(&self, signal: Signal) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            // The only possible error is that the group has already ended.
            let _ = killpg(Pid::from_raw(id), signal);
        }
    }

    fn failure(&self, status: ExitStatus) -> anyhow::Error {
        let how = status.code().map_or_else(
            || {
                format!(
                    "was killed by signal {}",
                    status.signal().unwrap_or_default()
                )
            },
            |code| format!("failed with exit status {code}"),
        );
        match &self.log {
            Some(log) => anyhow!(
                "{} {how}; the end of {}:\n{}",
                self.name,
                log.display(),
                tail(log).trim_end()
            ),
            None => anyhow!("{} {how}", self.name),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.stop(Signal::SIGTERM, Duration::from_secs(2));
        }
    }
}

/// Runs a program to completion.
pub fn run(name: &str, command: &mut Command, output: Output<'_>) -> anyhow::Result<()> {
    interrupt::check()?;
    Running::start(name, command, output)?.finish()
}

/// Runs a short program and returns its standard output.
pub fn read(name: &str, command: &mut Command) -> anyhow::Result<Vec<u8>> {
    interrupt::check()?;
    command.stdout(Stdio::piped());
    let mut running = Running::start(name, command, Output::Shown)?;
    let mut bytes = Vec::new();
    if let Some(mut stdout) = running.take_stdout() {
        stdout.read_to_end(&mut bytes)?;
    }
    running.finish()?;
    Ok(bytes)
}

/// Whether a program can be started and succeeds; its output is discarded.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Waits until `ready` returns true, for at most `bound`; the error contains `what` and the log.
pub fn wait_until(
    what: &str,
    log: Option<&Path>,
    bound: Duration,
    mut ready: impl FnMut() -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        interrupt::check()?;
        if ready()? {
            return Ok(());
        }
        if started.elapsed() > bound {
            let log = log.map_or_else(String::new, |log| {
                format!("; its log is at {}", log.display())
            });
            bail!("{what} within {} s{log}", bound.as_secs());
        }
        thread::sleep(POLL);
    }
}

/// The last lines of a file, for error messages.
fn tail(path: &Path) -> String {
    const BYTES: u64 = 16_384;
    let read = || -> std::io::Result<String> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().unwrap_or_default()
}

fn not_started(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy().into_owned();
    match (error.kind(), program.as_str()) {
        (ErrorKind::NotFound, "npm" | "npx" | "node") => {
            anyhow!("{program} was not found: install Node.js 20 or later")
        }
        (ErrorKind::NotFound, _) => anyhow!("{program} was not found"),
        _ => anyhow!("{program} cannot be started: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_carries_the_end_of_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo why it failed; exit 3"]);
        let error = run("the step", &mut command, Output::Log(&log))
            .unwrap_err()
            .to_string();
        assert!(error.contains("exit status 3"), "{error}");
        assert!(error.ends_with("why it failed"), "{error}");
    }

    #[test]
    fn a_program_that_ignores_the_signal_is_killed_with_its_children() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "trap '' TERM; echo up; sleep 600 & wait; wait"])
            .stdout(Stdio::piped());
        let mut running = Running::start("stubborn", &mut command, Output::Shown).unwrap();
        let mut stdout = running.take_stdout().unwrap();
        stdout.read_exact(&mut [0; 3]).unwrap();

        assert!(!running.stop(Signal::SIGTERM, Duration::from_millis(300)));
        // The pipe ends only when all processes of the group have closed it.
        stdout.read_to_end(&mut Vec::new()).unwrap();
    }

    #[test]
    fn a_stop_is_orderly_unless_the_program_has_failed() {
        let stopped = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdout(Stdio::piped());
            let mut running = Running::start("a program", &mut command, Output::Shown).unwrap();
            let mut stdout = running.take_stdout().unwrap();
            // Until it is ready, or has ended.
            let _ = stdout.read(&mut [0; 3]).unwrap();
            running.stop(Signal::SIGTERM, Duration::from_mins(1))
        };
        assert!(stopped("exit 0"));
        assert!(stopped("echo up; exec sleep 600"));
        assert!(stopped("trap 'exit 0' TERM; echo up; sleep 600 & wait"));
        assert!(!stopped("exit 3"));
        assert!(!stopped("trap 'exit 3' TERM; echo up; sleep 600 & wait"));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run("x", &mut Command::new("no-such-program"), Output::Shown).unwrap_err();
        assert_eq!(error.to_string(), "no-such-program was not found");
    }
}
