//! The site for browser tests: an empty database, the demo city, the real server.

use std::{path::Path, process::Command, thread};

use anyhow::bail;
use servers::{
    checkout::Checkout,
    ports,
    process::{self, Output},
    progress::Step,
};

use crate::{
    chromium,
    database::Database,
    junit::Report,
    limits,
    server::{self, Build, Program, Settings},
    up::Site,
    web,
};

/// Ports for the sites and stand-ins that browser tests start: more than are used concurrently.
const PORTS: usize = 32;
const UPLOAD_TIMEOUT: &str = "CITYGUIDE__HTTP__UPLOAD_TIMEOUT_SECONDS";

/// `test browser`: runs Playwright with these arguments against a private server.
pub(crate) fn tests(
    checkout: &Checkout,
    database: &Database,
    arguments: &[String],
) -> anyhow::Result<()> {
    let file = checkout.path("web/test-results/junit.xml");
    Report::forget(&file)?;
    let mut command = web::npm(checkout, &["run", "e2e", "--"]);
    command.args(arguments);
    command.env("PLAYWRIGHT_JUNIT_OUTPUT_FILE", &file);
    let outcome = with_sites(checkout, database, Build::WithTests, &mut command);
    let report = Report::read(&file)?;
    report.print_slowest();
    report.print_retried();
    outcome.map_err(|error| report.explain(&error))
}

/// `screenshots`: runs the journeys that take screenshots of the same sites.
pub(crate) fn screenshots(checkout: &Checkout, folder: &Path) -> anyhow::Result<()> {
    let folder = std::path::absolute(folder)?;
    std::fs::create_dir_all(&folder)?;
    web::build(checkout)?;
    let database = Database::private(checkout, &[])?;
    let mut command = web::npm(checkout, &["run", "e2e", "--", "--grep", "@screenshots"]);
    command.env("SCREENSHOTS", &folder);
    with_sites(checkout, &database, Build::Alone, &mut command)
}

/// Serves the demo city while a command runs. The command's environment contains the address and everything that it
/// needs to start its own sites.
fn with_sites(
    checkout: &Checkout,
    database: &Database,
    build: Build,
    command: &mut Command,
) -> anyhow::Result<()> {
    let chromium = chromium::ensure(checkout)?;
    web::install(checkout)?;
    let program = Program::build(checkout, build)?;
    let third_parties = server::third_parties(checkout, build)?;
    let data = tempfile::Builder::new()
        .prefix("cityguide-others-")
        .tempdir()?;
    let others = Settings {
        database: database.other_sites(),
        ..settings(checkout, database, data.path())?
    };
    let with_calendars = Settings {
        database: database.with_calendars(),
        ..others.clone()
    };
    prepare_both(checkout, &program, &others, &with_calendars)?;
    let ports = (0..PORTS).map(|_| ports::free().map(|port| port.to_string()));
    let ports = ports.collect::<Result<Vec<_>, _>>()?.join(",");
    serving(checkout, database, build, "browser", |site| {
        command
            .env("BASE_URL", site.url())
            .env("MAIL_FOLDER", site.mail_folder())
            .env("CHROMIUM", chromium)
            .env("SITE_DATABASE", &site.database)
            .env("SITE_DATA", &site.data)
            .env("PORTS", ports)
            .env("OTHERS_PROGRAM", program.path())
            .env("OTHERS_DATABASE", &others.database)
            .env("OTHERS_DATA", data.path())
            .env("THIRD_PARTIES", &third_parties)
            .env("CALENDARS_DATABASE", &with_calendars.database)
            .env("MAIL_SERVER_DATABASE", database.with_mail_server());
        process::run("the browser's tests", command, Output::Shown)
    })
}

/// Prepares the databases of the sites that tests start, in parallel.
fn prepare_both(
    checkout: &Checkout,
    program: &Program,
    others: &Settings,
    with_calendars: &Settings,
) -> anyhow::Result<()> {
    let logs = [
        checkout.log("browser-others-prepare")?,
        checkout.log("browser-calendars-prepare")?,
    ];
    thread::scope(|scope| {
        let first = scope.spawn(|| program.prepare(others, &logs[0]));
        let second = program.prepare(with_calendars, &logs[1]);
        first
            .join()
            .unwrap_or_else(|_| bail!("preparing a database panicked"))
            .and(second)
    })
}

/// Settings of a site on the browser tests' database and free ports.
pub(crate) fn settings(
    checkout: &Checkout,
    database: &Database,
    data: &Path,
) -> anyhow::Result<Settings> {
    Ok(Settings {
        database: database.browser(),
        site: checkout.path(Site::Guide.file()),
        data: data.to_owned(),
        port: ports::free()?,
        internal_port: ports::free()?,
    })
}

/// Serves the demo city while a function runs, and stops it even if the function fails. `name` is part of the logs'
/// names.
pub(crate) fn serving(
    checkout: &Checkout,
    database: &Database,
    build: Build,
    name: &str,
    work: impl FnOnce(&Settings) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let program = Program::build(checkout, build)?;

    let data = tempfile::Builder::new()
        .prefix("cityguide-data-")
        .tempdir()?;
    let settings = settings(checkout, database, data.path())?;
    let step = Step::quiet("City");
    program.prepare(&settings, &checkout.log(&format!("{name}-prepare"))?)?;
    step.done("tables and the demo city are ready");

    let step = Step::quiet("Server");
    let log = checkout.log(&format!("{name}-server"))?;
    let mut own = limits::lifted();
    // A receipt waits until no upload can be in progress.
    own.push((UPLOAD_TIMEOUT.to_owned(), "10".to_owned()));
    let server = program.serve(&settings, &["serve"], &own, Output::Log(&log))?;
    step.done(&format!(
        "answers on {}; log in {}",
        settings.url(),
        checkout.shown(&log)
    ));

    let outcome = work(&settings);
    let orderly = server.stop();
    outcome?;
    anyhow::ensure!(
        orderly,
        "the server did not stop in time and was killed; see {}",
        log.display()
    );
    Ok(())
}
