//! The site's pages: the built web application, with the site's settings and what the page's head says of
//! it already in the HTML.

mod found;
mod meta;

use std::{fs, path::Path};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use chassis::error::{Code, Fault};
use http::{
    HeaderValue, Method, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use self::{
    found::Found,
    meta::{Meta, in_script},
};
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

    fn html(&self, head: &str) -> String {
        let Self {
            before,
            after,
            settings,
            ..
        } = self;
        format!(
            "{before}{head}<script type=\"application/json\" id=\"site-settings\">{settings}</script>{after}"
        )
    }
}

/// What a path is answered with.
enum Answer {
    Html(StatusCode, Meta),
    Redirect(String),
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
    let (status, meta) = match answer(&edge, &path).await {
        Answer::Html(status, meta) => (status, meta),
        Answer::Redirect(to) => return Redirect::permanent(&to).into_response(),
    };
    let site = &edge.site;
    let head = meta.html(edge.origin.as_str(), &site.name, &site.tagline);
    let mut response = (status, edge.pages.html(&head)).into_response();
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

/// What stands at a path; a page that cannot be looked up is shown all the same.
async fn answer(edge: &Edge, path: &str) -> Answer {
    if let Some(meta) = own_page(&edge.site, path) {
        return Answer::Html(StatusCode::OK, meta);
    }
    match found::at(edge, path).await {
        Ok(Found::Page(meta)) => Answer::Html(StatusCode::OK, meta),
        Ok(Found::Moved(to)) => Answer::Redirect(to),
        Ok(Found::Nothing) => {
            let meta = Meta {
                is_unlisted: true,
                ..Meta::titled("Page not found")
            };
            Answer::Html(StatusCode::NOT_FOUND, meta)
        }
        Err(status) => Answer::Html(ApiError::from(status).status(), Meta::default()),
    }
}

/// The pages that the site has by itself. One of a section that is off is none.
fn own_page(site: &Site, path: &str) -> Option<Meta> {
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return Some(Meta {
            description: Some(site.tagline.clone()),
            canonical: Some("/".to_owned()),
            ..Meta::default()
        });
    }
    let of_section = |section: &str, title: &str| {
        site.has(section).then(|| Meta {
            canonical: Some(format!("{path}/")),
            ..Meta::titled(title)
        })
    };
    let unlisted = |title: &str| {
        Some(Meta {
            is_unlisted: true,
            ..Meta::titled(title)
        })
    };
    match path {
        "/places" => of_section("listings", "Places"),
        "/neighbourhoods" => of_section("neighbourhoods", "Neighbourhoods"),
        "/events" => of_section("events", "Events"),
        "/contests" => of_section("contests", "Contests"),
        "/videos" => of_section("videos", "Videos"),
        "/archives" => of_section("articles", "Archives"),
        "/contact" => Some(Meta {
            canonical: Some("/contact/".to_owned()),
            ..Meta::titled("Contact us")
        }),
        "/accounts/login" => unlisted("Log in"),
        "/accounts/dashboard" => unlisted("Your dashboard"),
        "/profiles/logout" => unlisted("Log out"),
        _ => {
            let word = path.strip_prefix('/')?;
            if word == site.city_slug {
                return of_section("best_of", &format!("The best of {}", site.city));
            }
            of_section("articles", site.section_name(word)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_word_with_a_dot_is_a_file() {
        assert!(is_file("/assets/index-1.js") && is_file("/robots.txt"));
        assert!(!is_file("/") && !is_file("/restaurants/st.-lawrence/") && !is_file("/places"));
    }
}
