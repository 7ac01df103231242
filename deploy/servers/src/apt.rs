//! Programs that tests need: already installed, or installed from Debian's package if we are allowed to.

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

/// Finds a program by `find`, or installs its package. `hint` suggests an alternative to the user.
pub fn ensure(
    checkout: &Checkout,
    package: &'static str,
    hint: &str,
    find: impl Fn() -> Option<PathBuf>,
) -> anyhow::Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    install(checkout, package, hint)?;
    match find() {
        Some(found) => Ok(found),
        None => bail!("apt-get installed no {package} that can be found"),
    }
}

/// Installs a package as root on Debian and its derivatives; elsewhere fails with an error that names the package.
pub fn install(checkout: &Checkout, package: &'static str, hint: &str) -> anyhow::Result<()> {
    if !(geteuid().is_root() && Path::new("/etc/debian_version").is_file()) {
        bail!("no {package} was found: install it (Debian: apt-get install {package}){hint}");
    }
    let step = Step::announced(package, "installing Debian's package");
    let log = checkout.log(package)?;
    for arguments in [
        &["update"][..],
        &["install", "-y", "--no-install-recommends", package],
    ] {
        let mut apt = Command::new("apt-get");
        apt.args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            // Prevents apt from starting servers: tests start their own, on private ports.
            .env("RUNLEVEL", "1");
        let name = format!("apt-get {}", arguments.join(" "));
        process::run(&name, &mut apt, Output::Log(&log))?;
    }
    step.done("installed");
    Ok(())
}

/// Returns the first of these programs on the search path.
#[must_use]
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|program| program.is_file())
}
