//! `test`: all tests, on private servers.

use std::{path::PathBuf, process::Command};

use servers::{
    certificate::Certificate,
    checkout::Checkout,
    process::{self, Output},
    rabbitmq::RabbitMq,
    redis::Redis,
};

use crate::{
    browser,
    calls::{self, Calls},
    database::Database,
    deployables,
    downloads::{OF_TESTS, meanwhile},
    junit::Report,
    layout::WorkTree,
    renderings::{self, Renderings},
    sections::Sections,
    server::{with_lints, without_our_package},
    tools::NEXTEST,
    web,
};

/// A part of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// The web application: unit tests, build
    Web,
    /// The Rust workspace, on a private PostgreSQL, Redis and RabbitMQ
    Unit,
    /// The whole site in a browser
    Browser,
    /// The chart, rules and dashboards, and the site under light load
    Deploy,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only these parts [default: all]
    parts: Vec<Part>,
    /// After `--`: arguments for nextest and Playwright, such as the tests to run
    #[arg(last = true)]
    tests: Vec<String>,
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let asked = |part: Part| arguments.parts.is_empty() || arguments.parts.contains(&part);
    let mut sections = Sections::default();
    let before = WorkTree::read(checkout)?;

    if asked(Part::Web) {
        sections.run("web: packages", || web::install(checkout))?;
        sections.run("web: build", || web::build_anew(checkout, Output::Shown))?;
        sections.run("web: test", || {
            let mut tests = web::npm(checkout, &["test"]);
            meanwhile(checkout, &OF_TESTS, || {
                process::run("npm test in web/", &mut tests, Output::Shown)
            })
        })?;
    } else {
        sections.leave_out("web");
    }
    // Makes this function wait until the tests' databases are removed, even if it fails.
    let mut removal = None;
    if asked(Part::Unit) {
        let renderings = Renderings::begin(checkout)?;
        sections.run("unit: Rust", || {
            let certificate = Certificate::make()?;
            let database = Database::disposable(checkout, &certificate)?;
            let (redis_url, redis) = Redis::url_or_start_with(checkout, Some(&certificate))?;
            let (amqp_url, rabbitmq) = RabbitMq::url_or_start_with(checkout, Some(&certificate))?;
            let calls = Calls::begin()?;
            let mut command = Command::new(NEXTEST.ensure(checkout)?);
            command
                .args(["nextest", "run", "--workspace"])
                .args(&arguments.tests)
                .current_dir(&checkout.root)
                .env("CITYGUIDE_TEST_DATABASE_URL", database.maintenance())
                .env("CITYGUIDE_TEST_REDIS_URL", redis_url)
                .env("CITYGUIDE_TEST_AMQP_URL", amqp_url)
                .env("CITYGUIDE_TEST_CA_FILE", certificate.authority())
                .env(calls::VARIABLE, calls.folder())
                .env(renderings::VARIABLE, renderings.folder());
            // The user of an external server (`DATABASE_URL`) must set its TLS URL in the environment.
            for (variable, url) in [
                ("DATABASE", database.maintenance_over_tls()),
                ("REDIS", redis.as_ref().and_then(Redis::tls_url)),
                ("AMQP", rabbitmq.as_ref().and_then(RabbitMq::tls_url)),
            ] {
                if let Some(url) = url {
                    command.env(format!("CITYGUIDE_TEST_{variable}_TLS_URL"), url);
                }
            }
            with_lints(&mut command);
            without_our_package(&mut command);
            let file = report(checkout);
            Report::forget(&file)?;
            let outcome = process::run("cargo nextest", &mut command, Output::Shown);
            // Removes the tests' databases in the background, because they consist of hundreds of thousands of files.
            removal = Some(database.remove_meanwhile());
            let report = Report::read(&file)?;
            report.print_slowest();
            report.print_retried();
            outcome.map_err(|error| report.explain(&error))?;
            // Some tests do not make all calls.
            if arguments.tests.is_empty() {
                calls.require_all(checkout)?;
            }
            Ok(())
        })?;
        sections.run("unit: the two renderings", || {
            renderings.compare(checkout, !arguments.tests.is_empty())
        })?;
    } else {
        sections.leave_out("unit");
    }

    if asked(Part::Browser) {
        sections.run("browser", || {
            web::build(checkout)?;
            // A private server even if DATABASE_URL is set, because browser tests need an empty database.
            let database = Database::private(checkout, &[])?;
            browser::tests(checkout, &database, &arguments.tests)
        })?;
    } else {
        sections.leave_out("browser");
    }

    if asked(Part::Deploy) {
        deployables::tests(checkout, &mut sections)?;
    } else {
        sections.leave_out("deploy");
    }
    sections.run("the work tree is as it was", || {
        before.require_unchanged(checkout)
    })?;
    drop(removal);
    sections.finish()
}

/// The file of nextest's report (`.config/nextest.toml`).
fn report(checkout: &Checkout) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| checkout.path("target"), PathBuf::from);
    target.join("nextest/default/junit.xml")
}
