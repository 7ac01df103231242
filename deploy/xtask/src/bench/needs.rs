//! Requirements of individual suites besides a site: nginx, a browser, mail servers, sharp.

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use servers::{
    apt,
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

use super::{Suite, site::Stage};
use crate::{
    chromium,
    nginx::Nginx,
    server::{Build, example_of, executable_of},
    web,
};

/// The options of a suite, and the servers that must run during it.
pub(super) fn options(suite: Suite, stage: &Stage<'_>) -> anyhow::Result<(Value, Vec<Nginx>)> {
    let checkout = stage.checkout;
    let options = match suite {
        Suite::Web => return browser(stage),
        Suite::Media => {
            let nginx = Nginx::start(checkout, "bench-nginx")?;
            let address = nginx.url().trim_start_matches("http://").to_owned();
            let options = json!({"address": address, "folder": nginx.files()});
            return Ok((options, vec![nginx]));
        }
        Suite::Ads { day: true, pages } => json!({
            "service": example_of(checkout, "ads", "told_the_time")?,
            "pages": pages,
        }),
        Suite::Newsletters { readers } => json!({
            "internal_port": stage.settings.internal_port,
            "mail_port": stage.mail_port,
            "folder": stage.folder.path(),
            "sink": postfix(checkout, "smtp-sink")?,
            "source": postfix(checkout, "smtp-source")?,
            "readers": readers,
        }),
        Suite::Backup => backup_keys(stage)?,
        Suite::Faults => json!({"mail_port": stage.mail_port}),
        Suite::Soak { minutes, rate } => json!({"minutes": minutes, "rate": rate}),
        _ => Value::Null,
    };
    Ok((options, Vec::new()))
}

/// Makes the keys of a backup with age-keygen, which prints the public key.
fn backup_keys(stage: &Stage<'_>) -> anyhow::Result<Value> {
    let identity = stage.folder.path().join("identity");
    apt::ensure(stage.checkout, "age", "", || apt::on_path(&["age-keygen"]))?;
    let made = Command::new("age-keygen")
        .arg("-o")
        .arg(&identity)
        .status()?;
    ensure!(made.success(), "age-keygen failed");
    let text = fs::read_to_string(&identity)?;
    let recipient = text
        .lines()
        .find_map(|line| line.strip_prefix("# public key: "));
    let recipient = recipient.context("age-keygen wrote no public key")?;
    Ok(json!({"recipient": recipient, "identity": identity}))
}

/// Finds or installs a program of Postfix.
fn postfix(checkout: &Checkout, name: &'static str) -> anyhow::Result<PathBuf> {
    apt::ensure(checkout, "postfix", "", || {
        let usual = PathBuf::from("/usr/sbin").join(name);
        apt::on_path(&[name]).or_else(|| usual.is_file().then_some(usual))
    })
}

/// The environment of the visits: Chromium, and servers of a static page and of an empty application, which is built
/// with the real application's settings.
fn browser(stage: &Stage<'_>) -> anyhow::Result<(Value, Vec<Nginx>)> {
    let checkout = stage.checkout;
    let build = stage.folder.path().join("empty");
    let arguments = ["exec", "--", "vite", "build", "bench/empty", "--outDir"];
    let mut vite = web::npm(checkout, &arguments);
    vite.arg(&build).args(["--config", "vite.config.ts"]);
    let log = checkout.log("bench-empty-build")?;
    process::run("vite build bench/empty", &mut vite, Output::Log(&log))?;
    let page = Nginx::start(checkout, "bench-static")?;
    let empty = Nginx::start(checkout, "bench-empty")?;
    let environment = json!({
        "CHROMIUM": chromium::ensure(checkout)?,
        "STATIC_URL": page.url(),
        "STATIC_FOLDER": page.files(),
        "EMPTY_URL": empty.url(),
        "EMPTY_FOLDER": empty.files(),
        "EMPTY_BUILD": build,
    });
    Ok((environment, vec![page, empty]))
}

/// The program of our side, and a folder with sharp and the drawn pictures.
pub(super) fn sharp(checkout: &Checkout) -> anyhow::Result<Value> {
    let program = executable_of(checkout, "bench-pictures", Build::Release)?;
    let folder = checkout.kept().join("bench-pictures");
    fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json", "sharp.mjs"] {
        let source = checkout.path("deploy/bench-pictures").join(name);
        fs::copy(source, folder.join(name))?;
    }
    let step = Step::quiet("sharp");
    let log = checkout.log("bench-sharp")?;
    let mut install = Command::new("npm");
    install
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(&folder);
    process::run("npm ci", &mut install, Output::Log(&log))?;
    let mut draw = Command::new(&program);
    draw.arg("draw").arg(folder.join("pictures"));
    process::run("bench-pictures", &mut draw, Output::Shown)?;
    step.done("installed, and pictures drawn");
    Ok(json!({"program": program, "folder": folder}))
}
