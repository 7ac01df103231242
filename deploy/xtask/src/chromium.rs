//! The browser for tests: the machine's own, or else Debian's if we may install it.

use std::{env, path::PathBuf};

use servers::{apt, checkout::Checkout};

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

/// Finds a browser, or installs one.
pub(crate) fn ensure(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let hint = ", or name its program in CHROMIUM";
    apt::ensure(checkout, "chromium", hint, find)
}

fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM").filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    apt::on_path(&NAMES).or_else(|| {
        ON_MACOS
            .map(PathBuf::from)
            .into_iter()
            .find(|program| program.is_file())
    })
}
