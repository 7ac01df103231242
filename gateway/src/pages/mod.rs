//! The site's pages: the built web application, with the site's settings, what the page's head says of it,
//! its first API answers and what of it can be read without scripts already in the HTML. A page is the same
//! for everyone, and kept as the API's public answers are.

mod content;
mod data;
mod files;
mod found;
mod meta;
mod own;
mod plan;
mod scripts;
mod structured;

use std::{fs, path::Path};

use axum::{
    extract::{FromRequestParts, Request, State},
    response::{Html, IntoResponse, Redirect, Response},
};
use chassis::error::{Code, Fault};
use http::{HeaderValue, Method, StatusCode, header::CACHE_CONTROL};

use self::{
    content::Look,
    files::{Files, is_file},
    meta::{Meta, in_script, in_text},
    plan::{Plan, Resolved},
    scripts::Scripts,
};
pub(crate) use self::{data::OwnApi, own::listed};
use crate::{
    edge::{
        error::ApiError,
        public::{Asked, Made},
    },
    site::Site,
    state::Edge,
};

/// Where in `index.html` the page's head, its content and its data go.
const MARKERS: [&str; 3] = [
    "<!--cityguide:head-->",
    "<!--cityguide:content-->",
    "<!--cityguide:data-->",
];

/// A browser asks each time whether it has changed; a shared cache too, since its files may have.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, max-age=0, must-revalidate");
const CONTENT_TYPE: &str = "text/html; charset=utf-8";

/// The web application as it was built, and what each of its pages shares.
#[derive(Debug)]
pub(crate) struct Pages {
    /// `index.html` around its markers.
    parts: [String; 4],
    settings: String,
    scripts: Scripts,
    files: Files,
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
        let settings = serde_json::to_value(site).map_err(|error| refuse(&error.to_string()))?;
        // Colours depend on it before any script runs.
        let word = |name: &str| in_text(settings[name].as_str().unwrap_or_default());
        let look = format!(
            "<html data-accent=\"{}\" data-variant=\"{}\"",
            word("accent"),
            word("variant")
        );
        let html = html.replacen("<html", &look, 1);
        let mut parts: [String; 4] = Default::default();
        let mut rest = html.as_str();
        for (part, marker) in parts.iter_mut().zip(MARKERS) {
            let (before, after) = rest
                .split_once(marker)
                .ok_or_else(|| refuse(&format!("it has no {marker}")))?;
            before.clone_into(part);
            rest = after;
        }
        rest.clone_into(&mut parts[3]);
        let scripts = Scripts::read(root, &html).map_err(|why| refuse(&why))?;
        Ok(Self {
            parts,
            scripts,
            settings: in_script(&settings.to_string()),
            files: Files::below(root),
        })
    }

    fn html(&self, head: &str, content: &str, data: &str) -> String {
        let [before, between, above, after] = &self.parts;
        let settings = &self.settings;
        format!(
            "{before}{head}{between}{content}{above}<script type=\"application/json\" id=\"site-settings\">{settings}</script>{data}{after}"
        )
    }

    /// A page that only its head is known of.
    fn bare(&self, edge: &Edge, status: StatusCode, meta: &Meta) -> Response {
        let html = self.html(&head(edge, meta), "", "");
        let mut response = (status, Html(html)).into_response();
        response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
        response
    }
}

fn head(edge: &Edge, meta: &Meta) -> String {
    let site = &edge.site;
    meta.html(edge.origin.as_str(), &site.name, &site.tagline)
}

/// Any path that is no call: a file of the application, or one of its pages.
pub(crate) async fn page(State(edge): State<Edge>, api: OwnApi, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if path.starts_with("/api/") {
        return ApiError::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed().into_response();
    }
    if is_file(&path) {
        return edge.pages.files.serve(&path, request).await;
    }
    let (mut parts, _) = request.into_parts();
    let asked = match Asked::from_request_parts(&mut parts, &()).await {
        Ok(asked) => asked,
        Err(error) => return error.into_response(),
    };
    if let Some((meta, plan)) = own::page(&edge.site, &path) {
        let bare = meta.clone();
        let served = serve(&edge, &asked, api, path, plan, Known::Own(meta)).await;
        // It can do without what it begins with.
        return served.unwrap_or_else(|_| edge.pages.bare(&edge, StatusCode::OK, &bare));
    }
    let resolved = match Resolved::at(&api, &path).await {
        Ok(resolved) if resolved.is_of(&edge.site) => resolved,
        Ok(_) => return absent(&edge),
        Err(error) => return failed(&edge, error.status()),
    };
    if let Some(to) = resolved.moved_to {
        return Redirect::permanent(&to).into_response();
    }
    let (path, plan) = (resolved.canonical.clone(), resolved.plan());
    serve(&edge, &asked, api, path, plan, Known::Found(resolved))
        .await
        .unwrap_or_else(|error| failed(&edge, error.status()))
}

/// What a page's head is made of.
enum Known {
    Own(Meta),
    Found(Resolved),
}

/// A page that is there, kept or made here.
async fn serve(
    edge: &Edge,
    asked: &Asked,
    api: OwnApi,
    path: String,
    plan: Plan,
    known: Known,
) -> Result<Response, ApiError> {
    let address = plan.address(&path);
    let ageing = plan.ageing;
    let make = |edge| make(edge, api, path, plan, known);
    let mut response = edge.serve(asked, address, ageing, make).await?;
    response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
    Ok(response)
}

async fn make(
    edge: Edge,
    api: OwnApi,
    path: String,
    plan: Plan,
    known: Known,
) -> Result<Made, ApiError> {
    let meta = match &known {
        Known::Own(meta) if plan.look == Look::Home => Meta {
            structured: vec![structured::site(&edge.site, edge.origin.as_str())],
            ..meta.clone()
        },
        Known::Own(meta) => meta.clone(),
        Known::Found(resolved) => found::meta(&edge, resolved).await?,
    };
    let mut answers = api.get_all(&plan.calls).await?;
    let title = plan.heading.or_else(|| meta.title.clone());
    let heading = title.unwrap_or_default();
    let content = content::page(&edge.site, plan.look, &path, &heading, &answers);
    if let Some(further) = own::further(plan.look, plan::subject(&answers)) {
        answers.push(api.get(&further).await?);
    }
    let data = data::script(&answers);
    let module = match &known {
        Known::Own(_) => own::module(&edge.site, &path),
        Known::Found(resolved) => resolved.module(),
    };
    let data = data + edge.pages.scripts.links(module);
    let html = edge.pages.html(&head(&edge, &meta), &content, &data);
    Ok(Made::document(CONTENT_TYPE, html))
}

fn absent(edge: &Edge) -> Response {
    let meta = Meta {
        is_unlisted: true,
        ..Meta::titled("Page not found")
    };
    edge.pages.bare(edge, StatusCode::NOT_FOUND, &meta)
}

/// A page that cannot be looked up is shown all the same: the application says what is the matter.
fn failed(edge: &Edge, status: StatusCode) -> Response {
    match status {
        // What no path can be is none.
        StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => absent(edge),
        status => edge.pages.bare(edge, status, &Meta::default()),
    }
}
