//! GET `site/`: what pages need to know of the site.

use axum::{extract::State, response::Response};

use crate::{
    edge::{
        error::ApiError,
        params::Params,
        public::{Address, Ageing, Asked, Made},
    },
    site::Site,
    state::Edge,
};

const PATH: &str = "/api/v2/site/";

/// The site's own settings: name, city, sections, menus.
#[utoipa::path(get, path = "/api/v2/site/", tag = "catalogue",
    responses((status = 200, body = Site), (status = 304)))]
pub(crate) async fn site(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let address = Address::list(PATH, &Params::default(), &[]);
    let content = async |edge: Edge| Made::of(edge.site.as_ref());
    edge.serve(&asked, address, Ageing::Usual, content).await
}
