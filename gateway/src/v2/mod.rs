//! `/api/v2`, with a file for each resource.

pub(crate) mod ads;
mod basemap;
pub(crate) mod best_of_lists;
pub(crate) mod call;
mod contact;
mod document;
pub(crate) mod inspections;
mod intent;
pub(crate) mod items;
pub(crate) mod listing;
pub(crate) mod listing_types;
pub(crate) mod listings;
mod navigation;
pub(crate) mod neighbourhoods;
pub(crate) mod newsletters;
pub(crate) mod photos;
mod profiles;
mod receipts;
pub(crate) mod resolve;
mod saved;
pub(crate) mod search;
mod similar_listings;
mod site;
mod telemetry;
mod time;
pub(crate) mod tonight;

use std::sync::Arc;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    middleware,
    response::Response,
    routing::get,
};
use chassis::error::{Code, Fault};
use http::{HeaderValue, header::CONTENT_SECURITY_POLICY};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};
use utoipa_swagger_ui::SwaggerUi;

pub(crate) use self::{intent::Intent, profiles::PasswordlessSignIn};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        limits,
        public::{CacheKey, Content, Freshness, PublicRequest},
    },
    state::AppState,
};

/// The path of the OpenAPI document.
const DOCUMENT: &str = "/api/v2/openapi.json";

/// The API documentation page needs inline styles; other pages do not allow them.
const DOCS_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; \
     base-uri 'none'; frame-ancestors 'none'",
);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "cityguide",
        description = "The HTTP API of a city guide. Paths are canonical with a trailing slash and \
                       answered alike without it. Errors are one object: field name to messages, \
                       `non_field_errors`, or `detail`, always beside a `code`.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    // Registered here because the router cannot express the file extension in its path.
    paths(items::events::calendar),
    components(schemas(crate::edge::error::ErrorBody, crate::edge::error::Problem))
)]
struct Document;

fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(site::site))
        .routes(routes!(navigation::navigation))
        .routes(routes!(tonight::tonight))
        .routes(routes!(basemap::basemap))
        .routes(routes!(listings::list))
        .routes(routes!(listings::detail))
        .routes(routes!(listings::gated))
        .routes(routes!(similar_listings::similar))
        .routes(routes!(inspections::list))
        .routes(routes!(listing_types::list))
        .routes(routes!(best_of_lists::list))
        .routes(routes!(best_of_lists::detail))
        .routes(routes!(neighbourhoods::list))
        .routes(routes!(neighbourhoods::detail))
        .routes(routes!(neighbourhoods::portrait))
        .routes(routes!(resolve::resolve))
        .routes(routes!(ads::list::list))
        .routes(routes!(ads::advertisers::list))
        .routes(routes!(ads::creatives::creative))
        .routes(routes!(search::search))
        .routes(routes!(search::suggest::suggest))
        .routes(routes!(items::articles::list))
        .routes(routes!(items::articles::detail))
        .routes(routes!(items::gated::article))
        .routes(routes!(items::archives::list))
        .routes(routes!(items::events::list))
        .routes(routes!(items::events::detail))
        .routes(routes!(items::gated::event))
        .route("/api/v2/events/{id}", get(items::events::calendar))
        .routes(routes!(items::contests::list))
        .routes(routes!(items::contests::detail))
        .routes(routes!(items::gated::contest))
        .routes(routes!(items::videos::list))
        .routes(routes!(items::videos::detail))
        .routes(routes!(items::gated::video))
        .routes(routes!(items::pages::page))
        .routes(routes!(profiles::status::status))
        .routes(routes!(profiles::hi::hi))
        .routes(routes!(profiles::hi_stream::hi_stream))
        .routes(routes!(profiles::dashboard::dashboard))
        .routes(routes!(profiles::sessions::list))
        .routes(routes!(profiles::passkeys::list))
        .routes(routes!(profiles::logout::logout))
        .merge(saved::routes())
        .merge(photos::routes())
        .merge(newsletters::routes())
        .merge(limited())
}

/// Rate-limited calls, and calls with the same paths: their responses report the state of the limits.
fn limited() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(profiles::email_registration::email_registration))
        .routes(routes!(profiles::email_login::email_login))
        .routes(routes!(
            profiles::me::me,
            profiles::me::change,
            profiles::me::choose_calendar,
            profiles::erase::erase
        ))
        .routes(routes!(
            profiles::calendar_feed::feed,
            profiles::calendar_feed::make,
            profiles::calendar_feed::end
        ))
        .routes(routes!(
            profiles::consent::consent,
            profiles::consent::choose
        ))
        .routes(routes!(
            profiles::calendar::calendar,
            profiles::calendar::disconnect
        ))
        .routes(routes!(profiles::oauth_authorization::begin))
        .route(
            "/api/v2/profiles/oauth-authorization/",
            get(profiles::oauth_authorization::begin),
        )
        .merge(
            OpenApiRouter::new()
                .routes(routes!(profiles::avatar::set, profiles::avatar::remove))
                .routes(routes!(profiles::takeout::review))
                // Uploads have their own limit.
                .layer(DefaultBodyLimit::disable()),
        )
        .routes(routes!(profiles::takeout::save))
        .routes(routes!(profiles::export::export))
        .routes(routes!(profiles::password::change_password))
        .routes(routes!(profiles::reset_password::reset_password))
        .routes(routes!(profiles::reset_password::check_reset))
        .routes(routes!(profiles::reset_password::confirm_reset))
        .routes(routes!(profiles::confirm_email::send))
        .routes(routes!(profiles::confirm_email::confirm))
        .routes(routes!(profiles::sessions::end))
        .routes(routes!(profiles::passkeys::begin))
        .routes(routes!(profiles::passkeys::end))
        .routes(routes!(profiles::passkeys::remove))
        .routes(routes!(profiles::facebook::validate))
        .routes(routes!(
            profiles::facebook::connection,
            profiles::facebook::disconnect
        ))
        .routes(routes!(profiles::facebook_deletion::delete))
        .routes(routes!(profiles::facebook_deletion::deletion))
        .routes(routes!(receipts::receipt))
        .routes(routes!(contact::contact))
        .routes(routes!(telemetry::record))
        .routes(routes!(ads::events::record))
        .routes(routes!(ads::clicks::follow))
        .routes(routes!(items::entries::enter))
        .merge(saved::limited_routes())
        .merge(photos::limited_routes())
        .merge(newsletters::limited_routes())
        .layer(middleware::from_fn(limits::report))
}

/// The OpenAPI 3.1 document, generated from the types.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    document::complete(routes().into_openapi())
}

/// The API, its OpenAPI document, and a page for browsing it.
pub(crate) fn router() -> Router<AppState> {
    let (router, _) = routes().split_for_parts();
    let docs = Router::from(
        SwaggerUi::new("/api/v2/docs")
            .config(utoipa_swagger_ui::Config::from(DOCUMENT).try_it_out_enabled(true)),
    )
    .layer(axum::middleware::map_response(
        async |mut response: Response| {
            response
                .headers_mut()
                .insert(CONTENT_SECURITY_POLICY, DOCS_POLICY);
            response
        },
    ));
    router
        .method_not_allowed_fallback(async |_: Request| ApiError::method_not_allowed())
        .route(DOCUMENT, get(serve_document))
        .merge(docs)
}

async fn serve_document(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(DOCUMENT, &request.params(&[]), &[]);
    catalogue
        .serve(&request, key, Freshness::Usual, async |_| {
            let text = openapi().to_json().map_err(|error| {
                let message = format!("the OpenAPI document cannot be written: {error}");
                Fault::new(Code::Internal, message)
            })?;
            Ok(Content::document("application/json", text))
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::{items::resource::ItemResource as _, *};

    /// Unknown parameters are ignored, so a resource must read every documented parameter.
    #[test]
    fn public_resources_know_the_parameters_that_they_document() {
        let document = serde_json::to_value(openapi()).expect("JSON");
        for (path, known) in [
            ("/api/v2/listings/", listings::KNOWN),
            ("/api/v2/listings/{id}/inspections/", inspections::KNOWN),
            ("/api/v2/best-of-lists/", best_of_lists::KNOWN),
            ("/api/v2/resolve/", resolve::KNOWN),
            ("/api/v2/articles/", items::articles::Article::KNOWN),
            ("/api/v2/contests/", items::contests::Contest::KNOWN),
            ("/api/v2/events/", items::events::Event::KNOWN),
            ("/api/v2/videos/", items::videos::Video::KNOWN),
            ("/api/v2/photos/", photos::KNOWN),
            ("/api/v2/search/", search::KNOWN),
            ("/api/v2/search/suggest/", search::suggest::KNOWN),
            ("/api/v2/newsletters/issues/", newsletters::issues::KNOWN),
        ] {
            let parameters = &document["paths"][path]["get"]["parameters"];
            let mut documented: Vec<&str> = parameters
                .as_array()
                .expect("parameters")
                .iter()
                .filter(|parameter| parameter["in"] == "query")
                .filter_map(|parameter| parameter["name"].as_str())
                .collect();
            documented.sort_unstable();
            assert_eq!(documented, known, "{path}");
        }
        let listed = document["paths"].as_object().expect("paths").values();
        let with_query = listed
            .filter(|path| path["get"]["parameters"].to_string().contains("\"offset\""))
            .count();
        // Paged lists: places, inspections, best-of lists and four kinds of items; photos, own photos, search results
        // and newsletter issues; each kind of saved objects.
        assert_eq!(with_query, 7 + 4 + vocabulary::saved::Kind::ALL.len());
    }
}
