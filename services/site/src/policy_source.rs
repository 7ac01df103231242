//! Origins of other sites, in the syntax of a content security policy.

use http::Uri;

/// Returns the scheme, host and port of an address; `None` if they contain characters with a meaning in a policy.
pub(crate) fn origin_of(address: &str) -> Option<String> {
    let uri: Uri = address.parse().ok()?;
    let (scheme, authority) = uri.scheme_str().zip(uri.authority())?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
    let is_web = matches!(scheme, "http" | "https");
    (is_web && authority.as_str().chars().all(is_plain))
        .then(|| format!("{scheme}://{authority}").to_lowercase())
}

/// Whether a text consists of only an origin.
pub(crate) fn is_origin(text: &str) -> bool {
    origin_of(text).is_some_and(|origin| origin == text)
}
