//! Writes to `search_documents`.

use std::collections::BTreeMap;

use chassis::sql;
use serde_json::{Value, json};
use sqlx::PgConnection;

use suggestions::{DocumentKind, Key};

use crate::domain::search::Document;

pub(super) fn columns(keys: &[Key]) -> (Vec<String>, Vec<i64>) {
    keys.iter()
        .map(|(kind, id)| (kind.as_str().to_owned(), *id))
        .unzip()
}

/// Returns the words of documents, with the number of these documents that contain them.
#[sql("search_documents.words_of")]
pub(crate) async fn words_of(
    connection: &mut PgConnection,
    keys: &[Key],
) -> Result<BTreeMap<String, i64>, sqlx::Error> {
    let (kinds, ids) = columns(keys);
    let rows = sqlx::query!(
        r#"SELECT word AS "word!", count(*) AS "count!"
           FROM unnest($1::text[], $2::bigint[]) AS k (kind, id)
           JOIN search_documents d USING (kind, id), unnest(tsvector_to_array(d.words)) AS w (word)
           GROUP BY word"#,
        &kinds,
        &ids,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.word, row.count)).collect())
}

/// Stores documents and replaces existing ones; returns the documents that are new or have changed. Unchanged documents
/// are not written, so that reindexing is cheap if little has changed.
#[sql("search_documents.put")]
pub(crate) async fn put(
    connection: &mut PgConnection,
    documents: &[Document],
) -> Result<Vec<Key>, sqlx::Error> {
    let rows: Value = documents.iter().map(row).collect();
    let changed = sqlx::query!(
        "INSERT INTO search_documents AS d (kind, id, name, name_key, path, labels, passage, type, neighbourhood, is_closed, is_free,
             latitude, longitude, published_at, quality, stems, words)
         SELECT * FROM jsonb_to_recordset($1) AS r (kind text, id bigint, name text, name_key text, path text, labels text, passage text,
             type text, neighbourhood text, is_closed boolean, is_free boolean, latitude double precision,
             longitude double precision, published_at timestamptz, quality real, stems tsvector, words tsvector)
         ON CONFLICT (kind, id) DO UPDATE SET (name, name_key, path, labels, passage, type, neighbourhood, is_closed, is_free,
             latitude, longitude, published_at, quality, stems, words) = ROW (excluded.name, excluded.name_key, excluded.path, excluded.labels,
             excluded.passage, excluded.type, excluded.neighbourhood, excluded.is_closed, excluded.is_free,
             excluded.latitude, excluded.longitude, excluded.published_at, excluded.quality, excluded.stems, excluded.words)
         WHERE (d.*) IS DISTINCT FROM (excluded.*)
         RETURNING kind, id",
        rows,
    )
    .fetch_all(connection)
    .await?;
    let changed = changed.into_iter();
    Ok(changed
        .filter_map(|row| Some((DocumentKind::parse(&row.kind)?, row.id)))
        .collect())
}

fn row(document: &Document) -> Value {
    let source = &document.source;
    let position = source.position;
    json!({
        "kind": source.kind.as_str(),
        "id": source.id,
        "name": source.name,
        "name_key": document.name_key,
        "path": source.path,
        "labels": document.labels,
        "passage": document.passage,
        "type": source.type_slug,
        "neighbourhood": source.neighbourhood,
        "is_closed": source.is_closed,
        "is_free": source.is_free,
        "latitude": position.map(|at| at.latitude),
        "longitude": position.map(|at| at.longitude),
        "published_at": source.published_at,
        "quality": source.quality,
        "stems": document.stems,
        "words": document.words,
    })
}

/// Removes documents; returns the documents that existed.
#[sql("search_documents.remove")]
pub(crate) async fn remove(
    connection: &mut PgConnection,
    keys: &[Key],
) -> Result<Vec<Key>, sqlx::Error> {
    let (kinds, ids) = columns(keys);
    let removed = sqlx::query!(
        "DELETE FROM search_documents d USING unnest($1::text[], $2::bigint[]) AS k (kind, id)
         WHERE d.kind = k.kind AND d.id = k.id
         RETURNING d.kind, d.id",
        &kinds,
        &ids,
    )
    .fetch_all(connection)
    .await?;
    let removed = removed.into_iter();
    Ok(removed
        .filter_map(|row| Some((DocumentKind::parse(&row.kind)?, row.id)))
        .collect())
}

/// Returns the ids of all documents of a kind that has few documents.
#[sql("search_documents.ids")]
pub(crate) async fn ids(
    connection: &mut PgConnection,
    kind: DocumentKind,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM search_documents WHERE kind = $1",
        kind.as_str()
    )
    .fetch_all(connection)
    .await
}

/// Returns the kinds under which items are indexed.
#[sql("search_documents.of_items")]
pub(crate) async fn of_items(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Key>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT kind, id FROM search_documents
         WHERE kind IN ('article', 'event', 'video') AND id = ANY($1)",
        ids,
    )
    .fetch_all(connection)
    .await?;
    let keys = rows.into_iter();
    Ok(keys
        .filter_map(|row| Some((DocumentKind::parse(&row.kind)?, row.id)))
        .collect())
}
