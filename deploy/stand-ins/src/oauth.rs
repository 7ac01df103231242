//! Shared parts of OAuth 2.0 stand-ins: the consent page, and the redirect with a code that is valid once.

use std::collections::HashMap;

use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// Converts a number to a status.
///
/// # Panics
/// If the number is not a valid status.
pub(crate) fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number).unwrap_or_else(|error| panic!("{number}: {error}"))
}

/// Parameters of the consent page.
pub(crate) type Parameters = HashMap<String, String>;

/// Parses the parameters of a query. Fails unless it contains the `expected` values, PKCE and a state.
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

/// Returns the parameters of a page that a browser was redirected to, for a test that performs the user's actions.
///
/// # Panics
/// If the address belongs to another page, or [`parameters`] fails.
pub(crate) fn parameters_at(address: &str, page: &str, expected: &[(&str, &str)]) -> Parameters {
    let query = address.strip_prefix(&format!("{page}?"));
    let query = query.unwrap_or_else(|| panic!("{address} is not {page}"));
    parameters(query, expected).unwrap_or_else(|why| panic!("{address}: {why}"))
}

/// Renders the consent page. The form is sent to the same address with the same parameters.
pub(crate) fn page(parameters: &Result<Parameters, String>, who: &str, question: &str) -> Response {
    if let Err(why) = parameters {
        return (StatusCode::BAD_REQUEST, why.clone()).into_response();
    }
    let page = format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A stand-in for {who}</title>
<style>body {{ max-width: 36rem; margin: 10vh auto; padding: 0 1rem; font: 1.125rem/1.5 system-ui, sans-serif }}
aside {{ padding: .75rem 1rem; border: 2px dashed }} button {{ font: inherit; padding: .5rem 1.5rem }}</style>
<aside>This is not {who}, but a stand-in on this machine, with which the site can be tried out. Nothing is sent to {who}.</aside>
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

/// Processes the user's response and redirects back.
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

/// Returns the redirect after a refusal.
pub(crate) fn denied(parameters: &Parameters) -> String {
    back(parameters, "error", "access_denied")
}

/// Returns the address of the redirect to the site.
pub(crate) fn back(parameters: &Parameters, name: &str, value: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &parameters["state"])
        .append_pair(name, value)
        .finish();
    format!("{}?{query}", parameters["redirect_uri"])
}

/// Parses the fields of a form or query.
pub(crate) fn form(text: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(text).into_owned().collect()
}

/// The conditions for using a code.
pub(crate) struct Grant {
    challenge: String,
    redirect_uri: String,
}

impl Grant {
    /// Creates the grant for a consent page's parameters.
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
