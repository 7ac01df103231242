//! Processes that speak TLS in both directions, and the errors of a start with contradictory settings.

use testkit::certificates::TestAuthority;

use crate::{
    commands::{self, migrated, told},
    site::{Site, Split},
    streams::another_device_is_told_of_a_favourite_and_of_its_removal_within_a_second,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_through_every_service_runs_over_tls() {
    let authority = TestAuthority::default();
    let split = Split::start_with(|settings| {
        settings.rpc.tls = authority.process(&["127.0.0.1"]);
    })
    .await;
    // From the gateway to identity and bookmarks, and from bookmarks to places.
    another_device_is_told_of_a_favourite_and_of_its_removal_within_a_second(&Site::Split(split))
        .await;
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
        told(&command.output().await.expect("starts"))
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
