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

use std::{fs, path::Path, sync::Arc};

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
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        public::{Content, PublicRequest},
    },
    site::Site,
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
}

/// The state of the pages: the built application, what they show, and the API that their first answers
/// come from.
#[derive(Clone)]
pub(crate) struct PagesState {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) pages: Arc<Pages>,
    pub(crate) api: OwnApi,
}

impl PagesState {
    fn head(&self, meta: &Meta) -> String {
        let Catalogue { site, origin, .. } = &*self.catalogue;
        meta.html(origin.as_str(), &site.name, &site.tagline)
    }

    /// A page with its head and nothing else.
    fn bare(&self, status: StatusCode, meta: &Meta) -> Response {
        let html = self.pages.html(&self.head(meta), "", "");
        let mut response = (status, Html(html)).into_response();
        response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
        response
    }

    fn absent(&self) -> Response {
        let meta = Meta {
            is_unlisted: true,
            ..Meta::titled("Page not found")
        };
        self.bare(StatusCode::NOT_FOUND, &meta)
    }

    /// A page whose content cannot be had: the application shows the error.
    fn failed(&self, status: StatusCode) -> Response {
        match status {
            // A path that the API refuses names nothing.
            StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => self.absent(),
            status => self.bare(status, &Meta::default()),
        }
    }
}

/// Any path that is no call: a file of the application, or one of its pages.
pub(crate) async fn page(State(state): State<PagesState>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if path.starts_with("/api/") {
        return ApiError::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed().into_response();
    }
    if is_file(&path) {
        return state.pages.files.serve(&path, request).await;
    }
    let (mut parts, _) = request.into_parts();
    let request = match PublicRequest::from_request_parts(&mut parts, &()).await {
        Ok(request) => request,
        Err(error) => return error.into_response(),
    };
    if let Some((meta, plan)) = own::page(&state.catalogue.site, &path) {
        let bare = meta.clone();
        let served = serve(&state, &request, path, plan, Known::Own(meta)).await;
        // It can do without what it begins with.
        return served.unwrap_or_else(|_| state.bare(StatusCode::OK, &bare));
    }
    let resolved = match Resolved::at(&state.api, &path).await {
        Ok(resolved) if resolved.is_of(&state.catalogue.site) => resolved,
        Ok(_) => return state.absent(),
        Err(error) => return state.failed(error.status()),
    };
    if let Some(to) = resolved.moved_to {
        return Redirect::permanent(&to).into_response();
    }
    let (path, plan) = (resolved.canonical.clone(), resolved.plan());
    serve(&state, &request, path, plan, Known::Found(resolved))
        .await
        .unwrap_or_else(|error| state.failed(error.status()))
}

/// What a page's head is made of.
enum Known {
    Own(Meta),
    Found(Resolved),
}

/// A page that is there, kept or made here.
async fn serve(
    state: &PagesState,
    request: &PublicRequest,
    path: String,
    plan: Plan,
    known: Known,
) -> Result<Response, ApiError> {
    let key = plan.key(&path);
    let freshness = plan.freshness;
    let making = state.clone();
    let make = move |_| make(making, path, plan, known);
    let catalogue = &state.catalogue;
    let mut response = catalogue.serve(request, key, freshness, make).await?;
    response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
    Ok(response)
}

async fn make(
    state: PagesState,
    path: String,
    plan: Plan,
    known: Known,
) -> Result<Content, ApiError> {
    let catalogue = &state.catalogue;
    let meta = match &known {
        Known::Own(meta) if plan.look == Look::Home => Meta {
            structured: vec![structured::site(&catalogue.site, catalogue.origin.as_str())],
            ..meta.clone()
        },
        Known::Own(meta) => meta.clone(),
        Known::Found(resolved) => found::meta(catalogue, resolved).await?,
    };
    let mut answers = state.api.get_all(&plan.calls).await?;
    let title = plan.heading.or_else(|| meta.title.clone());
    let heading = title.unwrap_or_default();
    let content = content::page(&catalogue.site, plan.look, &path, &heading, &answers);
    if let Some(further) = own::further(plan.look, plan::subject(&answers)) {
        answers.push(state.api.get(&further).await?);
    }
    let data = data::script(&answers);
    let module = match &known {
        Known::Own(_) => own::module(&catalogue.site, &path),
        Known::Found(resolved) => resolved.module(),
    };
    let data = data + state.pages.scripts.links(module);
    let html = state.pages.html(&state.head(&meta), &content, &data);
    Ok(Content::document(CONTENT_TYPE, html))
}
