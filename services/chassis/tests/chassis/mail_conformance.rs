//! A suite for every mailer, and the possible responses of an SMTP server to an email.

use std::{num::NonZeroU16, path::Path};

use chassis::mail::{
    DkimSettings, FolderMailer, Letter, Mail, Mailbox, Mailer, PostOffice, Security, Settings,
    SmtpMailer, Undelivered,
};
use testkit::{
    certificates::TestAuthority,
    letters,
    smtp::{Offer, SmtpServer},
};
use uuid::Uuid;

/// The login in AUTH PLAIN's form: NUL, `city`, NUL, `a secret`.
const LOGIN: &str = "AGNpdHkAYSBzZWNyZXQ=";

fn letter(number: u128, text: &str) -> Letter {
    let from = "City Guide <post@guide.example>"
        .parse()
        .expect("an address");
    let mail = Mail {
        about: "test".to_owned(),
        to: "editor@guide.example".parse().expect("an address"),
        reply_to: Some(Mailbox::new(
            Some("Jürgen, \"J\"".to_owned()),
            "j@example.com".parse().expect("an address"),
        )),
        return_path: None,
        subject: "Ünïcode 🚋 and a long, long subject that needs more than one line of a header"
            .to_owned(),
        text: text.to_owned(),
        html: None,
        headers: Vec::new(),
    };
    let at = "2026-11-20T12:00:00Z".parse().expect("an instant");
    Letter::write(Uuid::from_u128(number), &from, &mail, at).expect("writes")
}

/// Every mailer delivers an email unchanged, and delivers it again if it is sent again.
async fn conforms(mailer: &dyn Mailer, arrived: impl Fn() -> Vec<String>) {
    let texts = [
        "Plain words.\n",
        ".\n..\n.. dots\n",
        "Ünïcode 🚋\n",
        &"a long line ".repeat(400),
        "no line end",
    ];
    for (number, text) in texts.iter().enumerate() {
        let letter = letter(number as u128, text);
        mailer.send(&letter).await.expect("taken");
        let content = String::from_utf8(letter.content().to_vec()).expect("text");
        let content = content.trim_end().to_owned();
        let is_there = arrived().iter().any(|one| one.trim_end() == content);
        assert!(is_there, "{content:?}: {:?}", arrived());
    }
    let again = letter(0, texts[0]);
    mailer.send(&again).await.expect("taken again");
    let id = "Message-ID: <00000000-0000-0000-0000-000000000000@guide.example>";
    assert!(arrived().iter().any(|one| one.contains(id)));
}

fn settings(host: &str, port: u16, security: Security, ca: String) -> Settings {
    Settings {
        from: "post@guide.example".to_owned(),
        host: host.to_owned(),
        port,
        security,
        ca,
        user: String::new(),
        password: String::new(),
        connections: NonZeroU16::new(2).expect("positive"),
        folder: "unused".into(),
        dkim: DkimSettings::default(),
    }
}

fn with_login(settings: Settings, password: &str) -> Settings {
    Settings {
        user: "city".to_owned(),
        password: password.to_owned(),
        ..settings
    }
}

/// Mailer settings for a test server, with its certificate authority as `ca`.
fn to(server: &SmtpServer, security: Security, authority: &TestAuthority) -> Settings {
    let address = server.address();
    settings(
        &address.ip().to_string(),
        address.port(),
        security,
        authority.pem(),
    )
}

#[tokio::test]
async fn a_folder_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let mail = folder.path().join("not/yet/there");
    let mailer = FolderMailer::new(&mail);
    conforms(&mailer, || letters::in_folder(&mail)).await;
    // An email that was sent twice is stored once.
    assert_eq!(letters::in_folder(&mail).len(), 5);
}

#[tokio::test]
async fn smtp_conforms_in_clear_by_starttls_and_by_tls() {
    let authority = TestAuthority::default();
    for (offer, security, login) in [
        (Offer::Clear, Security::None, None),
        (Offer::Starttls, Security::Starttls, Some(LOGIN)),
        (Offer::Tls, Security::Tls, Some(LOGIN)),
        (Offer::Tls, Security::Tls, None),
    ] {
        let server = SmtpServer::start(offer, &authority, login).await;
        let mut settings = to(&server, security, &authority);
        if login.is_some() {
            settings = with_login(settings, "a secret");
        }
        let mailer = SmtpMailer::new(&settings).expect("valid");
        conforms(&mailer, || {
            server
                .received()
                .into_iter()
                .map(|one| one.content)
                .collect()
        })
        .await;
        let (from, to) = server.received().remove(0).envelope;
        assert_eq!(
            (from.as_str(), to.as_str()),
            ("post@guide.example", "editor@guide.example")
        );
        // Six sequential emails share the first connections.
        assert!(server.greetings() <= 2, "{offer:?}: {}", server.greetings());
    }
}

/// Makes a server refuse a step with this response, or accept it again.
type Refuse<'a> = &'a dyn Fn(Option<&str>);

#[tokio::test]
async fn a_refusal_of_the_recipient_or_the_content_concerns_that_letter_alone() {
    let authority = TestAuthority::default();
    for offer in [Offer::Clear, Offer::Tls] {
        let security = if offer == Offer::Tls {
            Security::Tls
        } else {
            Security::None
        };
        let server = SmtpServer::start(offer, &authority, None).await;
        let mailer = SmtpMailer::new(&to(&server, security, &authority)).expect("valid");
        let stages: [Refuse; 2] = [&|reply| server.refuse_recipients_with(reply), &|reply| {
            server.refuse_with(reply);
        }];
        for refuse_with in stages {
            for (answer, code, enhanced) in [
                ("550 5.1.1 unknown mailbox", 550, [5, 1, 1]),
                ("501 5.1.3 bad address", 501, [5, 1, 3]),
                ("503 sequence", 503, [0; 3]),
                ("530 5.7.1 no relay", 530, [5, 7, 1]),
                ("552 5.3.4 too big", 552, [5, 3, 4]),
            ] {
                refuse_with(Some(answer));
                match mailer.send(&letter(1, "words")).await {
                    Err(Undelivered::Refused(reply)) => {
                        assert_eq!((reply.code, reply.enhanced), (code, enhanced));
                        assert_eq!(reply.words, answer[4..]);
                    }
                    other => panic!("{offer:?}, {answer}: {other:?}"),
                }
            }
            for (answer, code) in [("451 4.7.1 greylisted", 451), ("452 full", 452)] {
                refuse_with(Some(answer));
                match mailer.send(&letter(1, "words")).await {
                    Err(Undelivered::Later(reply)) => assert_eq!(reply.code, code),
                    other => panic!("{offer:?}, {answer}: {other:?}"),
                }
            }
            refuse_with(None);
            let accepted = mailer.send(&letter(2, "words")).await.expect("accepted");
            assert_eq!((accepted.code, accepted.words.as_str()), (250, "taken"));
        }
        assert_eq!(server.received().len(), 2);
        assert_eq!(server.greetings(), 1, "the connection is used again");
    }
}

#[tokio::test]
async fn a_refusal_of_the_site_or_a_server_that_closes_says_nothing_of_the_letter() {
    let authority = TestAuthority::default();
    let server = SmtpServer::start(Offer::Clear, &authority, None).await;
    let mailer = SmtpMailer::new(&to(&server, Security::None, &authority)).expect("valid");
    let stages: [(Refuse, &[&str]); 3] = [
        (
            &|reply| server.refuse_senders_with(reply),
            &["550 5.7.1 not from you", "530 sign in", "421 closing"],
        ),
        (
            &|reply| server.refuse_recipients_with(reply),
            &["421 closing"],
        ),
        (&|reply| server.refuse_with(reply), &["421 closing"]),
    ];
    for (refuse_with, answers) in stages {
        for answer in answers {
            refuse_with(Some(answer));
            let sent = mailer.send(&letter(1, "words")).await;
            assert!(
                matches!(sent, Err(Undelivered::Away(_))),
                "{answer}: {sent:?}"
            );
        }
        refuse_with(None);
        mailer.send(&letter(1, "words")).await.expect("accepted");
    }
}

#[tokio::test]
async fn a_recipient_is_refused_although_the_server_accepts_data() {
    let authority = TestAuthority::default();
    let server = SmtpServer::start(Offer::Clear, &authority, None).await;
    server.accept_data_always();
    let mailer = SmtpMailer::new(&to(&server, Security::None, &authority)).expect("valid");
    server.refuse_recipients_with(Some("550 5.1.1 unknown mailbox"));
    let sent = mailer.send(&letter(1, "words")).await;
    assert!(
        matches!(&sent, Err(Undelivered::Refused(reply)) if reply.code == 550),
        "{sent:?}"
    );
    server.refuse_recipients_with(None);
    mailer.send(&letter(2, "words")).await.expect("accepted");
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn a_connection_that_the_server_has_closed_is_replaced_and_costs_no_letter() {
    let authority = TestAuthority::default();
    let server = SmtpServer::start(Offer::Clear, &authority, None).await;
    let mailer = SmtpMailer::new(&to(&server, Security::None, &authority)).expect("valid");
    server.hang_up(true);
    for number in 0..5 {
        mailer.send(&letter(number, "words")).await.expect("taken");
    }
    assert_eq!(server.received().len(), 5);
    assert_eq!(server.greetings(), 5);
}

#[tokio::test]
async fn as_many_letters_are_on_their_way_as_there_are_connections() {
    let authority = TestAuthority::default();
    let server = SmtpServer::start(Offer::Clear, &authority, None).await;
    let mailer = SmtpMailer::new(&to(&server, Security::None, &authority)).expect("valid");
    let letters: Vec<_> = (0..40).map(|number| letter(number, "words")).collect();
    let sent = futures::future::join_all(letters.iter().map(|letter| mailer.send(letter))).await;
    assert!(sent.iter().all(Result::is_ok), "{sent:?}");
    assert_eq!(server.received().len(), 40);
    assert!(server.greetings() <= 2, "{}", server.greetings());
}

#[tokio::test]
async fn a_server_that_is_away_or_does_not_let_us_in_says_nothing_of_the_letter() {
    let authority = TestAuthority::default();
    let starttls = SmtpServer::start(Offer::Starttls, &authority, Some(LOGIN)).await;
    let clear = SmtpServer::start(Offer::Clear, &authority, None).await;
    let gone = SmtpServer::start(Offer::Clear, &authority, None).await;
    gone.stop();
    let right = to(&starttls, Security::Starttls, &authority);
    let stranger = TestAuthority::default();
    for (why, settings) in [
        ("nobody is there", to(&gone, Security::None, &authority)),
        ("the password is wrong", with_login(right.clone(), "wrong")),
        ("nobody signed in", right),
        (
            "it has no STARTTLS",
            to(&clear, Security::Starttls, &authority),
        ),
        ("it has no TLS", to(&clear, Security::Tls, &authority)),
        (
            "its authority is strange",
            with_login(to(&starttls, Security::Starttls, &stranger), "a secret"),
        ),
    ] {
        let mailer = SmtpMailer::new(&settings).expect("valid");
        let away = mailer.send(&letter(1, "words")).await;
        assert!(matches!(away, Err(Undelivered::Away(_))), "{why}: {away:?}");
    }
    assert_eq!(starttls.received(), []);
    assert_eq!(clear.received(), []);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_says_nothing_of_the_letter() {
    let away = FolderMailer::new(Path::new("/dev/null/mail"))
        .send(&letter(1, "words"))
        .await;
    assert!(matches!(away, Err(Undelivered::Away(_))), "{away:?}");
}

#[tokio::test]
async fn settings_that_cannot_be_are_refused_by_name() {
    let valid = settings("127.0.0.1", 25, Security::None, String::new());
    let refused = |change: &dyn Fn(&mut Settings)| {
        let mut settings = valid.clone();
        change(&mut settings);
        PostOffice::new(&settings).expect_err("refused").message
    };
    assert!(!PostOffice::new(&valid).expect("valid").is_local);
    for (said, change) in [
        (
            "mail.from is missing",
            &(|s: &mut Settings| s.from.clear()) as &dyn Fn(&mut Settings),
        ),
        ("mail.from", &|s| "nobody".clone_into(&mut s.from)),
        ("mail.user and mail.password", &|s| {
            "city".clone_into(&mut s.user);
        }),
        ("mail.security", &|s| *s = with_login(s.clone(), "a secret")),
        ("mail.ca", &|s| {
            s.security = Security::Tls;
            s.ca = "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----".to_owned();
        }),
    ] {
        let message = refused(change);
        assert!(message.contains(said), "{said}: {message}");
    }
    let mut nothing = valid;
    nothing.host.clear();
    nothing.from.clear();
    let office = PostOffice::new(&nothing).expect("mail stays here");
    assert!(office.is_local);
    assert_eq!(office.from.to_string(), "no-reply@localhost");
}
