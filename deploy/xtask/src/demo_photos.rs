//! The demo readers' photos, which are drawn and uploaded while the site is already running.

use std::{fs, path::Path, process::Command, thread};

use servers::{
    checkout::Checkout,
    interrupt,
    process::{self, Output},
    progress::{self, Step},
};

use crate::server::{Build, Program, Settings, cargo_program, executable_of, without_our_package};

/// The tool that draws the city.
const TOOL: &str = "demo-city";

/// Uploads the photos, once for each data folder. A failure does not stop the site; the next `up` continues.
pub(crate) fn bring_in(
    checkout: &Checkout,
    program: &Program,
    settings: &Settings,
) -> anyhow::Result<Option<thread::JoinHandle<()>>> {
    let whole = settings.data.join("demo-photos.whole");
    if whole.exists() {
        return Ok(None);
    }
    let log = checkout.log("demo-photos")?;
    // The site has priority over compiling and running the tool.
    let mut command = Command::new("nice");
    command.args(["-n", "10"]).arg(cargo_program());
    command.args(["run", "--quiet", "--package", TOOL, "--"]);
    command.current_dir(&checkout.root);
    without_our_package(&mut command);
    ask_for_photos(&mut command, program, settings);
    Ok(Some(thread::spawn(move || upload(command, &log, &whole))))
}

/// Uploads a few of the photos and waits until this is done.
pub(crate) fn some(
    checkout: &Checkout,
    program: &Program,
    settings: &Settings,
) -> anyhow::Result<()> {
    let mut command = Command::new(executable_of(checkout, TOOL, Build::WithTests)?);
    ask_for_photos(&mut command, program, settings);
    command.args(["--readers", "2"]);
    let step = Step::quiet("Photos");
    let uploaded = process::read(TOOL, &mut command)?;
    step.done(String::from_utf8(uploaded)?.trim());
    Ok(())
}

fn ask_for_photos(command: &mut Command, program: &Program, settings: &Settings) {
    command
        .args(["photos", "--site", &settings.url()])
        .arg("--program")
        .arg(program.path())
        .arg("--state")
        .arg(settings.data.join("demo-photos.json"));
    settings.apply(command);
}

fn upload(mut command: Command, log: &Path, whole: &Path) {
    let step = Step::quiet("Photos");
    let uploaded = process::run(TOOL, &mut command, Output::Log(log));
    match uploaded.and_then(|()| Ok(fs::write(whole, "")?)) {
        Ok(()) => step.done("the demo readers' photos are in"),
        Err(_) if interrupt::requested() => {}
        Err(error) => progress::line(&format!(
            "  Photos       not all of the demo readers' are in; the next `up` goes on: {error:#}"
        )),
    }
}
