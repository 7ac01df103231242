//! Emails are signed (RFC 6376, RFC 8463). The tests verify signatures with an independent implementation of the RFCs.

use std::{collections::HashMap, num::NonZeroU16, path::PathBuf};

use base64::{Engine, prelude::BASE64_STANDARD};
use chassis::{
    error::Code,
    mail::{DkimSettings, Mail, PostOffice, Security, Settings},
};
use ring::{
    digest::{SHA256, digest},
    rand::SystemRandom,
    signature::{
        ED25519, Ed25519KeyPair, KeyPair, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey,
    },
};
use tokio_rustls::rustls::pki_types::{PrivatePkcs8KeyDer, pem::PemObject};
use uuid::Uuid;

/// A key that is only used for these tests' emails.
const RSA: &str = testkit::certificates::RSA_KEY;

fn settings(dkim: DkimSettings) -> Settings {
    Settings {
        from: "City Guide <post@guide.example>".to_owned(),
        host: String::new(),
        port: 25,
        security: Security::None,
        ca: String::new(),
        user: String::new(),
        password: String::new(),
        connections: NonZeroU16::MIN,
        folder: PathBuf::from("unused"),
        dkim,
    }
}

fn dkim(key: &str) -> DkimSettings {
    DkimSettings {
        domain: "guide.example".to_owned(),
        selector: "city".to_owned(),
        key: key.to_owned(),
    }
}

fn letter(key: &str) -> String {
    let office = PostOffice::new(&settings(dkim(key))).expect("valid");
    let mail = Mail {
        about: "test".to_owned(),
        to: "ada@example.com".parse().expect("an address"),
        reply_to: None,
        return_path: None,
        subject: "Ünïcode 🚋 and a long, long subject that needs more than one line of a header"
            .to_owned(),
        text: "Words \nand  more.\n\n\n".to_owned(),
        html: Some("<p>Words.</p>".to_owned()),
        headers: vec![
            (
                "List-Unsubscribe".to_owned(),
                "<https://guide.example/u>".to_owned(),
            ),
            (
                "List-Unsubscribe-Post".to_owned(),
                "List-Unsubscribe=One-Click".to_owned(),
            ),
        ],
    };
    let at = "2026-11-20T12:00:00Z".parse().expect("an instant");
    let letter = office.write(Uuid::from_u128(7), &mail, at).expect("writes");
    String::from_utf8(letter.content().to_vec()).expect("text")
}

/// Unfolds a header and reduces each run of blanks to a single one (RFC 6376, 3.4.2).
fn relaxed(header: &str) -> String {
    let (name, value) = header.split_once(':').expect("a header");
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}:{value}", name.trim().to_lowercase())
}

/// A body without blanks at the ends of its lines and without empty lines at its end (3.4.4).
fn relaxed_body(body: &str) -> String {
    let lines = body.split("\r\n").map(|line| {
        let leading = if line.starts_with([' ', '\t']) {
            " "
        } else {
            ""
        };
        let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        let words = words.collect::<Vec<_>>().join(" ");
        if words.is_empty() {
            String::new()
        } else {
            format!("{leading}{words}")
        }
    });
    let body = lines.collect::<Vec<_>>().join("\r\n");
    format!("{}\r\n", body.trim_end_matches("\r\n"))
}

/// Verifies the body's hash, and returns a signature's tags, the signed input and the signature's bytes.
fn signed(letter: &str) -> (HashMap<String, String>, Vec<u8>, Vec<u8>) {
    let (head, body) = letter.split_once("\r\n\r\n").expect("a body");
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let headers: Vec<_> = head.split("\r\n").collect();
    let own = headers[0];
    let value = own
        .strip_prefix("DKIM-Signature:")
        .expect("a signature comes first");
    let tags: HashMap<String, String> = value
        .split(';')
        .filter_map(|tag| tag.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.split_whitespace().collect()))
        .collect();
    let hash = digest(&SHA256, relaxed_body(body).as_bytes());
    assert_eq!(tags["bh"], BASE64_STANDARD.encode(hash), "the body's hash");
    assert_eq!(tags["c"], "relaxed/relaxed");
    let mut input = String::new();
    for name in tags["h"].split(':') {
        let mut found = headers[1..].iter();
        let found = found.find(|header| {
            header
                .split(':')
                .next()
                .is_some_and(|one| one.eq_ignore_ascii_case(name))
        });
        if let Some(header) = found {
            input.push_str(&relaxed(header));
            input.push_str("\r\n");
        }
    }
    let (before, after) = own.split_once("b=").map_or(("", ""), |_| {
        let at = own.find("; b=").or_else(|| own.find(";b=")).expect("b=");
        let begin = own[at..].find("b=").expect("b=") + at + 2;
        let end = own[begin..].find(';').map_or(own.len(), |end| begin + end);
        (&own[..begin], &own[end..])
    });
    input += &relaxed(&format!("{before}{after}"));
    let signature = BASE64_STANDARD.decode(&tags["b"]).expect("base64");
    (tags, input.into_bytes(), signature)
}

#[test]
fn a_letter_signed_with_rsa_is_who_it_says_it_is() {
    let letter = letter(RSA);
    let (tags, input, signature) = signed(&letter);
    assert_eq!(
        (tags["d"].as_str(), tags["s"].as_str()),
        ("guide.example", "city")
    );
    assert_eq!(tags["a"], "rsa-sha256");
    for name in [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "List-Unsubscribe",
        "List-Unsubscribe-Post",
    ] {
        let mut signed = tags["h"].split(':');
        assert!(
            signed.any(|one| one.eq_ignore_ascii_case(name)),
            "{name}: {}",
            tags["h"]
        );
    }
    let key = PrivatePkcs8KeyDer::from_pem_slice(RSA.as_bytes()).expect("PEM");
    let key = RsaKeyPair::from_pkcs8(key.secret_pkcs8_der()).expect("a key");
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref());
    public.verify(&input, &signature).expect("it verifies");
    let mut forged = input;
    forged[10] ^= 1;
    public
        .verify(&forged, &signature)
        .expect_err("it was changed");
}

#[test]
fn a_letter_signed_with_ed25519_is_who_it_says_it_is() {
    let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
    let pem = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        BASE64_STANDARD.encode(&pkcs8)
    );
    let (tags, input, signature) = signed(&letter(&pem));
    assert_eq!(tags["a"], "ed25519-sha256");
    let key = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).expect("a key");
    let public = UnparsedPublicKey::new(&ED25519, key.public_key().as_ref());
    // RFC 8463, 3: the signature is over the hash.
    let hash = digest(&SHA256, &input);
    public
        .verify(hash.as_ref(), &signature)
        .expect("it verifies");
}

#[test]
fn a_key_that_is_none_is_refused_without_being_told() {
    let refused = |dkim: DkimSettings| {
        let fault = PostOffice::new(&settings(dkim)).expect_err("refused");
        assert_eq!(fault.code, Code::Invalid);
        fault.message
    };
    let message = refused(dkim("secret nonsense"));
    assert!(
        message.contains("mail.dkim.key") && !message.contains("nonsense"),
        "{message}"
    );
    let message = refused(DkimSettings {
        selector: String::new(),
        ..dkim(RSA)
    });
    assert!(message.contains("mail.dkim.selector"), "{message}");
    assert!(
        PostOffice::new(&settings(DkimSettings::default()))
            .expect("unsigned")
            .signer
            .is_none()
    );
}
