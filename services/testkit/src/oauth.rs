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
pub(crate) type Parameters = HashMap<String, String>;

/// The parameters of a query; refused unless it has `expected`, PKCE and a state.
pub(crate) fn parameters(query: &str, expected: &[(&str, &str)]) -> Result<Parameters, String> {
    let parameters = form(query.as_bytes());
    let common = [("response_type", "code"), ("code_challenge_method", "S256")];
    for (name, value) in common.iter().chain(expected) {
        if parameters.get(*name).is_none_or(|sent| sent != value) {
            return Err(format!("{name} is not {value}"));
        }
    }
    for name in ["redirect_uri", "code_challenge"] {
        if !parameters.contains_key(name) {
            return Err(format!("{name} is missing"));
        }
    }
    if parameters.get("state").is_none_or(|state| state.len() < 22) {
        return Err("the state has less than 128 bits".to_owned());
    }
    Ok(parameters)
}

/// The parameters of a page that a browser was sent to, for a test that plays the person there.
///
/// # Panics
/// If it is another page, or [`parameters`] refuses it.
pub(crate) fn parameters_at(address: &str, page: &str, expected: &[(&str, &str)]) -> Parameters {
    let query = address.strip_prefix(&format!("{page}?"));
    let query = query.unwrap_or_else(|| panic!("{address} is not {page}"));
    parameters(query, expected).unwrap_or_else(|why| panic!("{address}: {why}"))
}

/// Asks the person in a browser. The form goes to the same address, with the site's parameters.
pub(crate) fn page(parameters: &Result<Parameters, String>, who: &str, question: &str) -> Response {
    if let Err(why) = parameters {
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
    parameters: Result<Parameters, String>,
    body: &[u8],
    allow: impl FnOnce(&Parameters) -> String,
) -> Response {
    let parameters = match parameters {
        Ok(parameters) => parameters,
        Err(why) => return (StatusCode::BAD_REQUEST, why).into_response(),
    };
    let is_allowed = form(body)
        .get("answer")
        .is_some_and(|answer| answer == "allow");
    let address = if is_allowed {
        allow(&parameters)
    } else {
        denied(&parameters)
    };
    Redirect::to(&address).into_response()
}

/// The way back of a person who refuses.
pub(crate) fn denied(parameters: &Parameters) -> String {
    back(parameters, "error", "access_denied")
}

/// The way back to the site.
pub(crate) fn back(parameters: &Parameters, name: &str, value: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &parameters["state"])
        .append_pair(name, value)
        .finish();
    format!("{}?{query}", parameters["redirect_uri"])
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
    pub(crate) fn of(parameters: &Parameters) -> Self {
        Self {
            challenge: parameters["code_challenge"].clone(),
            redirect_uri: parameters["redirect_uri"].clone(),
        }
    }

    /// Verifies the PKCE proof of a form with an authorisation code.
    pub(crate) fn is_proven_by(&self, form: &HashMap<String, String>) -> bool {
        let field = |name: &str| form.get(name).map_or("", String::as_str);
        let challenge = Sha256::digest(field("code_verifier"));
        BASE64_URL_SAFE_NO_PAD.encode(challenge) == self.challenge
            && field("redirect_uri") == self.redirect_uri
    }
}
