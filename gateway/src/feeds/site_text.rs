//! Texts that depend only on the site's file.

use std::sync::Arc;

use axum::response::Response;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        public::{CacheKey, Content, Freshness, PublicRequest},
    },
};

/// Serves a text through the cache.
pub(super) async fn serve(
    catalogue: &Arc<Catalogue>,
    request: &PublicRequest,
    path: &str,
    content_type: &'static str,
    text: fn(&Catalogue) -> String,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(path, &request.params(&[]), &[]);
    let make = async move |catalogue: Arc<Catalogue>| {
        Ok(Content::document(content_type, text(&catalogue)))
    };
    catalogue.serve(request, key, Freshness::Usual, make).await
}
