//! Web addresses.

use http::Uri;

/// Returns a website's host without `www.`; `None` for a text that is not a web address and must not become a link.
pub(crate) fn host(address: &str) -> Option<String> {
    let address: Uri = address.parse().ok()?;
    let is_web = matches!(address.scheme_str(), Some("http" | "https"));
    let host = address.host().filter(|_| is_web)?.to_lowercase();
    Some(host.strip_prefix("www.").unwrap_or(&host).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_web_address_has_a_host() {
        let shown = |address| host(address);
        assert_eq!(
            shown("https://www.Example.org:8443/a?b#c").as_deref(),
            Some("example.org")
        );
        assert_eq!(shown("http://example.org").as_deref(), Some("example.org"));
        for address in [
            "javascript:alert(1)",
            "example.org",
            "ftp://example.org",
            "",
        ] {
            assert_eq!(shown(address), None, "{address}");
        }
    }
}
