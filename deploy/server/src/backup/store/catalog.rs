//! The tables and sequences of the services' schemas.

use std::collections::{BTreeMap, BTreeSet};

use chassis::error::{Code, Fault};
use chrono::NaiveDate;
use sqlx::{AssertSqlSafe, PgConnection};

use super::quoted;

/// A table with permanent content.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    /// The columns that are not computed.
    pub(super) columns: Vec<String>,
    pub(super) is_partitioned: bool,
}

/// The tables of a schema, without partitions and unlogged tables. Each table follows the tables that its foreign keys
/// reference.
pub(super) async fn tables(
    connection: &mut PgConnection,
    schema: &str,
) -> Result<Vec<Table>, Fault> {
    let found: Vec<(String, bool, Vec<String>)> = sqlx::query_as(
        "SELECT c.relname::text, c.relkind = 'p', array_agg(a.attname::text ORDER BY a.attnum)
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p')
             AND NOT c.relispartition AND c.relpersistence = 'p'
             AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         GROUP BY c.oid ORDER BY c.relname",
    )
    .bind(quoted(schema))
    .fetch_all(&mut *connection)
    .await?;
    let references: Vec<(String, String)> = sqlx::query_as(
        "SELECT c.relname::text, target.relname::text FROM pg_constraint
         JOIN pg_class c ON c.oid = conrelid JOIN pg_class target ON target.oid = confrelid
         WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = to_regnamespace($1)",
    )
    .bind(quoted(schema))
    .fetch_all(connection)
    .await?;
    let tables = found
        .into_iter()
        .map(|(name, is_partitioned, columns)| Table {
            name,
            columns,
            is_partitioned,
        });
    in_order(tables.collect(), &references).ok_or_else(|| {
        let message = format!("the foreign keys of the schema {schema} form a circle");
        Fault::new(Code::Internal, message)
    })
}

/// Orders tables so that each follows the tables that it references; `None` if they reference each other.
fn in_order(mut tables: Vec<Table>, references: &[(String, String)]) -> Option<Vec<Table>> {
    let (mut ordered, mut placed) = (Vec::new(), BTreeSet::new());
    while !tables.is_empty() {
        let (ready, rest): (Vec<_>, Vec<_>) = tables.into_iter().partition(|table| {
            let mut own = references.iter().filter(|(from, _)| *from == table.name);
            own.all(|(_, to)| placed.contains(to))
        });
        if ready.is_empty() {
            return None;
        }
        placed.extend(ready.iter().map(|table| table.name.clone()));
        ordered.extend(ready);
        tables = rest;
    }
    Some(ordered)
}

/// The last values of a schema's sequences that have been used.
pub(super) async fn sequences(
    connection: &mut PgConnection,
    schema: &str,
) -> Result<BTreeMap<String, i64>, Fault> {
    let found: Vec<(String, i64)> = sqlx::query_as(
        "SELECT sequencename::text, last_value FROM pg_sequences
         WHERE schemaname = $1 AND last_value IS NOT NULL",
    )
    .bind(schema)
    .fetch_all(connection)
    .await?;
    Ok(found.into_iter().collect())
}

/// The days of a partitioned table's partitions. Its schema has a function that lists them.
pub(super) async fn days(
    connection: &mut PgConnection,
    schema: &str,
) -> Result<Vec<NaiveDate>, Fault> {
    let statement = format!(
        "SELECT day FROM {}.days_with_events({}) AS day",
        quoted(schema),
        i32::MAX
    );
    let days = sqlx::query_scalar(AssertSqlSafe(statement));
    Ok(days.fetch_all(connection).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referenced_tables_come_first_and_circles_have_no_order() {
        let tables = || {
            ["a", "b", "c"].map(|name| Table {
                name: name.to_owned(),
                columns: Vec::new(),
                is_partitioned: false,
            })
        };
        let reference = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let chain = [reference("a", "c"), reference("c", "b")];
        let ordered = in_order(tables().into(), &chain).expect("an order");
        let names: Vec<_> = ordered.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["b", "c", "a"]);
        let circle = [reference("a", "c"), reference("c", "a")];
        assert!(in_order(tables().into(), &circle).is_none());
    }
}
