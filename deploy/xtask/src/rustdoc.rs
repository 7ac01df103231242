//! Lints the documentation of all libraries: links, HTML, code blocks.
//!
//! `cargo doc` would compile every dependency once more, for type checks only. Doc tests use the build of the other tests,
//! so this program takes rustdoc's place in `cargo test --doc`, and has rustdoc write documentation instead of testing it.

use std::{
    env,
    os::unix::process::CommandExt,
    process::{Command, ExitCode},
};

use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress,
};

use crate::server::{self, Build, cargo, with_lints};

/// Set if cargo has started this program in rustdoc's place; its value is the folder for the documentation.
const STAND_IN: &str = "XTASK_RUSTDOC_FOLDER";

/// Crates of generated code, whose documentation is in `proto/`.
const GENERATED: &str = "*-proto";

/// Fails if rustdoc has a warning about a library, including its private items.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    // The build may have replaced the running program's file.
    let this = server::executable_of(checkout, "xtask", Build::WithTests)?;
    let mut command = cargo(checkout);
    command.args(["test", "--workspace", "--doc", "--quiet", "--no-fail-fast"]);
    command.args(["--exclude", GENERATED]);
    with_lints(&mut command)
        .env("RUSTDOC", this)
        .env(STAND_IN, folder.path());
    let log = checkout.log("rustdoc")?;
    process::run("rustdoc", &mut command, Output::Log(&log))
}

/// If cargo has started this program in rustdoc's place, runs rustdoc without the arguments for tests and returns the
/// failure to do so.
pub(crate) fn stand_in() -> Option<ExitCode> {
    let folder = env::var_os(STAND_IN)?;
    let mut rustdoc = Command::new("rustdoc");
    rustdoc.args(documenting(env::args().skip(1)));
    // Cargo asks for the version first.
    if !env::args().any(|argument| argument == "-vV") {
        rustdoc
            .args(["--document-private-items", "-Dwarnings", "-o"])
            .arg(folder);
    }
    let error = rustdoc.exec();
    progress::failure(&anyhow::Error::new(error).context("rustdoc cannot be started"));
    Some(ExitCode::FAILURE)
}

/// The arguments that apply to documentation as well as to its tests.
fn documenting(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut is_value = false;
    for argument in arguments {
        let is_of_tests = argument.starts_with("--test") || argument == "--nocapture";
        if !is_of_tests && !is_value {
            kept.push(argument.clone());
        }
        is_value = argument.starts_with("--test-") && !argument.contains('=');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_for_tests_are_left_out_with_their_values() {
        let given =
            "--crate-name a --test src/lib.rs --test-run-directory /a --cfg b --test-args=--quiet";
        let kept = documenting(given.split(' ').map(str::to_owned));
        assert_eq!(kept.join(" "), "--crate-name a src/lib.rs --cfg b");
    }
}
