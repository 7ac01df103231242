//! The site's pages: the built web application, with the site's settings and the page's title
//! already in the HTML.

use std::{fs, path::Path};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use chassis::{
    call::Caller,
    error::{Code, Fault},
};
use cityguide_proto::places::v1::{GetListingRequest, ResolveRequest, resolve_response::Kind};
use http::{
    HeaderValue, Method, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use crate::{edge::error::ApiError, site::Site, state::Edge};

/// Where the page's head goes in `index.html`.
const MARKER: &str = "<!--cityguide:head-->";

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, max-age=0, must-revalidate");

/// The web application as it was built, and what each of its pages shares.
#[derive(Debug)]
pub(crate) struct Pages {
    /// `index.html` before and after the marker.
    before: String,
    after: String,
    settings: String,
    files: ServeDir,
}

impl Pages {
    /// Reads the built application.
    pub(crate) fn read(root: &Path, site: &Site) -> Result<Self, Fault> {
        let file = root.join("index.html");
        let refuse = |why: &str| {
            let hint = "build the web application (npm run build in web/) or set web.root";
            Fault::new(
                Code::Invalid,
                format!("settings: {}: {why}; {hint}", file.display()),
            )
        };
        let html = fs::read_to_string(&file).map_err(|error| refuse(&error.to_string()))?;
        let (before, after) = html
            .split_once(MARKER)
            .ok_or_else(|| refuse("it has no place for the page's head"))?;
        let settings = serde_json::to_string(site).map_err(|error| refuse(&error.to_string()))?;
        Ok(Self {
            before: before.to_owned(),
            after: after.to_owned(),
            settings: in_script(&settings),
            files: ServeDir::new(root).append_index_html_on_directories(false),
        })
    }

    fn html(&self, head: &Head) -> String {
        let Self {
            before,
            after,
            settings,
            ..
        } = self;
        let title = in_text(&head.title);
        let description = head
            .description
            .as_deref()
            .map(|text| format!("<meta name=\"description\" content=\"{}\">", in_text(text)))
            .unwrap_or_default();
        format!(
            "{before}<title>{title}</title>{description}\
             <script type=\"application/json\" id=\"site-settings\">{settings}</script>{after}"
        )
    }
}

/// What differs from page to page.
struct Head {
    status: StatusCode,
    title: String,
    description: Option<String>,
}

/// Any path that is no call: a file of the application, or one of its pages.
pub(crate) async fn page(State(edge): State<Edge>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if path.starts_with("/api/") {
        return ApiError::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed().into_response();
    }
    if is_file(&path) {
        return file(&edge, &path, request).await;
    }
    let head = head(&edge, &path).await;
    let mut response = (head.status, edge.pages.html(&head)).into_response();
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(CACHE_CONTROL, ASK_AGAIN);
    response
}

/// Pages have no dot in their last word, files have.
fn is_file(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|last| last.contains('.'))
}

async fn file(edge: &Edge, path: &str, request: Request) -> Response {
    let Ok(answer) = edge.pages.files.clone().oneshot(request).await;
    let mut response = answer.map(axum::body::Body::new);
    if response.status() == StatusCode::NOT_FOUND || path == "/index.html" {
        return ApiError::not_found().into_response();
    }
    // Vite names what it builds by content.
    let caching = if path.starts_with("/assets/") {
        FOR_EVER
    } else {
        ASK_AGAIN
    };
    response.headers_mut().insert(CACHE_CONTROL, caching);
    response
}

/// The title and status of a page; a page that cannot be looked up is shown all the same.
async fn head(edge: &Edge, path: &str) -> Head {
    let site = &edge.site;
    let named = |title: &str| format!("{title} · {}", site.name);
    let ok = |title: String| Head {
        status: StatusCode::OK,
        title,
        description: None,
    };
    match path {
        "/" => Head {
            status: StatusCode::OK,
            title: format!("{} · {}", site.name, site.tagline),
            description: Some(site.tagline.clone()),
        },
        "/places/" | "/places" if site.has("listings") => ok(named("Places")),
        "/neighbourhoods/" | "/neighbourhoods" if site.has("neighbourhoods") => {
            ok(named("Neighbourhoods"))
        }
        "/accounts/login" | "/accounts/login/" => ok(named("Log in")),
        "/accounts/dashboard" | "/accounts/dashboard/" => ok(named("Your dashboard")),
        "/profiles/logout" | "/profiles/logout/" => ok(named("Log out")),
        _ => found(edge, path).await.unwrap_or_else(|status| Head {
            status,
            title: if status == StatusCode::NOT_FOUND {
                named("Page not found")
            } else {
                site.name.clone()
            },
            description: None,
        }),
    }
}

/// The head of what the catalogue has at a path.
async fn found(edge: &Edge, path: &str) -> Result<Head, StatusCode> {
    let site = &edge.site;
    let call = edge.call(Caller::Guest);
    let mut places = edge.services.places();
    let status_of = |status: tonic::Status| ApiError::from(status).status();
    let resolved = places
        .resolve(call.request(ResolveRequest {
            path: path.to_owned(),
        }))
        .await
        .map_err(status_of)?
        .into_inner();
    let section = match resolved.kind() {
        Kind::Neighbourhood => "neighbourhoods",
        _ => "listings",
    };
    if !site.has(section) {
        return Err(StatusCode::NOT_FOUND);
    }
    let (title, description) = match resolved.kind() {
        Kind::Listing => {
            let request = call.request(GetListingRequest {
                id: resolved.id,
                ..GetListingRequest::default()
            });
            let detail = places
                .get_listing(request)
                .await
                .map_err(status_of)?
                .into_inner();
            let listing = detail.listing.unwrap_or_default();
            let kind = listing
                .r#type
                .map(|kind| kind.name_singular)
                .unwrap_or_default();
            let area = listing
                .neighbourhood
                .map_or_else(|| site.city.clone(), |area| area.name);
            (listing.name, Some(format!("{kind} in {area}")))
        }
        _ => (site.city.clone(), None),
    };
    Ok(Head {
        status: StatusCode::OK,
        title: format!("{title} · {}", site.name),
        description,
    })
}

/// Text within HTML or an attribute in double quotes.
fn in_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// JSON within a script element: nothing in it can end the element or a line of script.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_place() {
        assert_eq!(
            in_text("</title><b a=\"&\">"),
            "&lt;/title&gt;&lt;b a=&quot;&amp;&quot;&gt;"
        );
        let json = serde_json::json!({"name": "</script>\u{2028}&"}).to_string();
        let sealed = in_script(&json);
        assert!(!sealed.contains(['<', '>', '&', '\u{2028}']), "{sealed}");
        let back: serde_json::Value = serde_json::from_str(&sealed).expect("still JSON");
        assert_eq!(back["name"], "</script>\u{2028}&");
    }

    #[test]
    fn a_last_word_with_a_dot_is_a_file() {
        assert!(is_file("/assets/index-1.js") && is_file("/robots.txt"));
        assert!(!is_file("/") && !is_file("/restaurants/st.-lawrence/") && !is_file("/places"));
    }
}
