//! Reports about sent emails, from mail providers and from returned emails.

use std::{fs, path::Path, sync::Arc};

use chassis::{
    clock::Clock as _,
    error::{Code, Fault},
};
use newsletters_proto::v1::ReportRequest;
use serde_json::{Value, json};
use testkit::{
    calls,
    certificates::TestAuthority,
    smtp::{Offer, SmtpServer},
    sns::{EXPIRED, OTHERS, SnsServer, TOPIC},
    until, webhooks,
};
use vocabulary::newsletters::Kind;

use crate::{
    fixture::WEBHOOK_SECRET,
    press::{Office, Press, mailer, print, printing},
};

const ADA: (i64, &str) = (1, "ada@example.com");
const BOB: (i64, &str) = (2, "bob@example.com");
const CAT: (i64, &str) = (3, "cat@example.com");

/// Sends a report signed with `secret`.
async fn report(press: &Press, provider: &str, body: &str, secret: &str) -> Result<(), Fault> {
    let now = press.fixture.parts.clock.now();
    let request = calls::guest(ReportRequest {
        provider: provider.to_owned(),
        body: body.as_bytes().to_vec(),
        signature: webhooks::signature(secret, now, body),
        authorization: String::new(),
    });
    press.fixture.reports.clone().report(request).await?;
    Ok(())
}

#[tokio::test]
async fn who_complains_gets_nothing_more_and_a_forged_complaint_changes_nothing() {
    let press = Press::new().await;
    press
        .subscribe(&[ADA, BOB], &[Kind::News, Kind::Travel])
        .await;
    print(&press).await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    let complaint = r#"{"events": [{"type": "complaint", "email": "Ada@example.com"}]}"#;
    let forged = report(&press, "generic", complaint, "another secret").await;
    assert_eq!(forged.expect_err("forged").code, Code::Forbidden);
    for provider in ["mailgun", "sendgrid"] {
        let none = report(&press, provider, complaint, WEBHOOK_SECRET).await;
        assert_eq!(none.expect_err("no such provider").code, Code::NotFound);
    }
    assert_eq!(press.fates(ADA.1).await, ["news 2026-11-21 accepted"]);
    for _ in 0..2 {
        report(&press, "generic", complaint, WEBHOOK_SECRET)
            .await
            .expect("taken");
    }
    assert_eq!(press.fates(ADA.1).await, ["news 2026-11-21 complained"]);
    let known = press.fixture.known(ADA.1).await;
    assert_eq!(known.on, Vec::<String>::new());
    assert_eq!(known.suppressed.as_deref(), Some("complained"));
    let last = known.entries.last().expect("an entry");
    assert_eq!(
        (last.act.as_str(), last.way.as_str()),
        ("withdrawn", "complaint")
    );
    assert_eq!(press.fixture.known(BOB.1).await.on, ["news", "travel"]);

    let bounce = r#"{"events": [{"type": "bounce", "email": "bob@example.com"}, {"type": "bounce", "email": "x"}]}"#;
    report(&press, "generic", bounce, WEBHOOK_SECRET)
        .await
        .expect("taken");
    assert_eq!(press.fates(BOB.1).await, ["news 2026-11-21 bounced"]);
    press.article("news", "Two", "2026-11-21T11:30:00Z").await;
    press.at("2026-11-22T11:30:00Z");
    press.until(Kind::News, "2026-11-22", "sent").await;
    assert_eq!(
        press.office.count(BOB.1, "Two") + press.office.count(ADA.1, "Two"),
        0
    );
    let gets = press.fixture.known(BOB.1).await.on;
    assert_eq!(gets, ["news", "travel"], "the address may work again");
}

async fn from_ses(press: &Press, message: &Value) -> Result<(), Fault> {
    let request = calls::guest(ReportRequest {
        provider: "ses".to_owned(),
        body: message.to_string().into_bytes(),
        signature: String::new(),
        authorization: String::new(),
    });
    press.fixture.reports.clone().report(request).await?;
    Ok(())
}

fn bounce(kind: &str, address: &str) -> Value {
    let recipients = [json!({"emailAddress": address})];
    let bounce = json!({"bounceType": kind, "bouncedRecipients": recipients});
    json!({"notificationType": "Bounce", "bounce": bounce})
}

#[tokio::test]
async fn amazon_reports_through_a_topic_whose_signature_is_verified() {
    let sns = SnsServer::start().await;
    let mut settings = printing();
    TOPIC.clone_into(&mut settings.newsletters.webhooks.ses);
    settings.newsletters.webhooks.sns_url = sns.url();
    let press = Press::idle(Arc::new(Office::default())).await;
    let press = press.replaced(settings).await;
    press.subscribe(&[ADA, BOB], &[Kind::News]).await;
    let now = press.fixture.parts.clock.now();
    let confirmation = sns.confirmation(now);
    from_ses(&press, &confirmation).await.expect("confirmed");
    assert_eq!(sns.calls(), (1, 1));

    let permanent = sns.notification(now, &bounce("Permanent", BOB.1));
    for (field, value) in [
        ("Message", bounce("Permanent", ADA.1).to_string()),
        ("Signature", "AAAA".to_owned()),
        ("SignatureVersion", "1".to_owned()),
        ("TopicArn", TOPIC.replace("bounces", "others")),
        ("Timestamp", "2026-01-01T00:00:00.000Z".to_owned()),
        (
            "SigningCertURL",
            "https://sns.ca-central-1.amazonaws.com.example/c.pem".to_owned(),
        ),
        ("SigningCertURL", format!("{}.example/{OTHERS}", sns.url())),
        ("SigningCertURL", sns.url() + "/certificate.pem"),
        (
            "SigningCertURL",
            sns.url() + "/a/SimpleNotificationService-0a.pem",
        ),
        (
            "SigningCertURL",
            sns.url() + "/SimpleNotificationService-0a/../x.pem",
        ),
        ("SigningCertURL", format!("{}/{EXPIRED}", sns.url())),
        ("SigningCertURL", format!("{}/{OTHERS}", sns.url())),
    ] {
        let mut forged = permanent.clone();
        forged[field] = json!(value);
        let refused = from_ses(&press, &forged).await.expect_err(field);
        assert_eq!(refused.code, Code::Forbidden, "{field}");
    }
    let mut elsewhere = confirmation;
    elsewhere["SubscribeURL"] = json!("http://127.0.0.1:9/");
    from_ses(&press, &elsewhere)
        .await
        .expect_err("an address that is not Amazon's");
    let none = from_ses(&press, &json!({"Type": "Notification"})).await;
    assert_eq!(none.expect_err("no message").code, Code::Invalid);
    assert_eq!(press.fixture.known(BOB.1).await.suppressed, None);

    let passing = sns.notification(now, &bounce("Transient", ADA.1));
    let other = sns.notification(now, &json!("Successfully validated SNS topic"));
    for message in [passing, other, permanent.clone(), permanent] {
        from_ses(&press, &message).await.expect("taken");
    }
    let known = press.fixture.known(BOB.1).await;
    assert_eq!(known.suppressed.as_deref(), Some("bounced"));
    assert_eq!(press.fixture.known(ADA.1).await.suppressed, None);
    let complaint = json!({"eventType": "Complaint", "complaint": {"complainedRecipients": [{"emailAddress": ADA.1}]}});
    let complaint = sns.notification(now, &complaint);
    from_ses(&press, &complaint).await.expect("taken");
    assert_eq!(press.fixture.known(ADA.1).await.on, Vec::<String>::new());
    assert_eq!(sns.calls(), (1, 3), "each certificate is kept");
}

/// Puts a report of delivery into the Maildir, as a mail server does.
fn comes_back(folder: &Path, name: &str, to: &str, fields: &str) {
    let report = format!(
        "Return-Path: <>\r\nDelivered-To: {to}\r\nFrom: MAILER-DAEMON@mx.example\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; somebody@example.com\r\n{fields}\r\n\r\n--b--\r\n"
    );
    let file = folder.join("tmp").join(name);
    fs::write(&file, report).expect("writes");
    fs::rename(file, folder.join("new").join(name)).expect("delivers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_comes_back_is_a_bounce_of_whom_its_return_path_names() {
    let server = SmtpServer::start(Offer::Clear, &TestAuthority::default(), None).await;
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for name in ["new", "cur", "tmp"] {
        fs::create_dir(folder.join(name)).expect("a folder");
    }
    let mut settings = printing();
    "bounces@guide.test".clone_into(&mut settings.newsletters.return_path);
    settings.newsletters.returned_mail = folder.to_owned();
    let press = Press::idle(mailer(&server)).await;
    let press = press.replaced(settings).await;
    press.subscribe(&[ADA, BOB, CAT], &[Kind::News]).await;
    print(&press).await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    let sender_to = |address: &str| {
        let mut letters = server.received().into_iter();
        let one = letters.rfind(|one| one.envelope.1 == address);
        one.expect("a letter").envelope.0
    };
    let paths = [ADA, BOB, CAT].map(|(_, address)| sender_to(address));
    assert!(
        paths[0].starts_with("bounces+1-1-") && paths[0] != paths[1],
        "{paths:?}"
    );

    let no_such =
        "Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such user";
    comes_back(folder, "1", &paths[0], no_such);
    comes_back(folder, "2", &paths[1], "Action: failed\r\nStatus: 5.7.1");
    comes_back(folder, "3", &paths[2], "Action: delayed\r\nStatus: 4.4.1");
    comes_back(folder, "4", &paths[2].replace("-3-", "-1-"), no_such);
    fs::write(folder.join("new/5"), [0xff, 0, 1]).expect("writes");
    // The folder is read every few seconds.
    until("they are taken", async || {
        let left = fs::read_dir(folder.join("new")).expect("a folder").count();
        (left == 0).then_some(())
    })
    .await;
    assert_eq!(press.fates(ADA.1).await, ["news 2026-11-21 bounced"]);
    assert_eq!(press.fates(BOB.1).await, ["news 2026-11-21 bounced"]);
    assert_eq!(press.fates(CAT.1).await, ["news 2026-11-21 accepted"]);
    let suppressed = async |address: &str| press.fixture.known(address).await.suppressed;
    assert_eq!(suppressed(ADA.1).await.as_deref(), Some("bounced"));
    assert_eq!(
        suppressed(BOB.1).await,
        None,
        "its server did not like the letter"
    );
    assert_eq!(suppressed(CAT.1).await, None);
}
