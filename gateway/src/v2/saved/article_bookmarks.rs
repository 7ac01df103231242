//! `article-bookmarks/`: articles saved by a reader.

use axum::{extract::State, response::Response};
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::{
    answers::{
        CreateErrors, DeleteErrors, Entry, Kept, ReadErrors, SavedListParams, SavedMap, SavedRecord,
    },
    bodies::NewArticle,
    bookmarks, items,
};
use crate::{
    edge::{
        answer::{Page, PageParams},
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        params::Params,
        session::Reader,
    },
    services::Clients,
    state::AppState,
    v2::{items::articles::Article, time},
};

const KIND: Kind = Kind::ArticleBookmarks;
const PATH: &str = "/api/v2/article-bookmarks/";

/// A saved article.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArticleBookmark {
    id: i64,
    /// The article's id.
    object_id: i64,
    article: Kept<Article>,
    /// False if the article is no longer published. The record can still be removed.
    is_available: bool,
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// An entry of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArticleBookmarkMapEntry {
    id: i64,
    object_id: i64,
}

fn entry(entry: Entry) -> ArticleBookmarkMapEntry {
    ArticleBookmarkMapEntry {
        id: entry.id,
        object_id: entry.target_id,
    }
}

/// The reader's saved articles, by default most recently saved first.
#[utoipa::path(get, path = "/api/v2/article-bookmarks/", operation_id = "list_article_bookmarks", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<ArticleBookmark>), (status = 400, body = ErrorBody), ReadErrors, TooMany))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let listed = bookmarks::list(&state, &reader, KIND, &params, None).await?;
    let articles = items::find(&state, &reader, &listed.bookmarks).await?;
    Ok(
        listed.answer(PATH, &params, articles, |one, article| ArticleBookmark {
            id: one.id,
            object_id: one.target_id,
            is_available: article.is_available(),
            article,
            date_created: time::text(one.date_created.as_ref()),
        }),
    )
}

/// The complete map from article ids to records.
#[utoipa::path(get, path = "/api/v2/article-bookmarks/article_ids/", operation_id = "map_article_bookmarks", tag = "saved",
    responses((status = 200, body = SavedMap<ArticleBookmarkMapEntry>), ReadErrors, TooMany))]
pub(crate) async fn article_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Saves an article: 201 for a new record, 200 for an existing one.
#[utoipa::path(post, path = "/api/v2/article-bookmarks/", operation_id = "create_article_bookmark", tag = "saved",
    request_body = NewArticle,
    responses((status = 201, body = SavedRecord<ArticleBookmarkMapEntry>),
        (status = 200, body = SavedRecord<ArticleBookmarkMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewArticle>,
) -> Result<Response, ApiError> {
    bookmarks::create(&clients, &reader, KIND, body.id()?, entry).await
}

/// Removes a saved article by its record id. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of
/// the previous change.
#[utoipa::path(delete, path = "/api/v2/article-bookmarks/{id}/", operation_id = "delete_article_bookmark", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
