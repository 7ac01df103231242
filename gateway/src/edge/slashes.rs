//! Adds trailing slashes to API paths, whose canonical form has one.

use http::{Request, Uri, uri::PathAndQuery};

/// Paths whose canonical form has no slash.
const WITHOUT: &[&str] = &[
    "/api/v2/openapi.json",
    "/api/v2/profiles/oauth-authorization",
];
/// File extension of paths without a trailing slash: `/api/v2/events/7.ics`.
const FILE: &str = ".ics";

/// Adds the slash to an API path before routing.
pub(crate) fn complete<B>(mut request: Request<B>) -> Request<B> {
    if let Some(completed) = completed(request.uri()) {
        *request.uri_mut() = completed;
    }
    request
}

fn completed(uri: &Uri) -> Option<Uri> {
    let path = uri.path();
    if !path.starts_with("/api/v2/")
        || path.ends_with('/')
        || WITHOUT.contains(&path)
        || path.ends_with(FILE)
    {
        return None;
    }
    // Files of the interactive API documentation.
    if path.starts_with("/api/v2/docs/") {
        return None;
    }
    let text = match uri.query() {
        Some(query) => format!("{path}/?{query}"),
        None => format!("{path}/"),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(text).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn api_paths_get_their_slash_and_others_stay() {
        let complete =
            |text: &str| completed(&text.parse().expect("a uri")).map(|uri| uri.to_string());
        assert_eq!(
            complete("/api/v2/listings").as_deref(),
            Some("/api/v2/listings/")
        );
        assert_eq!(
            complete("/api/v2/listings/5?a=b").as_deref(),
            Some("/api/v2/listings/5/?a=b")
        );
        for path in [
            "/api/v2/listings/",
            "/api/v2/openapi.json",
            "/api/v2/profiles/oauth-authorization",
            "/api/v2/profiles/oauth-authorization/",
            "/api/v2/events/7.ics",
            "/places",
            "/",
            "/api/v2/docs/x.css",
        ] {
            assert_eq!(complete(path), None, "{path}");
        }
    }
}
