//! The browser for tests: the machine's own, else Debian's where we may install it.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;
use nix::unistd::geteuid;

use crate::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const ON_MACOS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// Finds a browser, or installs one as root on Debian and its relatives.
pub(crate) fn ensure(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if !(geteuid().is_root() && Path::new("/etc/debian_version").is_file()) {
        bail!(
            "no Chromium was found: install one (Debian: apt-get install chromium), \
             or name its program in CHROMIUM"
        );
    }
    let step = Step::announced("Chromium", "installing Debian's package");
    let log = checkout.log("chromium")?;
    for arguments in [
        &["update"][..],
        &["install", "-y", "--no-install-recommends", "chromium"],
    ] {
        let mut apt = Command::new("apt-get");
        apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        process::run(
            &format!("apt-get {}", arguments.join(" ")),
            &mut apt,
            Output::Log(&log),
        )?;
    }
    step.done("installed");
    match find() {
        Some(found) => Ok(found),
        None => bail!("apt-get installed no Chromium that can be found"),
    }
}

fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM").filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .chain(ON_MACOS.map(PathBuf::from))
        .find(|program| program.is_file())
}
