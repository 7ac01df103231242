//! `gen`: generated files that are committed, so that they are visible in the repository and their changes are
//! reviewed.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, bail};
use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

use crate::{
    queries,
    server::{Build, Program, executable_of},
    targets, web,
};

/// The gateway's table of pages, from which the application takes the pages of resolved paths.
const PAGES: &str = "web/src/routes/table.ts";
/// The routes of the pages with a fixed path.
const ROUTES: &str = "web/src/routes/fixed-routes.ts";

/// All generated files and folders, for the comparison by git.
const GENERATED: [&str; 11] = [
    "deploy/demo/pictures",
    "deploy/demo/places/listed",
    "docs/settings.schema.json",
    targets::TABLE,
    targets::COMPOSE,
    targets::PROMETHEUS,
    targets::CHART_RULES,
    "web/openapi.json",
    "web/src/api/schema.d.ts",
    PAGES,
    ROUTES,
];

/// A kind of generated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// The queries of each service, checked on a live PostgreSQL
    Sqlx,
    /// The OpenAPI document, the web client's types, and the table of pages
    Api,
    /// The table of targets, its parts of the compose file and of Prometheus's, and the chart's copy of the rules
    Targets,
    /// The JSON schema of the settings
    Settings,
    /// The demo city's places without a review
    Places,
    /// The demo city's pictures
    Pictures,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only these kinds [default: all]
    kinds: Vec<Kind>,
    /// Fail if a generated file differs from the commit, and name the files
    #[arg(long)]
    check: bool,
}

impl Arguments {
    /// Selects all kinds, and compares the results with the commit.
    pub(crate) fn everything_as_committed() -> Self {
        Self {
            kinds: Vec::new(),
            check: true,
        }
    }
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let asked = |kind: Kind| arguments.kinds.is_empty() || arguments.kinds.contains(&kind);
    // The queries come first, because the program that prints the other files is compiled with them. A test compares
    // the queries with the commit.
    if arguments.check && arguments.kinds.contains(&Kind::Sqlx) {
        bail!("a test checks the queries: cargo xtask test unit -- -E 'test(queries::)'");
    }
    if asked(Kind::Sqlx) && !arguments.check {
        queries::renew(checkout)?;
    }
    if asked(Kind::Api) || asked(Kind::Settings) || asked(Kind::Targets) {
        let program = Program::build(checkout, Build::WithTests)?;
        if asked(Kind::Targets) {
            let step = Step::quiet("Targets");
            save(&program, &["targets"], &checkout.path(targets::TABLE))?;
            targets::write_deployments(checkout)?;
            step.done("the table of targets, compose, Prometheus, the chart's rules");
        }
        if asked(Kind::Settings) {
            let step = Step::quiet("Settings");
            save(
                &program,
                &["config", "schema"],
                &checkout.path("docs/settings.schema.json"),
            )?;
            step.done("docs/settings.schema.json");
        }
        if asked(Kind::Api) {
            let step = Step::quiet("API");
            save(&program, &["openapi"], &checkout.path("web/openapi.json"))?;
            save(&program, &["pages", "table"], &checkout.path(PAGES))?;
            save(&program, &["pages", "routes"], &checkout.path(ROUTES))?;
            web::install(checkout)?;
            let log = checkout.log("gen-api")?;
            let mut types = web::npm(checkout, &["run", "gen"]);
            process::run("npm run gen in web/", &mut types, Output::Log(&log))?;
            step.done("web/openapi.json, the client's types, the table of pages");
        }
    }
    let parts = [(Kind::Places, "places"), (Kind::Pictures, "pictures")];
    let parts = parts.into_iter().filter(|(kind, _)| asked(*kind));
    let parts: Vec<_> = parts.map(|(_, name)| name).collect();
    if !parts.is_empty() {
        demo_city(checkout, &parts)?;
    }
    if arguments.check {
        compare(checkout)?;
    }
    Ok(())
}

/// Runs the demo city's generator, which `up` does not need to compile.
fn demo_city(checkout: &Checkout, parts: &[&str]) -> anyhow::Result<()> {
    let program = executable_of(checkout, "demo-city", Build::WithTests)?;
    let step = Step::quiet("Demo city");
    let mut generator = Command::new(program);
    generator.current_dir(&checkout.root);
    generator.arg("write").args(parts);
    let counts = String::from_utf8(process::read("demo-city", &mut generator)?)?;
    step.done(&counts.lines().collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Writes the program's output, with a single line break at the end.
fn save(program: &Program, arguments: &[&str], file: &Path) -> anyhow::Result<()> {
    let name = format!("cityguide {}", arguments.join(" "));
    let text = String::from_utf8(process::read(&name, &mut program.command(arguments))?)?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, format!("{}\n", text.trim_end()))
        .with_context(|| format!("{} cannot be written", file.display()))
}

/// Fails if git reports differences between the generated and the committed files; new files count as differences.
fn compare(checkout: &Checkout) -> anyhow::Result<()> {
    let mut status = Command::new("git");
    status
        .args(["status", "--porcelain", "--untracked-files=all", "--"])
        .args(GENERATED)
        .current_dir(&checkout.root);
    let changed = String::from_utf8(process::read("git status", &mut status)?)?;
    // Staged files count as committed: only the second column describes the work tree.
    let stale: Vec<_> = changed
        .lines()
        .filter(|line| line.as_bytes().get(1).is_some_and(|state| *state != b' '))
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    let mut diff = Command::new("git");
    diff.args(["--no-pager", "diff", "--stat", "--"])
        .args(GENERATED)
        .current_dir(&checkout.root);
    process::run("git diff", &mut diff, Output::Shown)?;
    bail!(
        "what is generated is not what is committed; `cargo xtask gen` has renewed it:\n{}",
        stale.join("\n")
    )
}
