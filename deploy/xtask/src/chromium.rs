//! The browser for tests: already installed, or installed from Debian's package if we are allowed to.

use std::{env, path::PathBuf};

use servers::{apt, checkout::Checkout};

/// The headless browser is preferred, because it starts faster without a user interface.
const NAMES: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const ON_MACOS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// Liberation Sans, where distributions install it.
const FONTS: [&str; 3] = [
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/liberation-sans-fonts/LiberationSans-Regular.ttf",
    "/usr/share/fonts/liberation/LiberationSans-Regular.ttf",
];

/// Finds or installs a browser and the fallback fonts of pages. Readers' machines have Arial or these fonts, and the
/// layout must not shift when the page's own fonts replace them.
pub(crate) fn ensure(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        let find = || {
            FONTS
                .map(PathBuf::from)
                .into_iter()
                .find(|font| font.is_file())
        };
        apt::ensure(checkout, "fonts-liberation", "", find)?;
    }
    let hint = ", or name its program in CHROMIUM";
    apt::ensure(checkout, "chromium-headless-shell", hint, find)
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
