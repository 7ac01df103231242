//! Reads all tables at one snapshot.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use chassis::{blobs::Blobs, error::Fault};
use chrono::{DateTime, Utc};
use futures::StreamExt;
use sqlx::{PgConnection, PgPool};

use super::{
    catalog::{self, Table},
    execute, patient, qualified, quoted,
};
use crate::backup::{
    manifest::{SchemaCopy, TableCopy, key_of, table_name},
    parts,
    sealing::Recipients,
};

/// A snapshot of the database, which sees only changes that were committed before it.
pub(in crate::backup) struct Snapshot {
    connection: PgConnection,
    /// The snapshot's instant, by PostgreSQL's clock.
    pub(in crate::backup) at: DateTime<Utc>,
}

impl Snapshot {
    /// Takes a snapshot. Values are written in the same format regardless of the server's configuration.
    pub(in crate::backup) async fn take(pool: &PgPool) -> Result<Self, Fault> {
        let mut connection = patient(pool).await?;
        let begin =
            "SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex';
            SET extra_float_digits = 1; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        execute(&mut connection, begin.to_owned()).await?;
        let at = sqlx::query_scalar("SELECT now()")
            .fetch_one(&mut connection)
            .await?;
        Ok(Self { connection, at })
    }

    /// Writes a schema's tables to the store.
    pub(in crate::backup) async fn copy_schema(
        &mut self,
        schema: &chassis::postgres::Schema<'_>,
        store: &Blobs,
        recipients: &Recipients,
        id: &str,
    ) -> Result<SchemaCopy, Fault> {
        let connection = &mut self.connection;
        let versions = schema.applied_versions(&mut *connection).await?;
        let mut tables = Vec::new();
        for table in catalog::tables(connection, schema.name).await? {
            if table.name != schema.migrations_table() {
                let name = schema.name;
                tables.push(copy_table(connection, name, table, store, recipients, id).await?);
            }
        }
        Ok(SchemaCopy {
            name: schema.name.to_owned(),
            versions: versions.unwrap_or_default(),
            tables,
            // Sequences do not belong to a snapshot: read last, they are ahead of all rows.
            sequences: catalog::sequences(connection, schema.name).await?,
        })
    }
}

async fn copy_table(
    connection: &mut PgConnection,
    schema: &str,
    table: Table,
    store: &Blobs,
    recipients: &Recipients,
    id: &str,
) -> Result<TableCopy, Fault> {
    let days = if table.is_partitioned {
        catalog::days(connection, schema).await?
    } else {
        Vec::new()
    };
    let columns: Vec<_> = table.columns.iter().map(|name| quoted(name)).collect();
    let statement = format!(
        "COPY (SELECT {} FROM {}) TO STDOUT",
        columns.join(", "),
        qualified(schema, &table.name)
    );
    let rows = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&rows);
    let content = connection
        .copy_out_raw(&statement)
        .await?
        .map(move |piece| {
            let piece = piece?;
            counted.fetch_add(lines(&piece), Ordering::Relaxed);
            Ok(piece)
        });
    let key = key_of(id, &table_name(schema, &table.name));
    let part = parts::write(store, &key, Some(recipients.sealer()?), content).await?;
    Ok(TableCopy {
        name: table.name,
        columns: table.columns,
        days,
        rows: rows.load(Ordering::Relaxed),
        part,
    })
}

/// The number of rows that end in a piece: the format escapes line breaks in values.
fn lines(piece: &Bytes) -> u64 {
    piece.split(|byte| *byte == b'\n').skip(1).count() as u64
}
