//! Ctrl-C and termination, as a flag that all waiting code checks.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The error of work that was cancelled because of a signal, or because parallel work failed.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Makes SIGINT, SIGTERM and SIGHUP request a cleanup instead of ending this process.
pub fn install() -> anyhow::Result<()> {
    ctrlc::set_handler(raise).context("the signal handler cannot be installed")
}

/// Cancels all waiting work.
pub fn raise() {
    REQUESTED.store(true, Ordering::SeqCst);
}

/// Whether a stop has been requested.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Fails with [`Interrupted`] if a stop has been requested.
pub fn check() -> anyhow::Result<()> {
    if requested() {
        Err(Interrupted.into())
    } else {
        Ok(())
    }
}

/// Whether an error only means that work was cancelled.
#[must_use]
pub fn is_interruption(error: &anyhow::Error) -> bool {
    error.is::<Interrupted>()
}
