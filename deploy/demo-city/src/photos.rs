//! Demo readers, who vote on the demo city's places and upload photos of them through the HTTP API. The photos are drawn
//! with the scenes of the city's pictures.

mod develop;
mod plan;
mod site;
mod votes;

use std::{
    fs,
    io::{Write as _, stdout},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use self::{
    plan::{Plan, Planned, Words},
    site::{Reader, Site},
};
use crate::pictures::scenes::Scenes;

/// Maximum number of ids per accept command.
const ACCEPTED_AT_ONCE: usize = 50;

/// Has the demo readers vote and upload photos on a site, which must have the demo city. A repeat continues where the
/// last run ended.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The site's address
    #[arg(long)]
    site: String,
    /// The program `cityguide`, whose environment has the site's settings
    #[arg(long)]
    program: PathBuf,
    /// File that keeps the state between runs
    #[arg(long)]
    state: PathBuf,
    /// Number of demo readers, from the first [default: all]
    #[arg(long)]
    readers: Option<usize>,
}

/// The state that is kept between runs.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    /// The demo readers' password on this machine.
    password: String,
    /// Readers who have voted, and whose photos are all uploaded and accepted.
    done: Vec<String>,
}

impl State {
    fn read(file: &Path) -> anyhow::Result<Self> {
        if let Ok(text) = fs::read_to_string(file) {
            return Ok(serde_json::from_str(&text)?);
        }
        Ok(Self {
            password: password()?,
            done: Vec::new(),
        })
    }

    fn write(&self, file: &Path) -> anyhow::Result<()> {
        // Replaces the file atomically, so that an interrupted run does not damage the state.
        let next = file.with_extension("next");
        fs::write(&next, serde_json::to_string(self)?)?;
        fs::rename(&next, file)?;
        Ok(())
    }
}

fn password() -> anyhow::Result<String> {
    let random = fs::read("/proc/sys/kernel/random/uuid").context("no random number")?;
    Ok(String::from_utf8(random)?.trim().to_owned())
}

pub(crate) fn upload(arguments: &Arguments) -> anyhow::Result<()> {
    let mut state = State::read(&arguments.state)?;
    state.write(&arguments.state)?;
    let words = Words::read(&crate::file("photos.toml"))?;
    let site = Site::new(&arguments.site);
    let places = site.places()?;
    let scenes = Scenes::read(&crate::file("scenes.toml"))?;
    let plan = Plan::new(&words, &scenes, &places);
    let (mut count, most) = (0, arguments.readers.unwrap_or(usize::MAX));
    let readers = words.readers.iter().enumerate().take(most);
    for (number, name) in readers.clone() {
        let photos: Vec<_> = plan.of_reader(number).collect();
        count += photos.len();
        if state.done.contains(name) {
            continue;
        }
        let reader = site.enter(name, &state.password)?;
        for (listing, stars) in votes::of_reader(&places, number, words.readers.len()) {
            reader.vote(listing, stars)?;
        }
        upload_of(&reader, number, &photos, &arguments.program)?;
        state.done.push(name.clone());
        state.write(&arguments.state)?;
    }
    writeln!(stdout(), "{count} photos of {} readers", readers.len())?;
    Ok(())
}

/// Uploads a reader's own picture and photos, and has them accepted.
fn upload_of(
    reader: &Reader,
    number: usize,
    photos: &[&Planned],
    program: &Path,
) -> anyhow::Result<()> {
    // Two of three readers have their own picture.
    if !number.is_multiple_of(3) {
        reader.set_avatar(&develop::avatar(number)?)?;
    }
    for photo in photos {
        reader.upload(photo, &develop::photo(photo)?)?;
    }
    let waiting = reader.waiting()?;
    for ids in waiting.chunks(ACCEPTED_AT_ONCE) {
        accept(program, ids)?;
    }
    Ok(())
}

/// Accepts photos with the operator's command.
fn accept(program: &Path, ids: &[i64]) -> anyhow::Result<()> {
    let mut command = Command::new(program);
    command.args(["photos", "review", "accept"]);
    command.args(ids.iter().map(i64::to_string));
    let output = command.output()?;
    ensure!(
        output.status.success(),
        "photos were not accepted: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}

/// Fails with a site's response.
fn refused<T>(what: &str, status: u16, body: &str) -> anyhow::Result<T> {
    bail!("{what} was answered {status}: {body}")
}
