//! Hostile inputs, and the responses that the conventions require.

use std::{io, sync::LazyLock};

use chassis::slug::is_slug;
use futures::{StreamExt, stream};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Body, Method, header};
use serde_json::{Value, json};

use super::target::Target;
use crate::{
    answers::{body, form, is_one_click},
    app::{Browser, answer},
    document::{Input, Operation},
};

/// Texts that are invalid for most parameters and harmful to a program that trusts them.
pub(super) static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let long = "a".repeat(10_000);
    let emoji = "\u{1f35c}".repeat(201);
    let texts = [
        "0",
        "-1",
        "9223372036854775808",
        "9000000000000000000",
        "1\0",
        "\0",
        "NaN",
        "password_hash",
        "%",
        "_",
        "\\",
        "'--",
        "//e",
        "/\\e",
        "https:e",
        "%2f%2fe",
        "javascript:alert(1)",
        "a\r\nSet-Cookie: a=b",
        "</script><b>",
        "a\u{2028}b",
        "\u{1f35c}",
        &long,
        &emoji,
    ];
    texts.map(ToOwned::to_owned).into()
});

/// A key that exceeds the maximum length.
static LONG_KEY: LazyLock<String> = LazyLock::new(|| "k".repeat(256));

/// Texts for fields that are hashed as passwords, which is slow.
const PASSWORDS: [&str; 3] = ["\0", "a\r\nb", "\u{1f35c}"];

/// Raw JSON values that are invalid for a field of these types.
fn wrong_values(kind: &str) -> &'static [&'static str] {
    match kind {
        "integer" => &[
            "0",
            "-1",
            "9223372036854775808",
            "9007199254740992",
            "9e18",
            "1.5",
            "NaN",
            "\"1\"",
            "true",
            "[]",
            "{}",
        ],
        "object" => &["1", "NaN", "true", "\"a\"", "[]"],
        "array" => &["1", "NaN", "true", "\"a\"", "{}"],
        "boolean" => &["1", "\"true\"", "NaN", "[]", "{}"],
        "string" => &["1", "NaN", "true", "[]", "{}"],
        kind => panic!("say which values are wrong for a field of type {kind}"),
    }
}

/// The texts that a field accepts.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// None of these texts.
    Nothing,
    /// Any line, up to this number of characters.
    Line(usize),
    /// Any text of several lines, up to this number of characters.
    Lines(usize),
    /// Any text; the field ignores texts without a meaning.
    Anything,
}

fn takes(input: &Input) -> Takes {
    match input.name.as_str() {
        "email" | "password" | "password_repeat" | "current_password" | "new_password"
        | "reason" | "licence" | "listing" | "image" | "token" | "for" | "ceremony" | "passkey"
        | "fb_token" | "file" | "kind" | "user_id" | "signed_request" | "type" | "choice"
        | "version" => Takes::Nothing,
        "full_name" | "name" => Takes::Line(255),
        "subject" => Takes::Line(200),
        "credit" => Takes::Line(100),
        "message" => Takes::Lines(10_000),
        "answer" | "comment" | "description" => Takes::Lines(1_000),
        "next" | "post_authenticate_action" => Takes::Anything,
        name => panic!("say what the field {name} makes of texts, so that it is tested"),
    }
}

impl Takes {
    pub(super) fn accepts(self, text: &str) -> bool {
        let fits = |most| text.chars().count() <= most;
        let is_other = |letter: char| letter.is_control() && !matches!(letter, '\r' | '\n' | '\t');
        match self {
            Self::Nothing => false,
            Self::Line(most) => fits(most) && !text.chars().any(char::is_control),
            Self::Lines(most) => fits(most) && !text.chars().any(is_other),
            Self::Anything => true,
        }
    }
}

fn kind(input: &Input) -> &str {
    // A field with several schemas accepts an object or nothing.
    if input.schema["oneOf"].is_array() {
        return "object";
    }
    let kind = &input.schema["type"];
    let first = kind.as_array().map_or(kind, |kinds| &kinds[0]);
    first.as_str().unwrap_or("string")
}

/// Whether a login ignores invalid values of this field: an invalid intent never fails the login.
fn is_intent(operation: &Operation, input: &Input) -> bool {
    let fields = ["next", "post_authenticate_action", "object_id", "rating"];
    let logins = ["/profiles/passkeys/", "/facebook/v1/validate/"];
    let is_login = operation.path.contains("/email-")
        || logins.iter().any(|login| operation.path.ends_with(login));
    is_login && fields.contains(&input.name.as_str())
}

/// Whether a field is for guests and ignored for readers.
fn is_a_guests(operation: &Operation, input: &Input) -> bool {
    operation.path.contains("/profiles/passkeys/")
        && matches!(input.name.as_str(), "full_name" | "email")
}

pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// A request that is refused.
pub(super) struct Attack {
    path: String,
    body: Option<String>,
    /// The body's content type.
    form: String,
    /// Whether the body is the beginning of a larger one, of which the client still has to send the rest.
    is_begun: bool,
    headers: Vec<(&'static str, &'static str)>,
    /// The statuses that the conventions allow.
    expected: &'static [u16],
    /// The parameter that the answer must name.
    names: Option<String>,
}

impl Attack {
    fn new(path: String, body: Option<String>, expected: &'static [u16]) -> Self {
        Self {
            path,
            body,
            form: "application/json".to_owned(),
            is_begun: false,
            headers: Vec::new(),
            expected,
            names: None,
        }
    }

    /// Sends the request; returns the fault in the response, if any.
    pub(super) async fn run(self, browser: &Browser, operation: &Operation) -> Option<String> {
        let shown: String = self.path.chars().take(200).collect();
        let sent: String = self
            .body
            .iter()
            .flat_map(|body| body.chars())
            .take(200)
            .collect();
        let mut request = browser.request(operation.method.clone(), &self.path);
        for (name, value) in &self.headers {
            request = request.header(name, *value);
        }
        if let Some(body) = self.body {
            let begun = stream::iter([Ok::<_, io::Error>(body.clone())]);
            let body = if self.is_begun {
                Body::wrap_stream(begun.chain(stream::pending()))
            } else {
                body.into()
            };
            request = request.header(header::CONTENT_TYPE, &self.form).body(body);
        }
        let (status, said) = answer(request.send().await.expect("answers")).await;
        let what = format!(
            "{} {shown} {:?} {sent}: {status} {said}",
            operation.method, self.headers
        );
        let is_named = match self.names {
            Some(name) if status == 400 => said[name].is_array(),
            _ => true,
        };
        let is_right = self.expected.contains(&status) && is_named;
        (!is_right).then_some(what)
    }
}

/// Attacks on a field of a form with a file. A picture has no text, so all of them are refused.
fn on_form(target: &Target, operation: &Operation, input: &Input) -> Vec<Attack> {
    let takes = takes(input);
    let refused = TEXTS.iter().filter(|text| !takes.accepts(text));
    let attacks = refused.map(|text| {
        let is_file = matches!(input.name.as_str(), "image" | "file");
        let sent = if is_file {
            form(operation, &[("listing", "1")], text.as_bytes())
        } else {
            form(
                operation,
                &[("listing", "1"), (&input.name, text)],
                b"no picture",
            )
        };
        let (form, body) = sent.text();
        let mut attack = Attack::new(target.path(operation), Some(body), &[400]);
        attack.form = form;
        attack.names = Some(input.name.clone());
        attack
    });
    attacks.collect()
}

/// A body that the operation accepts, or refuses for its password alone if it could change the account.
fn harmless(operation: &Operation) -> Value {
    let mut body = body(operation);
    if operation.path.ends_with("/me/password/") {
        body["current_password"] = json!("not the one");
    }
    body
}

/// The type and the text of a harmless body.
fn sent(operation: &Operation) -> (String, String) {
    if operation.is_upload {
        return form(operation, &[("listing", "1")], b"no picture").text();
    }
    let body = harmless(operation).to_string();
    ("application/json".to_owned(), body)
}

/// Attacks on a parameter in the path.
fn on_path(operation: &Operation, input: &Input) -> Vec<Attack> {
    let name = format!("{{{}}}", input.name);
    let attacks = TEXTS.iter().map(|text| {
        let path = operation.path.replace(&name, &encoded(text));
        let body = operation
            .takes_a_body
            .then(|| harmless(operation).to_string());
        let mut attack = Attack::new(path, body, &[404]);
        attack.headers.push(("x-of-legal-age", "1"));
        attack
    });
    attacks.collect()
}

/// Attacks on a parameter of the query.
fn on_query(target: &Target, operation: &Operation, input: &Input) -> Vec<Attack> {
    let address = target.city.address(operation);
    // A page's ads are requested by the page's kind and its screen.
    let others = match (operation.path.as_str(), input.name.as_str()) {
        ("/api/v2/ads/", "page") => "screen=large&",
        ("/api/v2/ads/", "screen") => "page=home&",
        ("/api/v2/ads/", _) => "page=home&screen=large&",
        _ => "",
    };
    let validator = jsonschema::validator_for(&input.schema).expect("a schema");
    let attacks = TEXTS.iter().map(|text| {
        let value = match kind(input) {
            "integer" => text
                .parse::<i64>()
                .map_or(json!(text), |number| json!(number)),
            _ => json!(text),
        };
        let is_valid = validator.is_valid(&value) && !text.contains('\0') && input.name != "after";
        let expected: &[u16] = match input.name.as_str() {
            // No object exists at a valid path.
            "path" if is_valid => &[404],
            // The site has no calendars. With calendars, another site's address would be replaced with the front page.
            "next_url" if !text.contains('\0') => &[404],
            // An unknown slug may be refused or find nothing.
            _ if is_valid && is_slug(text) => &[200, 400],
            _ if is_valid => &[200],
            _ => &[400],
        };
        let path = format!("{address}?{others}{}={}", input.name, encoded(text));
        let mut attack = Attack::new(path, None, expected);
        attack.names = Some(input.name.clone());
        attack
    });
    attacks.collect()
}

/// Attacks on a header.
fn on_header(target: &Target, operation: &Operation, input: &Input) -> Vec<Attack> {
    assert_eq!(input.name, "Idempotency-Key", "say which values are wrong");
    let attacks = ["", "a b", "\u{fc}", &LONG_KEY].map(|value| {
        let (form, body) = sent(operation);
        let mut attack = Attack::new(target.path(operation), Some(body), &[400]);
        attack.form = form;
        attack.headers.push(("idempotency-key", value));
        attack
    });
    attacks.into()
}

/// Attacks on a field of the body that are refused.
fn on_field(target: &Target, operation: &Operation, input: &Input) -> Vec<Attack> {
    let with = |raw: &str| {
        let mut body = harmless(operation);
        if input.name == "listing_id" {
            body.as_object_mut().expect("an object").remove("listing");
        }
        // Inserted as raw text, because `Value` cannot represent some of these numbers.
        body[&input.name] = json!("\u{1}");
        let body = body.to_string().replace("\"\\u0001\"", raw);
        Attack::new(target.path(operation), Some(body), &[400])
    };
    if is_intent(operation, input) || is_a_guests(operation, input) {
        return vec![with("NaN")];
    }
    let mut attacks: Vec<_> = wrong_values(kind(input))
        .iter()
        .map(|raw| with(raw))
        .collect();
    if kind(input) != "string" {
        return attacks;
    }
    // The check accepts any token, and answers whether it works.
    let takes = if operation.path.ends_with("/reset-password/check/") {
        Takes::Anything
    } else {
        takes(input)
    };
    let is_hashed = input.name.contains("password") || operation.path.ends_with("/email-login/");
    let texts: Vec<&str> = if is_hashed {
        PASSWORDS.to_vec()
    } else {
        TEXTS.iter().map(String::as_str).collect()
    };
    let refused = texts.into_iter().filter(|text| !takes.accepts(text));
    attacks.extend(refused.map(|text| with(&json!(text).to_string())));
    attacks
}

/// Attacks on a body as a whole.
fn on_body(target: &Target, operation: &Operation) -> Vec<Attack> {
    if operation.is_upload {
        let (form, body) = sent(operation);
        let cut: String = body.chars().take(body.len() / 2).collect();
        let refused = [
            ("application/json", "{}", &[415][..]),
            ("multipart/form-data", &body, &[400]),
            ("multipart/form-data; boundary=other", &body, &[400]),
            (&form, &cut, &[400]),
            (&form, "", &[400]),
        ];
        let attacks = refused.map(|(form, body, expected)| Attack {
            form: form.to_owned(),
            ..Attack::new(target.path(operation), Some(body.to_owned()), expected)
        });
        return attacks.into();
    }
    let deep = "[".repeat(10_000);
    let nested = format!("{{\"x\": {deep}{}}}", "]".repeat(10_000));
    let refused = ["", "null", "[]", "1", "{", &deep, &nested].map(ToOwned::to_owned);
    let attack = |body, expected| Attack::new(target.path(operation), Some(body), expected);
    let mut attacks: Vec<_> = refused
        .map(|body: String| {
            // A page's reports may have 8 KiB only.
            let is_long = operation.path.ends_with("/telemetry/") && body.len() > 8 * 1024;
            attack(body, if is_long { &[413] } else { &[400] })
        })
        .into();
    // The beginning of 5 MB: the server does not wait for the rest.
    let mut large = attack(format!("{{\"x\": \"{}", "a".repeat(100_000)), &[413]);
    large.is_begun = true;
    attacks.push(large);
    attacks
}

/// A write that another site's page sends.
fn from_elsewhere(target: &Target, operation: &Operation) -> Vec<Attack> {
    let headers = [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://guide.test.evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    let attacks = headers.map(|header| {
        let body = operation.takes_a_body.then(|| sent(operation).1);
        let mut attack = Attack::new(target.path(operation), body, &[403]);
        attack.headers.push(header);
        attack
    });
    attacks.into()
}

/// All attacks on an operation.
pub(super) fn attacks(target: &Target, operation: &Operation) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for input in &operation.inputs {
        attacks.extend(match input.place.as_str() {
            "path" => on_path(operation, input),
            "query" => on_query(target, operation, input),
            "body" => on_field(target, operation, input),
            "form" => on_form(target, operation, input),
            "header" => on_header(target, operation, input),
            place => panic!("{place}: {}", input.name),
        });
    }
    if operation.takes_a_body {
        attacks.extend(on_body(target, operation));
    }
    if operation.method != Method::GET && !is_one_click(operation) {
        attacks.extend(from_elsewhere(target, operation));
    }
    attacks
}
