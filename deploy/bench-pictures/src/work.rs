//! Our side: a picture's sizes from one decode.

use std::{fs, path::Path};

use anyhow::{Context, anyhow};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use pictures::{Fit, Size};
use serde::Serialize;

use crate::{COMPARED, CROPPED};

/// A size, as the reference is told.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Wanted {
    name: &'static str,
    width: u32,
    height: u32,
    is_cropped: bool,
    quality: u8,
}

/// What a picture took.
#[derive(Debug, Serialize)]
pub(crate) struct Taken {
    cpu_milliseconds: f64,
    memory_bytes: i64,
}

fn wanted(compared: bool) -> Vec<&'static Size> {
    if compared {
        return COMPARED.iter().collect();
    }
    CROPPED.into_iter().filter_map(Size::named).collect()
}

pub(crate) fn sizes(compared: bool) -> Vec<Wanted> {
    let sizes = wanted(compared).into_iter();
    let told = sizes.map(|size| Wanted {
        name: size.name,
        width: size.width,
        height: size.height,
        is_cropped: size.fit == Fit::Crop,
        quality: size.quality,
    });
    told.collect()
}

pub(crate) fn make(file: &Path, folder: &Path, compared: bool) -> anyhow::Result<Taken> {
    let content = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    fs::create_dir_all(folder)?;
    let before = getrusage(UsageWho::RUSAGE_SELF)?;
    let refused = |refusal: pictures::Refusal| anyhow!("{}: {refusal}", file.display());
    pictures::inspect(&content).map_err(refused)?;
    let made = pictures::make(&content, &wanted(compared)).map_err(refused)?;
    let after = getrusage(UsageWho::RUSAGE_SELF)?;
    for file in made.files {
        let name = format!("{}.{}", file.size.name, file.encoding.extension());
        fs::write(folder.join(name), file.content)?;
    }
    Ok(Taken {
        cpu_milliseconds: milliseconds(&after) - milliseconds(&before),
        // In KiB on Linux.
        memory_bytes: (after.max_rss() - before.max_rss()) * 1024,
    })
}

fn milliseconds(usage: &Usage) -> f64 {
    let each = [usage.user_time(), usage.system_time()];
    let each = each.map(|time| {
        let [seconds, microseconds] = [time.tv_sec(), time.tv_usec()].map(i32::try_from);
        1e3 * f64::from(seconds.unwrap_or_default())
            + 1e-3 * f64::from(microseconds.unwrap_or_default())
    });
    each.iter().sum()
}
