//! Ctrl-C and termination, as one flag that everything which waits checks.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The error of work that was given up because of a signal, or because other work beside it failed.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// From here on SIGINT, SIGTERM and SIGHUP no longer end this process: they ask it to clean up.
pub fn install() -> anyhow::Result<()> {
    ctrlc::set_handler(raise).context("the signal handler cannot be installed")
}

/// Asks everything that waits to give up.
pub fn raise() {
    REQUESTED.store(true, Ordering::SeqCst);
}

/// Whether a signal has asked us to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Fails with [`Interrupted`] once a signal has come.
pub fn check() -> anyhow::Result<()> {
    if requested() {
        Err(Interrupted.into())
    } else {
        Ok(())
    }
}

/// Whether an error means only that the work was given up.
#[must_use]
pub fn is_interruption(error: &anyhow::Error) -> bool {
    error.is::<Interrupted>()
}
