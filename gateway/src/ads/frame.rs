//! Creative documents for a sandboxed frame. The frame has an opaque origin and can access neither the page nor its
//! storage. It has no ticket, so it cannot report events.

use ad_delivery::{Content, Creative};
use axum::response::{IntoResponse, Response};
use chassis::origin::Origin;
use http::{
    HeaderValue,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use maud::{DOCTYPE, PreEscaped, html};

/// Browsers may show an outdated creative for five minutes.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// Removes the margin and fills the frame.
const STYLE: &str =
    "html,body{margin:0;height:100%;overflow:hidden}img{display:block;width:100%;height:100%}";

/// Renders an image or HTML creative. Returns `None` for a text creative, which the page itself shows.
pub(crate) fn document(creative: &Creative, origin: &Origin) -> Option<Response> {
    let body = match &creative.content {
        Content::Image(address) => html! {
            img src=(address) alt="" width=(creative.size.width) height=(creative.size.height);
        },
        Content::Html(html) => PreEscaped(html.clone()),
        Content::Native(_) => return None,
    };
    let document = html! {
        (DOCTYPE)
        html {
            head {
                meta charset="utf-8";
                title { "Advertisement" }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    let mut response = document.into_string().into_response();
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(CACHE_CONTROL, KEPT);
    // A sandboxed document has an opaque origin, so 'self' matches nothing in it.
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; img-src {0} data:; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors {0}",
        origin.as_str()
    );
    let policy = HeaderValue::from_str(&policy).ok()?;
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    Some(response)
}
