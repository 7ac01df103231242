//! Loads the tables of a backup into empty schemas.

use std::sync::Arc;

use chassis::{
    blobs::Blobs,
    clock::SystemClock,
    entropy::OsEntropy,
    error::{Code, Fault},
    postgres::jobs::JobQueue,
};
use futures::StreamExt;
use identity::RepeatErasure;
use sqlx::{Connection, PgConnection, PgPool};

use super::{execute, patient, qualified, quoted};
use crate::backup::{
    manifest::{SchemaCopy, TableCopy, key_of, table_name},
    parts,
    sealing::Identities,
};

/// Loads all tables in one transaction: either all rows of the backup are present afterwards, or none. Returns the number
/// of `erased` accounts that are erased again.
pub(in crate::backup) async fn load(
    pool: &PgPool,
    schemas: &[SchemaCopy],
    store: &Blobs,
    identities: &Identities,
    id: &str,
    erased: &[i64],
) -> Result<usize, Fault> {
    let mut connection = patient(pool).await?;
    let mut transaction = connection.begin().await?;
    for schema in schemas {
        prepare(&mut transaction, schema).await?;
        for table in &schema.tables {
            load_table(&mut transaction, &schema.name, table, store, identities, id).await?;
        }
        finish(&mut transaction, schema).await?;
    }
    let repeated = repeat_erasures(&mut transaction, erased).await?;
    transaction.commit().await?;
    Ok(repeated)
}

/// Queues the erasure of these accounts, as far as they exist, which runs at the next start; returns how many.
async fn repeat_erasures(connection: &mut PgConnection, erased: &[i64]) -> Result<usize, Fault> {
    let present: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM identity.profiles WHERE id = ANY($1)")
            .bind(erased)
            .fetch_all(&mut *connection)
            .await?;
    // The queue is in the schema of the search path.
    execute(connection, "SET LOCAL search_path = identity".to_owned()).await?;
    let queue = JobQueue::new(Arc::new(SystemClock), Arc::new(OsEntropy));
    for profile_id in &present {
        let job = RepeatErasure {
            profile_id: *profile_id,
        };
        queue.append(connection, &job).await?;
    }
    Ok(present.len())
}

/// Empties the tables, in which migrations may have inserted rows, and switches their triggers off: they refuse rows of
/// readers whose erasure was in progress.
async fn prepare(connection: &mut PgConnection, schema: &SchemaCopy) -> Result<(), Fault> {
    let names = names(schema);
    execute(connection, format!("TRUNCATE {}", names.join(", "))).await?;
    for name in names {
        execute(
            connection,
            format!("ALTER TABLE {name} DISABLE TRIGGER USER"),
        )
        .await?;
    }
    let days = schema.tables.iter().flat_map(|table| &table.days);
    for day in days {
        let ensure = format!("SELECT {}.ensure_day('{day}')", quoted(&schema.name));
        execute(connection, ensure).await?;
    }
    Ok(())
}

fn names(schema: &SchemaCopy) -> Vec<String> {
    let tables = schema.tables.iter();
    tables
        .map(|table| qualified(&schema.name, &table.name))
        .collect()
}

async fn load_table(
    connection: &mut PgConnection,
    schema: &str,
    table: &TableCopy,
    store: &Blobs,
    identities: &Identities,
    id: &str,
) -> Result<(), Fault> {
    let key = key_of(id, &table_name(schema, &table.name));
    let stored = parts::read(store, &key, &table.part).await?;
    let mut content = parts::open(&key, stored, identities);
    let columns: Vec<_> = table.columns.iter().map(|name| quoted(name)).collect();
    let statement = format!(
        "COPY {} ({}) FROM STDIN",
        qualified(schema, &table.name),
        columns.join(", ")
    );
    let mut copy = connection.copy_in_raw(&statement).await?;
    while let Some(piece) = content.next().await {
        match piece {
            Ok(piece) => copy.send(piece).await.map(drop)?,
            Err(fault) => {
                copy.abort(fault.message.as_str()).await?;
                return Err(fault);
            }
        }
    }
    let rows = copy.finish().await?;
    if rows == table.rows {
        return Ok(());
    }
    let message = format!("{key} has {rows} rows, not {}", table.rows);
    Err(Fault::new(Code::Invalid, message))
}

/// Sets the sequences, and switches the triggers on.
async fn finish(connection: &mut PgConnection, schema: &SchemaCopy) -> Result<(), Fault> {
    for (name, value) in &schema.sequences {
        let name = qualified(&schema.name, name);
        sqlx::query("SELECT setval($1::regclass, $2)")
            .bind(name)
            .bind(value)
            .execute(&mut *connection)
            .await?;
    }
    for name in names(schema) {
        execute(
            connection,
            format!("ALTER TABLE {name} ENABLE TRIGGER USER"),
        )
        .await?;
    }
    Ok(())
}
