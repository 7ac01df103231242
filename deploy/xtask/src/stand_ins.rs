//! Stand-ins for Facebook and Google beside the demo, so that log-ins with Facebook and calendars can be tried without an
//! account there.

use std::{
    env,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::Context;

/// The settings that an operator may have set for the real third parties. Their stand-in is then not used.
const REAL: [&str; 2] = [
    "CITYGUIDE__FACEBOOK__APP_ID",
    "CITYGUIDE__CALENDAR__GOOGLE__CLIENT_ID",
];

/// Running stand-ins, which end when this is dropped or this process ends.
pub(crate) struct StandIns {
    program: Child,
    settings: Vec<(String, String)>,
}

impl StandIns {
    /// Starts the stand-ins on free ports.
    pub(crate) fn start(program: &Path) -> anyhow::Result<Self> {
        let mut program = Command::new(program)
            .args(["google=0", "facebook=0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C must not end the stand-ins before the site.
            .process_group(0)
            .spawn()
            .context("the stand-ins for third parties cannot be started")?;
        let stdout = program.stdout.take().context("it has no output")?;
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let settings = lines
            .take_while(|line| !line.is_empty())
            .filter_map(|line| {
                let (name, value) = line.split_once('=')?;
                Some((name.to_owned(), value.to_owned()))
            });
        let settings: Vec<_> = settings.collect();
        anyhow::ensure!(
            !settings.is_empty(),
            "the stand-ins for third parties did not start"
        );
        Ok(Self { program, settings })
    }

    /// The settings of a site that uses the stand-ins.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let is_real = |name: &str| {
            let section = |name: &str| name.split("__").nth(1).map(str::to_owned);
            let mut set = REAL.iter().filter(|real| env::var_os(real).is_some());
            set.any(|real| section(real) == section(name))
        };
        let settings = self.settings.iter();
        settings
            .filter(|(name, _)| !is_real(name))
            .cloned()
            .collect()
    }

    /// The address at which the events of the stand-in's calendar can be seen.
    pub(crate) fn calendar(&self) -> Option<String> {
        let mut settings = self.settings.iter();
        let (_, url) = settings.find(|(name, _)| name.ends_with("GOOGLE__AUTHORIZATION_URL"))?;
        Some(url.replace("/auth", "/account"))
    }
}

impl Drop for StandIns {
    fn drop(&mut self) {
        drop(self.program.stdin.take());
        // The program ends when its standard input closes; without a wait it would remain as a zombie.
        let _ = self.program.wait();
    }
}
