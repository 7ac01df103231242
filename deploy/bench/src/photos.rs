//! `bench photos`: the picture pipeline compared with sharp, which makes the same sizes of the same photographs on one
//! core.

use std::{fs, path::PathBuf};

use anyhow::Context;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::process::Command;

use crate::{
    harness::{Bench, Turn},
    plan::output,
    results::{Measure, Target},
};

/// Pictures for the comparison of quality.
const COMPARED: [&str; 4] = ["2mp.jpg", "12mp.jpg", "24mp.jpg", "48mp.jpg"];

/// The program of our side, and the folder with `sharp.mjs` and the pictures.
#[derive(Debug, Deserialize)]
struct Sides {
    program: PathBuf,
    folder: PathBuf,
}

/// A size in one encoding: SSIM (1 is the original) and bytes.
#[derive(Debug, Deserialize)]
struct Score {
    encoding: String,
    ours: [f64; 2],
    theirs: [f64; 2],
}

impl Sides {
    async fn ours<T: DeserializeOwned>(&self, arguments: &[&str]) -> anyhow::Result<T> {
        let mut command = Command::new(&self.program);
        let text = output(command.args(arguments).current_dir(&self.folder)).await?;
        serde_json::from_str(&text).context(text)
    }

    /// Makes the sizes in `ours` and `theirs`; returns each side's CPU milliseconds.
    async fn make(&self, name: &str, sizes: &str) -> anyhow::Result<[Turn; 2]> {
        let file = format!("pictures/{name}");
        let ours: f64 = self.ours(&["make", &file, "ours", sizes]).await?;
        let sizes: serde_json::Value = self.ours(&["sizes", sizes]).await?;
        let mut sharp = Command::new("node");
        sharp.args(["sharp.mjs", &file, "theirs", &sizes.to_string()]);
        let text = output(sharp.current_dir(&self.folder)).await?;
        let theirs: serde_json::Value = serde_json::from_str(&text)?;
        let theirs = theirs["cpu_milliseconds"].as_f64().context(text)?;
        Ok([ours, theirs].map(|time| Turn::of(vec![time])))
    }
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let sides: Sides = bench.plan.options()?;
    let rounds = bench.plan.rounds;
    bench.about(format!(
        "{rounds} rounds, one core a side, all six sizes as JPEG and WebP"
    ));
    let pictures = fs::read_dir(sides.folder.join("pictures"))?;
    let names = pictures.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<std::io::Result<_>>()?;
    names.sort();
    for name in names {
        let both = async || {
            let [ours, theirs] = sides.make(&name, "timed").await?;
            anyhow::Ok((ours, theirs))
        };
        let rounds = bench.rounds(&name, both).await?;
        let measure = Measure::new(format!("{name}, CPU-ms"), "sharp", Target::AtMost(0.4));
        bench.record(&[measure], &rounds);
    }
    let mut scores: Vec<Score> = Vec::new();
    for name in COMPARED {
        sides.make(name, "compared").await?;
        let file = format!("pictures/{name}");
        let of_picture: Vec<Score> = sides.ours(&["score", &file, "ours", "theirs"]).await?;
        scores.extend(of_picture);
    }
    // Each size of a picture counts as a round.
    for encoding in ["jpg", "webp"] {
        let of_encoding = scores.iter().filter(|score| score.encoding == encoding);
        let turns =
            of_encoding.map(|score| (Turn::of(score.ours.into()), Turn::of(score.theirs.into())));
        let turns: Vec<_> = turns.collect();
        let name = |what| format!("{what} of uncropped sizes as {encoding}");
        let quality = Measure::new(name("SSIM"), "sharp", Target::AtLeast(1.0));
        bench.record(
            &[quality, Measure::new(name("bytes"), "sharp", None)],
            &turns,
        );
    }
    Ok(())
}
