//! What stand-ins for providers of OAuth 2.0 have in common: the page that asks a person, and the way back with a
//! code that is good once.

use std::collections::HashMap;

use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// A status that a test has chosen.
///
/// # Panics
/// If it is none.
pub(crate) fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number).unwrap_or_else(|error| panic!("{number}: {error}"))
}

/// The parameters of the page that asks.
pub(crate) type Asked = HashMap<String, String>;

/// The parameters of a query; refused unless it has `expected`, PKCE and a state.
pub(crate) fn asked(query: &str, expected: &[(&str, &str)]) -> Result<Asked, String> {
    let asked = form(query.as_bytes());
    let common = [("response_type", "code"), ("code_challenge_method", "S256")];
    for (name, value) in common.iter().chain(expected) {
        if asked.get(*name).is_none_or(|sent| sent != value) {
            return Err(format!("{name} is not {value}"));
        }
    }
    for name in ["redirect_uri", "code_challenge"] {
        if !asked.contains_key(name) {
            return Err(format!("{name} is missing"));
        }
    }
    if asked.get("state").is_none_or(|state| state.len() < 22) {
        return Err("the state has less than 128 bits".to_owned());
    }
    Ok(asked)
}

/// The parameters of a page that a browser was sent to, for a test that plays the person there.
///
/// # Panics
/// If it is another page, or [`asked`] refuses it.
pub(crate) fn asked_at(address: &str, page: &str, expected: &[(&str, &str)]) -> Asked {
    let query = address.strip_prefix(&format!("{page}?"));
    let query = query.unwrap_or_else(|| panic!("{address} is not {page}"));
    asked(query, expected).unwrap_or_else(|why| panic!("{address}: {why}"))
}

/// Asks the person in a browser. The form goes to the same address, with the site's parameters.
pub(crate) fn page(asked: &Result<Asked, String>, who: &str, question: &str) -> Response {
    if let Err(why) = asked {
        return (StatusCode::BAD_REQUEST, why.clone()).into_response();
    }
    let page = format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A stand-in for {who}</title>
<h1>{question}</h1>
<form method="post">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny">Deny</button>
</form>
</html>
"#
    );
    Html(page).into_response()
}

/// Takes the person's answer, and sends the browser back.
pub(crate) fn answer(
    asked: Result<Asked, String>,
    body: &[u8],
    allow: impl FnOnce(&Asked) -> String,
) -> Response {
    let asked = match asked {
        Ok(asked) => asked,
        Err(why) => return (StatusCode::BAD_REQUEST, why).into_response(),
    };
    let is_allowed = form(body)
        .get("answer")
        .is_some_and(|answer| answer == "allow");
    let address = if is_allowed {
        allow(&asked)
    } else {
        denied(&asked)
    };
    Redirect::to(&address).into_response()
}

/// The way back of a person who refuses.
pub(crate) fn denied(asked: &Asked) -> String {
    back(asked, "error", "access_denied")
}

/// The way back to the site.
pub(crate) fn back(asked: &Asked, name: &str, value: &str) -> String {
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
    pub(crate) fn of(asked: &Asked) -> Self {
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
