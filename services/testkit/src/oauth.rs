//! What stand-ins for providers of OAuth 2.0 have in common: the way there, and the way back with a code that is good once.

use std::collections::HashMap;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// The parameters of the page that a browser was sent to.
///
/// # Panics
/// If it is another page, or lacks one of `expected`, PKCE or a state.
pub(crate) fn asked(
    address: &str,
    page: &str,
    expected: &[(&str, &str)],
) -> HashMap<String, String> {
    let query = address.strip_prefix(&format!("{page}?"));
    let query = query.unwrap_or_else(|| panic!("{address} is not {page}"));
    let asked: HashMap<_, _> = form(query.as_bytes());
    let common = [("response_type", "code"), ("code_challenge_method", "S256")];
    for (name, value) in common.iter().chain(expected) {
        assert_eq!(asked[*name], *value, "{name} of {address}");
    }
    assert!(asked["state"].len() >= 22, "a state of 128 bits");
    asked
}

/// The way back to the site.
pub(crate) fn back(asked: &HashMap<String, String>, name: &str, value: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &asked["state"])
        .append_pair(name, value)
        .finish();
    format!("{}?{query}", asked["redirect_uri"])
}

/// The fields of a form or a query.
pub(crate) fn form(text: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(text).into_owned().collect()
}

/// What a code is good for.
pub(crate) struct Grant {
    challenge: String,
    redirect_uri: String,
}

impl Grant {
    /// The one that a page asks for.
    pub(crate) fn of(asked: &HashMap<String, String>) -> Self {
        Self {
            challenge: asked["code_challenge"].clone(),
            redirect_uri: asked["redirect_uri"].clone(),
        }
    }

    /// Whether a form with its code comes from whom it was given to.
    pub(crate) fn is_proven_by(&self, form: &HashMap<String, String>) -> bool {
        let field = |name: &str| form.get(name).map_or("", String::as_str);
        let challenge = Sha256::digest(field("code_verifier"));
        BASE64_URL_SAFE_NO_PAD.encode(challenge) == self.challenge
            && field("redirect_uri") == self.redirect_uri
    }
}
