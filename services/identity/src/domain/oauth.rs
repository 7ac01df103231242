//! Authorisations by OAuth 2.0 (RFC 6749) with PKCE (RFC 7636): the browser visits a provider's page and returns with a
//! code. The state in the address, whose digest is stored, and the session bind the return to the request.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// How long an authorisation can be completed.
pub(crate) const LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// The maximum number of a reader's pending authorisations; a new one replaces the oldest.
pub(crate) const MAX_BEGUN: i64 = 10;

/// The consent page of a provider, with the client's parameters.
#[derive(Debug)]
pub(crate) struct ConsentPage<'a> {
    pub(crate) url: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) redirect_uri: &'a str,
    pub(crate) scope: &'a str,
    /// Parameters specific to the provider.
    pub(crate) further: &'a [(&'a str, &'a str)],
}

impl ConsentPage<'_> {
    /// The page's address for one authorisation.
    pub(crate) fn address(&self, state: &str, verifier: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", self.client_id)
            .append_pair("redirect_uri", self.redirect_uri)
            .append_pair("scope", self.scope)
            .append_pair("state", state)
            .append_pair("code_challenge", &challenge(verifier))
            .append_pair("code_challenge_method", "S256")
            .extend_pairs(self.further)
            .finish();
        format!("{}?{query}", self.url)
    }
}

/// The challenge of a verifier (RFC 7636, section 4.2).
fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// The result with which the provider redirected the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The reader consented; the code can be exchanged for tokens.
    Consent(String),
    /// The reader refused.
    Denial,
    /// The provider could not ask the reader, so there is no decision.
    Failure,
}

impl Outcome {
    /// Parses the parameters of the redirect (RFC 6749, section 4.1.2); one of them is empty.
    pub(crate) fn parse(code: String, error: &str) -> Self {
        match (code.is_empty(), error) {
            (_, "access_denied") => Self::Denial,
            (false, "") => Self::Consent(code),
            _ => Self::Failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_standard() {
        // RFC 7636, appendix B.
        assert_eq!(
            challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn an_address_carries_the_challenge_and_not_the_verifier() {
        let page = ConsentPage {
            url: "https://provider.test/auth",
            client_id: "a client",
            redirect_uri: "https://guide.test/back",
            scope: "calendar",
            further: &[("access_type", "offline")],
        };
        assert_eq!(
            page.address("state", "verifier"),
            "https://provider.test/auth?response_type=code&client_id=a+client\
             &redirect_uri=https%3A%2F%2Fguide.test%2Fback&scope=calendar&state=state\
             &code_challenge=iMnq5o6zALKXGivsnlom_0F5_WYda32GHkxlV7mq7hQ&code_challenge_method=S256\
             &access_type=offline"
        );
    }

    #[test]
    fn only_a_code_is_a_consent_and_only_a_refusal_is_a_denial() {
        let parse = |code: &str, error| Outcome::parse(code.to_owned(), error);
        assert_eq!(parse("c", ""), Outcome::Consent("c".to_owned()));
        assert_eq!(parse("", "access_denied"), Outcome::Denial);
        assert_eq!(parse("c", "access_denied"), Outcome::Denial);
        for (code, error) in [("", ""), ("", "server_error"), ("c", "server_error")] {
            assert_eq!(parse(code, error), Outcome::Failure);
        }
    }
}
