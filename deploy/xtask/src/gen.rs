//! `gen`: what is generated and yet committed, so that a reader of the repository sees it and a
//! change to it is reviewed.

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};
use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

use crate::{
    database::Database,
    server::{Program, cargo},
    web,
};

/// Every crate with SQL of its own, in `services/`, and the schema that its queries are checked in.
/// The chassis has no schema: its tables stand in each service's.
const SQL_CRATES: [(&str, &str); 5] = [
    ("chassis", "places"),
    ("identity", "identity"),
    ("places", "places"),
    ("bookmarks", "bookmarks"),
    ("editorial", "editorial"),
];
/// The crate whose tables every schema has.
const EVERYWHERE: &str = "chassis";

/// The gateway's table of pages, as the application's tests read it.
const PAGES: &str = "web/src/routes/table.ts";

/// Everything that is generated, for git to compare.
const GENERATED: [&str; 11] = [
    "deploy/demo/pictures",
    "deploy/demo/places/listed",
    "docs/settings.schema.json",
    "services/bookmarks/.sqlx",
    "services/chassis/.sqlx",
    "services/editorial/.sqlx",
    "services/identity/.sqlx",
    "services/places/.sqlx",
    "web/openapi.json",
    "web/src/api/schema.d.ts",
    PAGES,
];

/// A kind of generated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// The queries of each service, checked on a live PostgreSQL
    Sqlx,
    /// The OpenAPI document, the web client's types, and the table of pages
    Api,
    /// The JSON schema of the settings
    Settings,
    /// The demo city's places without a review
    Places,
    /// The demo city's pictures
    Pictures,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only these kinds; all of them when none is named
    kinds: Vec<Kind>,
    /// Fail, naming the files, when anything differs from what is committed
    #[arg(long)]
    check: bool,
}

impl Arguments {
    /// All kinds, compared with what is committed.
    pub(crate) fn everything_as_committed() -> Self {
        Self {
            kinds: Vec::new(),
            check: true,
        }
    }
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let asked = |kind: Kind| arguments.kinds.is_empty() || arguments.kinds.contains(&kind);
    // Queries first: the program that prints the rest is compiled with them.
    if asked(Kind::Sqlx) {
        queries(checkout)?;
    }
    if asked(Kind::Api) || asked(Kind::Settings) {
        let program = Program::build(checkout)?;
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
            save(&program, &["pages"], &checkout.path(PAGES))?;
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

/// Runs the generator of the demo city, which `up` and the tests have no need to compile.
fn demo_city(checkout: &Checkout, parts: &[&str]) -> anyhow::Result<()> {
    let step = Step::quiet("Demo city");
    let mut generator = cargo(checkout);
    generator.args(["run", "--quiet", "--package", "demo-city", "--"]);
    generator.args(parts);
    let counts = String::from_utf8(process::read("demo-city", &mut generator)?)?;
    step.done(&counts.lines().collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Writes what the program prints, with one line end at the end.
fn save(program: &Program, arguments: &[&str], file: &Path) -> anyhow::Result<()> {
    let name = format!("cityguide {}", arguments.join(" "));
    let text = String::from_utf8(process::read(&name, &mut program.command(arguments))?)?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, format!("{}\n", text.trim_end()))
        .with_context(|| format!("{} cannot be written", file.display()))
}

/// Renews each crate's `.sqlx` as `cargo sqlx prepare` does, without needing that program: a live
/// server with the tables, and the crate's macros told where to write what they learn.
fn queries(checkout: &Checkout) -> anyhow::Result<()> {
    let database = Database::private(checkout, &tables(checkout)?)?;

    // All at once first: a query that is wrong is told before any file is touched.
    let step = Step::announced("Queries", "checking on a live server");
    let mut all = online(checkout, &database, &SQL_CRATES);
    for (name, _) in SQL_CRATES {
        all.args(["--package", name]);
    }
    process::run("cargo check", &mut all, Output::Shown)?;
    step.done("all hold");

    for crate_and_schema in SQL_CRATES {
        let (name, _) = crate_and_schema;
        let step = Step::quiet("Queries");
        let folder = checkout.path("services").join(name);
        let offline = folder.join(".sqlx");
        fs::create_dir_all(&offline)?;
        for old in fs::read_dir(&offline)? {
            fs::remove_file(old?.path())?;
        }
        touch(&folder.join("src/lib.rs"))?;
        // A crate under this one may be compiled anew too; without a server it reads its own folder
        // and writes nothing into this one.
        let mut check = online(checkout, &database, &[crate_and_schema]);
        check
            .args(["--package", name])
            .env("SQLX_OFFLINE_DIR", &offline);
        process::run(&format!("cargo check of {name}"), &mut check, Output::Shown)?;
        let count = fs::read_dir(&offline)?.count();
        if count == 0 {
            fs::remove_dir(&offline)?;
        }
        step.done(&format!("{name}: {count} in .sqlx"));
    }
    Ok(())
}

/// `cargo check` with these crates' queries checked on the server instead of in `.sqlx`.
fn online(checkout: &Checkout, database: &Database, crates: &[(&str, &str)]) -> Command {
    let mut check = cargo(checkout);
    check
        .args(["check", "--quiet"])
        .env("SQLX_OFFLINE", "false");
    for (name, schema) in crates {
        let key = format!("{}_DATABASE_URL", name.to_uppercase());
        let url = format!("{}?options=-c%20search_path%3D{schema}", database.site());
        check.env(key, url);
    }
    check
}

/// The migrations, as steps that need nothing but a server. The program would apply them too, but it
/// cannot be compiled while queries and `.sqlx` differ, which is when they are to be renewed.
fn tables(checkout: &Checkout) -> anyhow::Result<Vec<String>> {
    let mut steps = Vec::new();
    for (name, schema) in SQL_CRATES {
        if name == EVERYWHERE {
            continue;
        }
        let mut files = migrations(checkout, EVERYWHERE)?;
        files.extend(migrations(checkout, name)?);
        // By version, as the program does.
        files.sort_by_key(|file| file.file_name().map(OsStr::to_owned));
        steps.push(format!("CREATE SCHEMA {schema}"));
        steps.push(format!("SET search_path = {schema}"));
        for file in files {
            steps.push(fs::read_to_string(file)?);
        }
    }
    Ok(steps)
}

/// A crate's migrations; the chassis has a folder for each part of its tables.
fn migrations(checkout: &Checkout, name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = vec![checkout.path("services").join(name).join("migrations")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("{} cannot be read", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "sql") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// Makes cargo compile a crate again.
fn touch(file: &Path) -> anyhow::Result<()> {
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo compares with the file system's clock, which cannot be injected"
    )]
    let now = std::time::SystemTime::now();
    File::options()
        .append(true)
        .open(file)
        .and_then(|file| file.set_modified(now))
        .with_context(|| format!("{} cannot be touched", file.display()))
}

/// Asks git whether the generated files are the committed ones; new files count too.
fn compare(checkout: &Checkout) -> anyhow::Result<()> {
    let mut status = Command::new("git");
    status
        .args(["status", "--porcelain", "--untracked-files=all", "--"])
        .args(GENERATED)
        .current_dir(&checkout.root);
    let changed = String::from_utf8(process::read("git status", &mut status)?)?;
    // A staged file is as good as a committed one: only the second column speaks of the folder.
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
