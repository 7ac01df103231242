//! Serves pages and the application's files.

use std::sync::Arc;

use axum::{
    extract::{FromRef, FromRequestParts, Request, State},
    response::{Html, IntoResponse, Response},
};
use chrono::Datelike;
use http::{
    Method, StatusCode,
    header::{CACHE_CONTROL, LOCATION},
};

use super::{
    content::frame,
    files::{ASK_AGAIN, is_file, may_be_former_page},
    first_answers::{self, OwnApi},
    kinds::{OwnPage, Page},
    meta::Meta,
    opening::PageContext,
    shell::Shell,
};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        id,
        limits::{Client, Limits},
        public::{Content, Freshness, PublicRequest},
    },
    v2::resolve::{self, Resolved, ResolvedKind},
};

const CONTENT_TYPE: &str = "text/html; charset=utf-8";

/// State of the pages: the catalogue, the built application and the API for first responses.
#[derive(Clone)]
pub(crate) struct PagesState {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) shell: Arc<Shell>,
    pub(crate) api: OwnApi,
    pub(crate) limits: Limits,
}

impl FromRef<PagesState> for Limits {
    fn from_ref(state: &PagesState) -> Self {
        state.limits.clone()
    }
}

/// Serves a path outside the API: a file of the application or a page.
pub(crate) async fn page(State(state): State<PagesState>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if path.starts_with("/api/") {
        return ApiError::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed().into_response();
    }
    if is_file(&path) && !may_be_former_page(&path) {
        return state.shell.files.serve(&path, request).await;
    }
    let (mut parts, body) = request.into_parts();
    let request = match PublicRequest::from_request_parts(&mut parts, &state).await {
        Ok(request) => request,
        Err(error) => return error.into_response(),
    };
    if is_file(&path) {
        if let Some(to) = state.moved_from(&request, &path).await {
            return moved_permanently(&to);
        }
        let request = Request::from_parts(parts, body);
        return state.shell.files.serve(&path, request).await;
    }
    if let Some(former) = former_number(&path, parts.uri.query())
        && let Some(to) = state.moved_from(&request, &former).await
    {
        return moved_permanently(&to);
    }
    let site = &state.catalogue.site;
    if let Some((own, mut path)) = OwnPage::find(site, &path) {
        let meta = own.meta(site, &path);
        let query = request.params(own.params()).canonical();
        if !query.is_empty() {
            path = format!("{path}?{query}");
        }
        let served = state.serve(&request, Page::Own(own), path).await;
        // The application can show the page without first responses.
        return served.unwrap_or_else(|_| state.bare(StatusCode::OK, &meta));
    }
    let (path, below) = Below::split(&path);
    let resolved = match state
        .api
        .get_for(request.client.as_ref(), resolve::call(path))
        .await
    {
        Ok((resolved, _)) => resolved,
        Err(error) => return state.failed(&error),
    };
    let Resolved {
        kind,
        id,
        canonical,
        moved_to,
        ..
    } = resolved;
    let page = match (kind, below) {
        (_, Below::Nothing) => Page::Resolved(kind, id),
        (ResolvedKind::Listing, Below::Photo(photo)) => Page::Photo(id, photo),
        (ResolvedKind::Listing, Below::Upload) => {
            return state.bare(StatusCode::OK, &Meta::unlisted("Upload photos"));
        }
        _ => return state.absent(),
    };
    if !page.row().is_of(site) {
        return state.absent();
    }
    if let Some(to) = moved_to {
        return moved_permanently(&to);
    }
    let served = state.serve(&request, page, canonical).await;
    served.unwrap_or_else(|error| state.failed(&error))
}

/// Redirects a former address. Search engines and old links support 301 best.
fn moved_permanently(to: &str) -> Response {
    (StatusCode::MOVED_PERMANENTLY, [(LOCATION, to.to_owned())]).into_response()
}

/// Returns the form that services use for a numeric address, such as "/?p=17" of a former WordPress site.
fn former_number(path: &str, query: Option<&str>) -> Option<String> {
    let query = query.filter(|_| path == "/")?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let named = pairs.filter(|(name, _)| matches!(*name, "p" | "page_id"));
    let numbers = named.filter_map(|(_, number)| id::parse(number));
    numbers.map(|number| format!("/?p={number}")).next()
}

/// The part of an address below a place's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    /// One of the place's photos: `/restaurants/pai/photos/7`.
    Photo(i64),
    /// The upload page: `/restaurants/pai/photos/upload/`.
    Upload,
}

impl Below {
    /// Splits a path into the page's path and the part below it.
    fn split(path: &str) -> (&str, Self) {
        let Some((page, rest)) = path.rsplit_once("/photos/") else {
            return (path, Self::Nothing);
        };
        let below = match rest.trim_end_matches('/') {
            "upload" => Some(Self::Upload),
            id => id::parse(id).map(Self::Photo),
        };
        match below {
            // The page's path includes the slash.
            Some(below) => (&path[..=page.len()], below),
            None => (path, Self::Nothing),
        }
    }
}

impl PagesState {
    /// Returns the current address for a former address; `None` if there is none or the look-up fails.
    async fn moved_from(&self, request: &PublicRequest, former: &str) -> Option<String> {
        let call = resolve::call(former);
        let resolved = self.api.get_for(request.client.as_ref(), call).await;
        resolved.ok()?.0.moved_to
    }

    /// Serves a page from the cache or renders it.
    async fn serve(
        &self,
        request: &PublicRequest,
        page: Page,
        path: String,
    ) -> Result<Response, ApiError> {
        let key = page.key(&path);
        // The parameters of an address are typed by readers.
        let freshness = if path.contains('?') {
            Freshness::Typed
        } else {
            page.row().freshness
        };
        let state = self.clone();
        let client = request.client.clone();
        let make = async move |_| state.make(page, &path, client.as_ref()).await;
        let catalogue = &self.catalogue;
        let mut response = catalogue.serve(request, key, freshness, make).await?;
        response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
        Ok(response)
    }

    async fn make(
        &self,
        page: Page,
        path: &str,
        client: Option<&Client>,
    ) -> Result<Content, ApiError> {
        let context = PageContext {
            catalogue: &self.catalogue,
            api: &self.api,
            path,
            client,
        };
        let opening = page.open(&context).await?;
        let now = self.catalogue.clock.now();
        let year = now.with_timezone(&context.site().timezone).year();
        let row = page.row();
        let has_form = !row.has_newsletter_form();
        let is_place = matches!(
            page,
            Page::Photo(..) | Page::Resolved(ResolvedKind::Listing | ResolvedKind::ListingType, _)
        );
        let menu_path = frame::menu_path(context.site(), path, is_place);
        let framed = frame::around(context.site(), menu_path, year, has_form, &opening.content);
        let data = first_answers::script(&opening.answers);
        let data = data + self.shell.scripts.links(row.module);
        let head = self.head(&opening.meta);
        let html = self.shell.html(&head, &framed.into_string(), &data);
        Ok(Content::document(CONTENT_TYPE, html))
    }

    fn head(&self, meta: &Meta) -> String {
        let Catalogue { site, origin, .. } = &*self.catalogue;
        meta.html(origin.as_str(), &site.name, &site.tagline)
    }

    /// A page with only its head.
    fn bare(&self, status: StatusCode, meta: &Meta) -> Response {
        let html = self.shell.html(&self.head(meta), "", "");
        let mut response = (status, Html(html)).into_response();
        response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
        response
    }

    fn absent(&self) -> Response {
        self.bare(StatusCode::NOT_FOUND, &Meta::unlisted("Page not found"))
    }

    /// Responds to a failed page; the application shows the error.
    fn failed(&self, error: &ApiError) -> Response {
        match error.status() {
            // The API rejects the path, so the page does not exist.
            StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => self.absent(),
            status => {
                let mut response = self.bare(status, &Meta::default());
                error.tell_retry(response.headers_mut());
                response
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_address_may_be_a_number() {
        for (path, query, former) in [
            ("/", Some("p=17"), Some("/?p=17")),
            ("/", Some("utm_source=x&page_id=17"), Some("/?p=17")),
            ("/", Some("p=x&p=17"), Some("/?p=17")),
            ("/", Some("p=-1"), None),
            ("/", Some("s=17"), None),
            ("/", None, None),
            ("/news/", Some("p=17"), None),
        ] {
            assert_eq!(former_number(path, query).as_deref(), former, "{query:?}");
        }
    }

    #[test]
    fn photos_are_below_the_page_of_their_place() {
        for (path, page, below) in [
            ("/bars/a/", "/bars/a/", Below::Nothing),
            ("/bars/a/photos/7", "/bars/a/", Below::Photo(7)),
            ("/bars/a/photos/7/", "/bars/a/", Below::Photo(7)),
            ("/bars/a/photos/upload/", "/bars/a/", Below::Upload),
            ("/bars/a/photos/", "/bars/a/photos/", Below::Nothing),
            ("/bars/a/photos/0", "/bars/a/photos/0", Below::Nothing),
            ("/bars/photos/", "/bars/photos/", Below::Nothing),
        ] {
            assert_eq!(Below::split(path), (page, below), "{path}");
        }
    }
}
