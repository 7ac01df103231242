//! The pipeline of pictures, measured beside sharp on the same drawn photographs. `cargo xtask bench photos` calls it once
//! for each picture, so that each has a process's memory to itself, and makes a table of what it prints.

mod draw;
mod score;
mod work;

use std::{io::Write, path::PathBuf};

use clap::Parser;
use pictures::{Fit, Size};

/// The one of the site.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The sizes whose time is measured: all of the site's.
const CROPPED: [&str; 6] = ["whole", "720x480", "600x400", "610x610", "300x300", "80x80"];
/// The sizes whose quality is compared: uncropped, since crops differ in what they keep.
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

/// Measures the pipeline of pictures.
#[derive(Debug, Parser)]
enum Task {
    /// Draws the photographs into a folder
    Draw { folder: PathBuf },
    /// The sizes to make, as JSON: those that are timed, or those that are compared
    Sizes {
        #[arg(long)]
        compared: bool,
    },
    /// Makes a picture's sizes in a folder; prints the CPU time and the memory that it took
    Make {
        file: PathBuf,
        folder: PathBuf,
        #[arg(long)]
        compared: bool,
    },
    /// Scores two folders of the compared sizes of a picture against the picture itself
    Score {
        file: PathBuf,
        ours: PathBuf,
        theirs: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::Draw { folder } => draw::all(&folder),
        Task::Sizes { compared } => print(&work::sizes(compared)),
        Task::Make {
            file,
            folder,
            compared,
        } => print(&work::make(&file, &folder, compared)?),
        Task::Score { file, ours, theirs } => print(&score::compare(&file, &ours, &theirs)?),
    }
}

/// Prints results, as JSON.
fn print(results: &impl serde::Serialize) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string(results)?)?;
    Ok(())
}
