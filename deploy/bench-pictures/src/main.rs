//! The picture pipeline, compared with sharp on the same drawn photographs. The bench calls this program once for each
//! picture, like sharp.

mod draw;
mod score;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use clap::{Parser, ValueEnum};
use nix::sys::resource::{UsageWho, getrusage};
use pictures::{Fit, Size};
use serde_json::json;

/// The allocator that the site uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The sizes whose time is measured: all sizes of the site.
const TIMED: [&str; 6] = ["whole", "720x480", "600x400", "610x610", "300x300", "80x80"];
/// The sizes whose quality is compared: uncropped, since the two programs crop differently.
static COMPARED: [Size; 5] = [
    within("1600", 1600, 70),
    within("720", 720, 70),
    within("610", 610, 70),
    within("300", 300, 70),
    within("80", 80, 80),
];

const fn within(name: &'static str, side: u32, quality: u8) -> Size {
    Size {
        name,
        width: side,
        height: side,
        fit: Fit::Within,
        quality,
    }
}

/// Which sizes to make.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sizes {
    Timed,
    Compared,
}

/// Measures the pipeline of pictures; the results are JSON.
#[derive(Debug, Parser)]
enum Task {
    /// Draws the photographs into a folder
    Draw { folder: PathBuf },
    /// The sizes, for sharp
    Sizes { sizes: Sizes },
    /// Makes a picture's sizes in a folder; prints the milliseconds of CPU
    Make {
        file: PathBuf,
        folder: PathBuf,
        sizes: Sizes,
    },
    /// Scores two folders of the compared sizes of a picture against the picture itself
    Score {
        file: PathBuf,
        ours: PathBuf,
        theirs: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    let results = match Task::parse() {
        Task::Draw { folder } => return draw::all(&folder),
        Task::Sizes { sizes } => wanted(sizes).into_iter().map(described).collect(),
        Task::Make {
            file,
            folder,
            sizes,
        } => json!(make(&file, &folder, sizes)?),
        Task::Score { file, ours, theirs } => score::compare(&file, [&ours, &theirs])?,
    };
    writeln!(std::io::stdout(), "{results}")?;
    Ok(())
}

fn wanted(sizes: Sizes) -> Vec<&'static Size> {
    match sizes {
        Sizes::Timed => TIMED.into_iter().filter_map(Size::named).collect(),
        Sizes::Compared => COMPARED.iter().collect(),
    }
}

/// A size as JSON for `sharp.mjs`.
fn described(size: &Size) -> serde_json::Value {
    json!({
        "name": size.name,
        "width": size.width,
        "height": size.height,
        "isCropped": size.fit == Fit::Crop,
        "quality": size.quality,
    })
}

fn make(file: &Path, folder: &Path, sizes: Sizes) -> anyhow::Result<f64> {
    let content = fs::read(file).with_context(|| file.display().to_string())?;
    fs::create_dir_all(folder)?;
    let before = milliseconds()?;
    let refused = |refusal: pictures::Refusal| anyhow!("{}: {refusal}", file.display());
    pictures::inspect(&content).map_err(refused)?;
    let made = pictures::make(&content, &wanted(sizes)).map_err(refused)?;
    let taken = milliseconds()? - before;
    for file in made.files {
        let name = format!("{}.{}", file.size.name, file.encoding.extension());
        fs::write(folder.join(name), file.content)?;
    }
    Ok(taken)
}

/// Returns the CPU time of this process in milliseconds.
fn milliseconds() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let each = [usage.user_time(), usage.system_time()].map(|time| {
        let [seconds, microseconds] = [time.tv_sec(), time.tv_usec()].map(i32::try_from);
        1e3 * f64::from(seconds.unwrap_or_default())
            + 1e-3 * f64::from(microseconds.unwrap_or_default())
    });
    Ok(each.iter().sum())
}
