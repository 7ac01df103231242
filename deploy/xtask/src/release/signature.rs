//! Checksums of the published files, signed with minisign, so that anybody can verify them without a network.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::ensure;
use servers::{
    apt,
    checkout::Checkout,
    process::{self, Output},
};

use super::files::Release;

/// The file of the checksums, in the format of `sha256sum`.
pub(crate) const SUMS: &str = "SHA256SUMS";
/// The public key of releases, which maintainers commit once (CONTRIBUTING.md).
const PUBLIC_KEY: &str = "docs/release.pub";

/// A pair of keys of minisign.
pub(super) struct Key {
    secret: PathBuf,
    public: PathBuf,
}

impl Key {
    /// The maintainers' key.
    pub(super) fn kept(checkout: &Checkout, secret: &Path) -> anyhow::Result<Self> {
        let public = checkout.path(PUBLIC_KEY);
        ensure!(
            public.is_file(),
            "there is no {PUBLIC_KEY}; CONTRIBUTING.md says how to make the key of releases"
        );
        Ok(Self {
            secret: secret.to_owned(),
            public,
        })
    }

    /// A key for this run only; its public part is beside the release.
    pub(super) fn throwaway(checkout: &Checkout, folder: &Path) -> anyhow::Result<Self> {
        let key = Self {
            secret: folder.join("throwaway.key"),
            public: folder.join("throwaway.pub"),
        };
        let mut generate = minisign(checkout)?;
        generate.args(["-G", "-W", "-s"]).arg(&key.secret);
        generate.arg("-p").arg(&key.public);
        let log = checkout.log("minisign")?;
        process::run("minisign -G", &mut generate, Output::Log(&log))?;
        Ok(key)
    }

    pub(super) fn public(&self) -> &Path {
        &self.public
    }
}

/// Writes the checksums of all files to publish, and signs them.
pub(super) fn sign(checkout: &Checkout, release: &Release, key: &Key) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(&release.folder)? {
        let path = entry?.path();
        if path != key.secret && path != key.public {
            names.extend(path.file_name().map(ToOwned::to_owned));
        }
    }
    names.sort();
    let mut sums = Command::new("sha256sum");
    sums.args(&names).current_dir(&release.folder);
    let sums = process::read("sha256sum", &mut sums)?;
    fs::write(release.folder.join(SUMS), sums)?;
    let mut sign = minisign(checkout)?;
    sign.args(["-S", "-W", "-s"])
        .arg(&key.secret)
        .args(["-t", &format!("cityguide {}", release.version), "-m"])
        .arg(release.folder.join(SUMS));
    let log = checkout.log("minisign")?;
    process::run("minisign -S", &mut sign, Output::Log(&log))?;
    if key.secret.starts_with(&release.folder) {
        fs::remove_file(&key.secret)?;
    }
    Ok(())
}

/// Verifies the signature and every file's checksum, as a reader of the release does.
pub(crate) fn verify(checkout: &Checkout, folder: &Path, public: &Path) -> anyhow::Result<()> {
    let log = checkout.log("minisign")?;
    let mut verify = minisign(checkout)?;
    verify.args(["-V", "-m", SUMS, "-p"]).arg(public);
    verify.current_dir(folder);
    process::run("minisign -V", &mut verify, Output::Log(&log))?;
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--strict", "--quiet", SUMS])
        .current_dir(folder);
    process::run("sha256sum --check", &mut sums, Output::Log(&log))
}

/// Returns `minisign`: already installed, or installed from Debian's package if we are allowed to.
fn minisign(checkout: &Checkout) -> anyhow::Result<Command> {
    let program = apt::ensure(checkout, "minisign", "", || apt::on_path(&["minisign"]))?;
    Ok(Command::new(program))
}
