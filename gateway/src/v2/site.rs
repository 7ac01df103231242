//! GET `site/`: what pages need to know of the site.

use axum::{extract::State, response::Response};

use crate::{
    edge::{error::ApiError, public::Asked},
    site::Site,
    state::Edge,
};

/// The site's own settings: name, city, sections, menus.
#[utoipa::path(get, path = "/api/v2/site/", tag = "catalogue",
    responses((status = 200, body = Site), (status = 304)))]
pub(crate) async fn site(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    edge.public.answer(&asked, edge.site.as_ref()).await
}
