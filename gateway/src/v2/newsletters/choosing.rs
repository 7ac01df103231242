//! Newsletter choices and the evidence of consent.

use chassis::origin::Origin;
use http::{HeaderMap, header::REFERER};
use newsletters_proto::v1::{self as proto, Choice};
use vocabulary::newsletters::Kind;

/// The ways of choosing, as recorded in the consent ledger.
pub(crate) mod way {
    /// A form for guests.
    pub(crate) const FORM: &str = "form";
    /// The settings of a signed-in reader.
    pub(crate) const SETTINGS: &str = "settings";
    /// The registration form.
    pub(crate) const REGISTRATION: &str = "registration";
    /// The page linked from emails.
    pub(crate) const PREFERENCES: &str = "preferences";
    /// A mail program's unsubscribe button (RFC 8058).
    pub(crate) const ONE_CLICK: &str = "one-click";
}

/// Path prefix of the pages linked from emails, whose addresses are secrets.
const NEWSLETTERS: &str = "/newsletters/";

/// The origin of a choice: the site's page that sent the request, according to `Referer`.
pub(crate) fn origin(site: &Origin, headers: &HeaderMap, way: &str) -> proto::Origin {
    let referer = headers.get(REFERER).and_then(|value| value.to_str().ok());
    let path = referer.and_then(|address| address.strip_prefix(site.as_str()));
    let path = path.and_then(|path| path.split(['?', '#']).next());
    let path = path.map(|path| {
        if path.starts_with(NEWSLETTERS) {
            NEWSLETTERS
        } else {
            path
        }
    });
    proto::Origin {
        page: path.unwrap_or_default().to_owned(),
        way: way.to_owned(),
    }
}

/// Builds a choice that switches a newsletter on, with the wording shown beside its control, or switches it off.
pub(crate) fn choice(site: &str, kind: Kind, is_on: bool) -> Choice {
    Choice {
        kind: kind.name().to_owned(),
        is_on,
        wording: if is_on {
            kind.consent(site)
        } else {
            String::new()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_known_where_it_is_one_of_ours() {
        let site = Origin::parse("https://guide.example").expect("an origin");
        let page = |referer: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(REFERER, referer.parse().expect("a header"));
            origin(&site, &headers, way::FORM).page
        };
        assert_eq!(
            page("https://guide.example/foods/pai/?a=b#c"),
            "/foods/pai/"
        );
        assert_eq!(
            page("https://guide.example/newsletters/confirm/s3cret/"),
            "/newsletters/"
        );
        assert_eq!(page("https://other.example/foods/"), "");
        assert_eq!(origin(&site, &HeaderMap::new(), way::FORM).page, "");
    }
}
