//! The queries of each service, checked on a live PostgreSQL (`gen sqlx`).

use std::{
    ffi::OsStr,
    fs::{self, File, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::{Context, ensure};
use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

use crate::{database::Database, server::cargo};

/// The crate whose tables every schema contains.
const EVERYWHERE: &str = "chassis";

/// A crate with SQL, and the schema in which its queries are checked.
struct SqlCrate {
    name: String,
    schema: String,
}

impl SqlCrate {
    fn folder(&self, checkout: &Checkout) -> PathBuf {
        checkout.path("services").join(&self.name)
    }

    fn offline(&self, checkout: &Checkout) -> PathBuf {
        self.folder(checkout).join(".sqlx")
    }
}

/// All crates of `services/` with migrations. The chassis has no schema: its tables are in each service's schema, and
/// its queries are checked in the first schema.
fn crates(checkout: &Checkout) -> anyhow::Result<Vec<SqlCrate>> {
    let folder = checkout.path("services");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        if entry.path().join("migrations").is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.retain(|name| name != EVERYWHERE);
    names.sort();
    ensure!(!names.is_empty(), "{} has no service", folder.display());
    let chassis = (EVERYWHERE.to_owned(), names[0].clone());
    let services = names.into_iter().map(|name| (name.clone(), name));
    let all = [chassis].into_iter().chain(services);
    Ok(all
        .map(|(name, schema)| SqlCrate { name, schema })
        .collect())
}

/// Updates each crate's `.sqlx` like `cargo sqlx prepare`, but without that program: with a live server that contains
/// the tables, and the output folder of the crate's macros.
pub(crate) fn renew(checkout: &Checkout) -> anyhow::Result<()> {
    let crates = crates(checkout)?;
    let database = Database::private(checkout, &tables(checkout, &crates)?)?;

    // First checks all crates together: a wrong query is reported before any file is changed.
    let step = Step::announced("Queries", "checking on a live server");
    let mut all = online(checkout, &database, &crates, &crates);
    process::run("cargo check", &mut all, Output::Shown)?;
    step.done("all hold");

    for one in &crates {
        let name = &one.name;
        let step = Step::quiet("Queries");
        let offline = one.offline(checkout);
        // Takes the place of the old folder when it is complete.
        let fresh = tempfile::tempdir_in(one.folder(checkout))?;
        touch(&one.folder(checkout).join("src/lib.rs"))?;
        // Crates that depend on this crate are recompiled too; offline, they read their own folders and do not write
        // into this crate's folder.
        let mut check = online(checkout, &database, &crates, std::slice::from_ref(one));
        check.env("SQLX_OFFLINE_DIR", fresh.path());
        process::run(&format!("cargo check of {name}"), &mut check, Output::Shown)?;
        let count = fs::read_dir(fresh.path())?.count();
        if offline.is_dir() {
            fs::remove_dir_all(&offline)?;
        }
        if count > 0 {
            let fresh = fresh.keep();
            fs::set_permissions(&fresh, Permissions::from_mode(0o755))?;
            fs::rename(fresh, &offline)?;
        }
        step.done(&format!("{name}: {count} in .sqlx"));
    }
    Ok(())
}

/// `cargo check` of `all` crates, because a part of them would have dependencies with other features. The queries of
/// `crates` are checked on the server instead of in `.sqlx`.
fn online(
    checkout: &Checkout,
    database: &Database,
    all: &[SqlCrate],
    crates: &[SqlCrate],
) -> Command {
    let mut check = cargo(checkout);
    check
        .args(["check", "--quiet"])
        .env("SQLX_OFFLINE", "false");
    for SqlCrate { name, schema } in crates {
        let key = format!("{}_DATABASE_URL", name.to_uppercase());
        let url = format!(
            "{}?options=-c%20search_path%3D{schema},extensions",
            database.site()
        );
        check.env(key, url);
    }
    for SqlCrate { name, .. } in all {
        check.args(["--package", name]);
    }
    check
}

/// The migrations, as steps that need only a server. The program could apply them too, but it does not compile while
/// queries and `.sqlx` differ.
fn tables(checkout: &Checkout, crates: &[SqlCrate]) -> anyhow::Result<Vec<String>> {
    let mut steps = Vec::new();
    for SqlCrate { name, schema } in crates.iter().filter(|one| one.name != EVERYWHERE) {
        let mut files = migrations(checkout, EVERYWHERE)?;
        files.extend(migrations(checkout, name)?);
        // Sorted by version, as in the program.
        files.sort_by_key(|file| file.file_name().map(OsStr::to_owned));
        steps.push(format!("CREATE SCHEMA {schema}"));
        steps.push(format!("SET search_path = {schema}, extensions"));
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
    let now = SystemTime::now();
    let touch = || File::options().append(true).open(file)?.set_modified(now);
    touch().with_context(|| format!("{} cannot be touched", file.display()))
}
