//! Processes that speak TLS to each other and to their servers, and the errors of a start with contradictory settings.

use cityguide::Settings;
use testkit::{certificates::TestAuthority, tls_servers::TlsServers, until};

use crate::{
    collector::Collector,
    commands::{self, migrated, output_of},
    site::{Site, Split},
    streams::another_device_hears_of_a_favourite_and_of_its_removal,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_through_every_service_runs_over_tls_between_processes_and_to_all_servers() {
    let authority = TestAuthority::default();
    let servers = TlsServers::of_the_run();
    let collector = Collector::start_with_tls(&authority).await;
    let split = Split::start_with(|settings| {
        settings.rpc.tls = authority.process(&["127.0.0.1"]);
        collector.url().clone_into(&mut settings.otlp.url);
        settings.otlp.ca = authority.pem();
        settings.otlp.metrics_interval_seconds = 1;
        set_servers(settings, &servers);
    })
    .await;
    let in_clear = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE datname = current_database() AND application_name LIKE 'cityguide-%' AND NOT ssl";
    assert_eq!(split.database.number(in_clear).await, 0);
    // This journey calls identity and bookmarks from the gateway, and places from bookmarks.
    let site = Site::Split(split);
    another_device_hears_of_a_favourite_and_of_its_removal(&site).await;
    until(
        "the collector has measured the journey's requests",
        async || {
            let points = collector.points("http_server_duration_seconds");
            (!points.is_empty()).then_some(())
        },
    )
    .await;
}

/// Has a site's settings name the servers over TLS. The database's name and role stay unchanged.
fn set_servers(settings: &mut Settings, servers: &TlsServers) {
    let (server, query) = servers.database.split_once('?').expect("sslmode");
    let (_, host) = server.rsplit_once('@').expect("a user");
    let (host, _) = host.split_once('/').expect("a database");
    let (user, address) = settings.database.url.rsplit_once('@').expect("a user");
    let (_, name) = address.split_once('/').expect("a name");
    let (name, _) = name.split_once('?').unwrap_or((name, ""));
    settings.database.url = format!("{user}@{host}/{name}?{query}");
    settings.bus.url.clone_from(&servers.amqp);
    settings.cache.url.clone_from(&servers.redis);
    for ca in [
        &mut settings.database.ca,
        &mut settings.bus.ca,
        &mut settings.cache.ca,
    ] {
        ca.clone_from(&servers.ca);
    }
}

#[tokio::test]
async fn doctor_names_each_server_with_another_certificate_and_why() {
    let (mut settings, _database, _blobs) = migrated().await;
    let servers = TlsServers::of_the_run();
    set_servers(&mut settings, &servers);
    let sound = commands::run(&settings, &["doctor"]).await;
    let found = String::from_utf8_lossy(&sound.stdout).into_owned();
    assert!(sound.status.success(), "{found}");
    for server in ["database and schemas", "bus", "cache"] {
        assert!(found.contains(&format!("ok    {server}\n")), "{found}");
    }

    let stranger = TestAuthority::default().pem();
    for (servers, why) in [
        (servers.trusting(stranger), "UnknownIssuer"),
        (
            servers.by_another_name(),
            "not valid for name \"127.0.0.1\"",
        ),
    ] {
        set_servers(&mut settings, &servers);
        let output = commands::run(&settings, &["doctor"]).await;
        output_of(&output);
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        for server in ["database and schemas", "bus", "cache"] {
            let bad = format!("BAD   {server}: ");
            let line = found.lines().find(|line| line.starts_with(&bad));
            assert!(line.is_some_and(|line| line.contains(why)), "{found}");
        }
    }
}

#[tokio::test]
async fn an_address_in_clear_beside_tls_stops_the_start_and_so_does_the_opposite() {
    let (mut settings, _database, blobs) = migrated().await;
    settings.bus.url = testkit::environment("CITYGUIDE_TEST_AMQP_URL");
    settings.cache.url = testkit::environment("CITYGUIDE_TEST_REDIS_URL");
    settings.internal.key = "a key that all processes of this test share".into();
    let pem = TestAuthority::default().process(&["localhost"]);
    let file = |name: &str, text: &str| {
        let path = blobs.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let (ca, certificate, key) = (
        file("ca.pem", &pem.ca),
        file("tls.pem", &pem.certificate),
        file("key.pem", &pem.key),
    );
    let start = async |url: &str, files: &[(&str, &std::path::Path)]| {
        let mut command = commands::program(&settings);
        command.args(["serve", "--target", "bookmarks"]);
        command.env("CITYGUIDE__SERVICES__PLACES__URL", url);
        for (name, path) in files {
            command.env(format!("CITYGUIDE__RPC__TLS__{name}_FILE"), path);
        }
        output_of(&command.output().await.expect("starts"))
    };
    let all = [
        ("CA", ca.as_path()),
        ("CERTIFICATE", &certificate),
        ("KEY", &key),
    ];
    for (url, files, expected) in [
        (
            "http://places:8082",
            &all[..],
            "services.places.url \"http://places:8082\" must be https",
        ),
        (
            "https://places:8082",
            &[],
            "services.places.url \"https://places:8082\" is https, which wants rpc.tls",
        ),
        ("https://places:8082", &all[..2], "rpc.tls.key is missing"),
        (
            "https://places:8082",
            &[all[0], all[1], ("KEY", &ca)],
            "rpc.tls: ca, certificate and key must be PEM",
        ),
    ] {
        let line = start(url, files).await;
        assert!(line.contains(expected), "{line}");
    }
}
