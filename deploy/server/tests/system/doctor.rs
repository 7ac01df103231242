//! `cityguide doctor` beside a running site, with each server that a site can have.

use std::{fs, sync::Arc};

use chassis::{clock::SystemClock, mail::Security};
use cityguide::Settings;
use testkit::{
    bucket::{self, SECRET},
    certificates::TestAuthority,
    smtp::{Offer, SmtpServer},
};

use crate::{app::App, collector::Collector, commands::said, site::free};

/// A change that makes one check fail.
type Fault = fn(&mut Settings);

#[tokio::test(flavor = "multi_thread")]
async fn each_server_of_a_running_site_is_used_and_a_missing_one_is_named_with_what_to_do() {
    let app = App::start_with(Arc::new(SystemClock), |_| {}).await;
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("pictures")).expect("a bucket");
    let authority = TestAuthority::default();
    let mail = SmtpServer::start(Offer::Tls, &authority, None).await;
    let collector = Collector::start_with_tls(&authority).await;

    let mut settings = app.settings.clone();
    let internal = app.internal("").replace("http://", "");
    settings.http.internal_listen = internal.parse().expect("an address");
    let store = bucket::serve(folder.path()).await;
    settings.blobs.s3 = bucket::settings(store, "pictures", SECRET);
    settings.contact.to = "desk@guide.example".into();
    settings.mail.from = "Guide <post@guide.example>".into();
    settings.mail.host = "127.0.0.1".into();
    settings.mail.port = mail.address().port();
    settings.mail.security = Security::Tls;
    settings.mail.ca = authority.pem();
    settings.otlp.url = collector.url();
    settings.otlp.ca = authority.pem();
    settings.rpc.tls = authority.process(&["localhost"]);

    let (is_fine, output) = said(&settings, &["doctor", "--running"]).await;
    assert!(is_fine, "{output}");
    for what in [
        "blobs",
        "database and schemas",
        "connections of PostgreSQL",
        "clock",
        "mail server",
        "collector",
        "certificate of rpc.tls",
        &format!("readiness at {internal}"),
    ] {
        assert!(output.contains(&format!("ok    {what}\n")), "{output}");
    }
    assert!(output.contains("note  no backups"), "{output}");
    // The probe is deleted again.
    let left = fs::read_dir(folder.path().join("pictures/doctor"));
    assert!(left.map_or(0, Iterator::count) == 0, "{output}");

    let faults: [(&str, Fault); 6] = [
        ("blobs", |broken| {
            broken.blobs.s3.secret_access_key = "another".into();
        }),
        ("mail server", |broken| {
            broken.mail.port = free().port();
        }),
        ("collector", |broken| {
            broken.otlp.url = format!("https://{}", free());
        }),
        ("connections of PostgreSQL", |broken| {
            broken.database.max_connections = 10_000;
        }),
        ("last backup", |broken| {
            broken.backup.folder = "/nonexistent".into();
        }),
        ("readiness at", |broken| {
            broken.http.internal_listen = free();
        }),
    ];
    for (what, set) in faults {
        let mut broken = settings.clone();
        set(&mut broken);
        let (is_fine, output) = said(&broken, &["doctor", "--running"]).await;
        assert!(!is_fine, "{output}");
        let mut lines = output.lines();
        let bad = lines.find(|line| line.starts_with("BAD"));
        assert!(
            bad.is_some_and(|line| line.starts_with(&format!("BAD   {what}"))),
            "{output}"
        );
        let action = lines.next().unwrap_or_default();
        assert!(action.contains("(docs/"), "{output}");
        assert!(!lines.any(|line| line.starts_with("BAD")), "{output}");
    }
    app.stop().await;
}
