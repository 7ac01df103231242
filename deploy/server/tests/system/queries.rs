//! Compares the committed descriptions of queries, which let the program compile without a server, with the tables that
//! the migrations create.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, SqlSafeStr as _};

use crate::commands::migrated;

/// The crate without a schema: each service's schema contains the chassis tables that the service uses.
const EVERYWHERE: &str = "chassis";
const SCHEMAS: &str = "ads, bookmarks, editorial, identity, newsletters, photos, places";

#[tokio::test]
async fn each_committed_query_is_in_the_code_and_is_described_as_the_tables_are() {
    let (_, database, _blobs) = migrated().await;
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let mut stale = Vec::new();
    let mut checked = 0;
    for folder in entries(&services) {
        let committed = folder.join(".sqlx");
        if !committed.is_dir() {
            continue;
        }
        let name = folder.file_name().expect("a name").to_string_lossy();
        let schema = if name == EVERYWHERE { SCHEMAS } else { &*name };
        let code = code(&folder.join("src"));
        let mut connection = database.connection().await;
        let path = format!("SET search_path = {schema}, extensions");
        connection
            .execute(AssertSqlSafe(path))
            .await
            .expect("a schema");
        let filled = filled(&mut connection).await;
        for file in entries(&committed) {
            checked += 1;
            let text = fs::read_to_string(&file).expect("a description");
            let described: Value = serde_json::from_str(&text).expect("JSON");
            let query = described["query"].as_str().expect("a query").to_owned();
            if !code.contains(statement(&query)) {
                stale.push(format!("{}: nothing has this query", file.display()));
            }
            let now = connection.describe(AssertSqlSafe(query).into_sql_str());
            match now.await {
                Ok(now) => {
                    let now = serde_json::to_value(&now).expect("JSON");
                    let before = &described["describe"];
                    let is_same = ["columns", "parameters"]
                        .iter()
                        .all(|part| now[part] == before[part]);
                    if !is_same || !nulls_are_known(before, &filled) {
                        stale.push(format!("{}: the tables have changed", file.display()));
                    }
                }
                Err(error) => stale.push(format!("{}: {error}", file.display())),
            }
        }
    }
    assert!(checked > 0, "no query was checked");
    assert!(
        stale.is_empty(),
        "`cargo xtask gen sqlx` renews these:\n{}",
        stale.join("\n")
    );
}

/// The columns that are never NULL, with their tables.
async fn filled(connection: &mut PgConnection) -> BTreeSet<(String, String)> {
    let columns = sqlx::query_as(
        "SELECT relname::text, attname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
         WHERE attnotnull AND pg_table_is_visible(attrelid)",
    );
    let columns: Vec<_> = columns.fetch_all(connection).await.expect("columns");
    columns.into_iter().collect()
}

/// Whether each table column that a description lists as never NULL still cannot be NULL. PostgreSQL's own result for a
/// whole query depends on the query's plan.
fn nulls_are_known(described: &Value, filled: &BTreeSet<(String, String)>) -> bool {
    let columns = described["columns"].as_array().expect("columns");
    let nullable = described["nullable"].as_array().expect("a list");
    columns.iter().zip(nullable).all(|(column, nullable)| {
        let origin = &column["origin"]["Table"];
        let (Some(table), Some(name)) = (origin["table"].as_str(), origin["name"].as_str()) else {
            return true;
        };
        nullable != false || filled.contains(&(table.to_owned(), name.to_owned()))
    })
}

/// Returns the statement as written in the source, without the two fixed parts that `chassis::stamped!` adds around it.
fn statement(query: &str) -> &str {
    let stamped = query.strip_prefix("WITH changed AS (");
    let stamped = stamped.and_then(|rest| rest.split_once("), stamped AS ("));
    stamped.map_or(query, |(statement, _)| statement)
}

/// All Rust code below a folder.
fn code(folder: &Path) -> String {
    let mut code = String::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                code += &fs::read_to_string(&path).expect("code");
            }
        }
    }
    code
}

/// The entries of a folder, sorted by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
}
