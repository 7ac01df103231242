//! GET `site/`: what pages need to know of the site.

use axum::{extract::State, response::Response};
use serde::Serialize;
use utoipa::ToSchema;

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

/// The site, as it is answered.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteAnswer<'a> {
    #[serde(flatten)]
    site: &'a Site,
    /// When the content was computed; it is added to the answer as it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The site's own settings: name, city, sections, menus.
#[utoipa::path(get, path = "/api/v2/site/", tag = "catalogue",
    responses((status = 200, body = SiteAnswer), (status = 304)))]
pub(crate) async fn site(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let address = Address::list(PATH, &Params::default(), &[]);
    let content = async |edge: Edge| {
        Made::of(&SiteAnswer {
            site: &edge.site,
            server_time: None,
        })
    };
    edge.serve(&asked, address, Ageing::Usual, content).await
}
