//! Redirect targets: paths of this site only, fully decoded before they are checked.

use chassis::origin::Origin;
use percent_encoding::percent_decode_str;

/// Maximum number of percent-encoding layers in a redirect path.
const MAX_LAYERS: usize = 5;

/// Maximum length of a redirect path, in bytes.
pub(crate) const MAX_BYTES: usize = 2000;

/// Returns the text if it is a path of this site, otherwise `/`.
pub(crate) fn own_path(next: Option<&str>) -> &str {
    next.filter(|next| is_own_path(next)).unwrap_or("/")
}

/// Returns the path of a page of this site, given as a path or a full address; otherwise `/`.
pub(crate) fn own_page<'a>(address: Option<&'a str>, site: &Origin) -> &'a str {
    let path = |address: &'a str| match address.strip_prefix(site.as_str()) {
        Some("") => "/",
        Some(rest) => rest,
        None => address,
    };
    own_path(address.map(path))
}

fn is_own_path(next: &str) -> bool {
    if next.len() > MAX_BYTES {
        return false;
    }
    let mut text = next.to_owned();
    for _ in 0..MAX_LAYERS {
        if !is_plainly_own(&text) {
            return false;
        }
        let Ok(decoded) = percent_decode_str(&text).decode_utf8() else {
            return false;
        };
        if decoded == text {
            return true;
        }
        text = decoded.into_owned();
    }
    false
}

fn is_plainly_own(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control)
}

/// Appends query parameters to a path, before its fragment.
pub(crate) fn with_query(path: &str, pairs: &[(&str, String)]) -> String {
    if pairs.is_empty() {
        return path.to_owned();
    }
    let (base, fragment) = path
        .split_once('#')
        .map_or((path, None), |(b, f)| (b, Some(f)));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs.iter().map(|(key, value)| (*key, value.as_str())))
        .finish();
    let joint = if base.contains('?') { '&' } else { '?' };
    let fragment = fragment
        .map(|fragment| format!("#{fragment}"))
        .unwrap_or_default();
    format!("{base}{joint}{query}{fragment}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_site_are_followed() {
        for next in [
            "/",
            "/places/",
            "/search?q=a%26b",
            "/accounts/dashboard#/favourites/",
            "/caf%C3%A9/",
        ] {
            assert_eq!(own_path(Some(next)), next);
        }
        for next in [
            "",
            "places/",
            "//e",
            "/\\e",
            "https:e",
            "https://e",
            "javascript:alert(1)",
            "%2f%2fe",
            "/%2fe",
            "/%252fe",
            "/%5ce",
            "/%09/e",
            "/a\r\nSet-Cookie: x",
            "\t//e",
            "/%ff",
        ] {
            assert_eq!(own_path(Some(next)), "/", "{next:?}");
        }
        assert_eq!(own_path(None), "/");
        assert_eq!(own_path(Some(&format!("/{}", "a".repeat(MAX_BYTES)))), "/");
    }

    #[test]
    fn the_whole_address_of_a_page_is_followed_if_it_is_this_sites() {
        let site = Origin::parse("https://guide.test").expect("an origin");
        for (address, path) in [
            ("https://guide.test", "/"),
            ("https://guide.test/events/?a=b#c", "/events/?a=b#c"),
            ("/events/", "/events/"),
            ("https://guide.test.evil/events/", "/"),
            ("https://guide.test//evil/", "/"),
            ("https://guide.test@evil/", "/"),
            ("http://guide.test/", "/"),
        ] {
            assert_eq!(own_page(Some(address), &site), path, "{address}");
        }
    }

    #[test]
    fn an_intent_is_appended_before_the_fragment() {
        let pairs = [("object_id", "7".to_owned())];
        assert_eq!(with_query("/a/", &pairs), "/a/?object_id=7");
        assert_eq!(with_query("/a/?b=c#/d/", &pairs), "/a/?b=c&object_id=7#/d/");
        assert_eq!(with_query("/a/", &[]), "/a/");
    }
}
