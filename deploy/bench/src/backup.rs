//! `bench backup`: a backup of tables and of files, the next backup, and a restore, compared with copying as many bytes.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context;
use rand::{RngCore as _, SeedableRng as _, rngs::SmallRng};
use serde::Deserialize;
use tempfile::TempDir;

use crate::{
    database::Database,
    fill::{self, Cast},
    harness::{Bench, Turn, float},
    plan::Operator,
    results::Measure,
};

/// Rows of photos, the largest table.
const PHOTOS: usize = 1_000_000;
/// Files, and the bytes of each, which is about a photo's largest size.
const FILES: u64 = 4_000;
const FILE: usize = 128 << 10;
const NEXT: &str = "the next backup, MB/s of tables and known files";

/// The keys of the backups, made by the suite's preparation.
#[derive(Debug, Deserialize)]
struct Keys {
    recipient: String,
    identity: PathBuf,
}

/// The operator of one turn, with its own folders.
struct Turns {
    operator: Operator,
    identity: String,
    database: String,
    folder: TempDir,
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let keys: Keys = bench.plan.options()?;
    let database = Database::open(&bench.plan.site.database).await?;
    Cast::prepare(&database).await?;
    fill::photos(&database, PHOTOS).await?;
    let folder = tempfile::tempdir()?;
    let files = folder.path().join("files");
    write_files(&files)?;
    let tables: i64 = database
        .value("SELECT sum(pg_table_size(oid))::bigint FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p'")
        .await?;
    let bytes = tables.unsigned_abs() + FILES * FILE as u64;
    let megabytes = |bytes: u64| bytes / 1_000_000;
    bench.about(format!(
        "{} MB of tables, {} MB in {FILES} files",
        megabytes(tables.unsigned_abs()),
        megabytes(bytes) - megabytes(tables.unsigned_abs())
    ));
    let mut turns = Turns {
        operator: bench.plan.site.operator.clone(),
        identity: keys.identity.display().to_string(),
        database: bench.plan.site.database.clone(),
        folder,
    };
    turns.set("BACKUP__RECIPIENTS", format!(r#"["{}"]"#, keys.recipient));
    turns.set("BLOBS__FOLDER", files.display().to_string());
    turns.set("LOG__FILTER", "error".to_owned());
    let rate = |took: Duration| float(bytes) / 1e6 / took.as_secs_f64();
    let both = async || {
        let [first, next, restored] = turns.turn(&database).await?;
        let copied = turns.copy(bytes)?;
        let ours = [first, next, restored].map(rate);
        anyhow::Ok((Turn::of(ours.into()), Turn::of(vec![rate(copied); 3])))
    };
    let rounds = bench.rounds("a backup", both).await?;
    let measures = ["a first backup, MB/s", NEXT, "a restore, MB/s"];
    let measures = measures.map(|name| Measure::new(name, "cp and fsync", None));
    bench.record(&measures, &rounds);
    Ok(())
}

/// Files that cannot be compressed, like pictures.
fn write_files(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let mut random = SmallRng::seed_from_u64(7);
    let mut content = vec![0; FILE];
    for file in 0..FILES {
        random.fill_bytes(&mut content);
        fs::write(folder.join(format!("{file}.jpg")), &content)?;
    }
    Ok(())
}

impl Turns {
    fn set(&mut self, name: &str, value: String) {
        let variable = (format!("CITYGUIDE__{name}"), value);
        self.operator.environment.push(variable);
    }

    /// Makes a backup, then another one, then restores it; returns the times.
    async fn turn(&self, database: &Database) -> anyhow::Result<[Duration; 3]> {
        let store = tempfile::tempdir_in(self.folder.path())?;
        let target = tempfile::tempdir_in(self.folder.path())?;
        let mut operator = self.operator.clone();
        let mut set = |name: &str, value: String| {
            let variable = (format!("CITYGUIDE__{name}"), value);
            operator.environment.push(variable);
        };
        set("BACKUP__FOLDER", store.path().display().to_string());
        let first = timed(&operator, &["backup"]).await?;
        let next = timed(&operator, &["backup"]).await?;
        database.run("DROP DATABASE IF EXISTS restored").await?;
        database.run("CREATE DATABASE restored").await?;
        let (server, _) = self.database.rsplit_once('/').context("a database")?;
        let mut set = |name: &str, value: String| {
            let variable = (format!("CITYGUIDE__{name}"), value);
            operator.environment.push(variable);
        };
        set("DATABASE__URL", format!("{server}/restored"));
        set("BLOBS__FOLDER", target.path().display().to_string());
        let restore = ["restore", "--identity", &self.identity, "--as-copy"];
        let restored = timed(&operator, &restore).await?;
        Ok([first, next, restored])
    }

    /// Copies as many bytes as a backup reads.
    fn copy(&self, bytes: u64) -> anyhow::Result<Duration> {
        let (from, to) = (
            self.folder.path().join("from"),
            self.folder.path().join("to"),
        );
        if !from.exists() {
            let mut file = File::create(&from)?;
            let piece = vec![7; 1 << 20];
            for _ in 0..=(bytes >> 20) {
                file.write_all(&piece)?;
            }
        }
        let begun = Instant::now();
        fs::copy(&from, &to)?;
        File::open(&to)?.sync_all()?;
        Ok(begun.elapsed())
    }
}

async fn timed(operator: &Operator, arguments: &[&str]) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    operator.run(arguments).await?;
    Ok(begun.elapsed())
}
