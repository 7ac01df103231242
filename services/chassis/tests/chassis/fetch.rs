//! Files from servers that send wrong headers, hang, redirect to this network or change files without notice.

use std::{sync::Arc, time::Duration};

use chassis::{
    clock::SystemClock,
    fetch::{Bounds, Fetched, Fetcher, Known, NotFetched, WebFile},
};
use testkit::web::{Page, WebStandIn};

/// The only address of this machine that may be accessed.
const REACHED: &str = "127.0.0.2";
const MAX: usize = 64 * 1024;

fn fetcher(timeout: Duration) -> Fetcher {
    let bounds = Bounds {
        private_networks: vec![REACHED.parse().expect("a network")],
        most_bytes: MAX,
        timeout,
    };
    Fetcher::new(bounds, Arc::new(SystemClock)).expect("a fetcher")
}

async fn got(url: &str) -> Result<Fetched, NotFetched> {
    fetcher(Duration::from_secs(20))
        .get(url, Known::default())
        .await
}

async fn refused(url: &str) -> String {
    got(url).await.expect_err("refused").why
}

async fn file(url: &str) -> WebFile {
    match got(url).await {
        Ok(Fetched::File(file)) => file,
        other => panic!("{url}: {other:?}"),
    }
}

#[tokio::test]
async fn a_file_comes_with_what_says_whether_it_has_changed() {
    let server = WebStandIn::start(REACHED).await;
    let tags = [
        "ETag: W/\"1\"",
        "Last-Modified: Fri, 15 Mar 2024 23:19:23 GMT",
    ];
    server.set("/feed", Page::new("200 OK", &tags, "all of it"));
    server.set("/moved", Page::redirect("/feed"));
    let found = file(&server.url("/moved")).await;
    assert_eq!(&found.content[..], b"all of it");
    assert_eq!(found.etag, "W/\"1\"");
    assert_eq!(found.last_modified, "Fri, 15 Mar 2024 23:19:23 GMT");
    let known = Known {
        etag: &found.etag,
        last_modified: &found.last_modified,
    };
    server.set("/feed", Page::new("304 Not Modified", &[], ""));
    let answer = fetcher(Duration::from_secs(20))
        .get(&server.url("/moved"), known)
        .await;
    assert_eq!(answer, Ok(Fetched::Unchanged));
    let asked = server.asked("/feed");
    assert!(
        !asked[0].contains("if-none-match") && asked[0].contains("accept-encoding: identity"),
        "{}",
        asked[0]
    );
    assert!(
        asked[1].contains("if-none-match: W/\"1\"\r\n"),
        "{}",
        asked[1]
    );
    assert!(
        asked[1].contains("if-modified-since: Fri, 15 Mar 2024 23:19:23 GMT\r\n"),
        "{}",
        asked[1]
    );
}

#[tokio::test]
async fn a_redirect_into_this_network_is_not_followed_however_it_is_written() {
    let server = WebStandIn::start(REACHED).await;
    let inside = WebStandIn::start("127.0.0.1").await;
    inside.set("/secret", Page::new("200 OK", &[], "secret"));
    let port = inside.address().port();
    for to in [
        format!("http://127.0.0.1:{port}/secret"),
        format!("http://2130706433:{port}/secret"),
        format!("http://[::ffff:127.0.0.1]:{port}/secret"),
        format!("http://localhost:{port}/secret"),
        format!("//127.0.0.1:{port}/secret"),
        "http://[::1]/secret".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://10.0.0.1/".to_owned(),
    ] {
        server.set("/", Page::redirect(&to));
        let why = refused(&server.url("/")).await;
        assert!(
            why.contains("is no address of the public internet"),
            "{to}: {why}"
        );
    }
    assert_eq!(inside.asked("/secret"), Vec::<String>::new());
    for (to, expected) in [
        ("ftp://a.example/", "ftp is not read, but http and https"),
        ("file:///etc/passwd", "file is not read, but http and https"),
        ("/", "it redirects more than 5 times"),
    ] {
        server.set("/", Page::redirect(to));
        assert_eq!(refused(&server.url("/")).await, expected);
    }
}

#[tokio::test]
async fn a_server_that_hangs_or_drips_is_given_up_in_time() {
    let server = WebStandIn::start(REACHED).await;
    let fetcher = fetcher(Duration::from_secs(1));
    let slow = Duration::from_millis(100);
    server.set("/hangs", Page::Hang);
    server.set(
        "/drips-head",
        Page::Drip(
            b"HTTP/1.1 200 OK\r\nX-Long: and longer\r\n\r\n".to_vec(),
            slow,
        ),
    );
    let mut body = b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n".to_vec();
    let Page::Bytes(head) = Page::new("302 Found", &["Location: /hangs", "Content-Length: 0"], "")
    else {
        unreachable!("bytes");
    };
    server.set("/redirects", Page::Bytes(head));
    body.extend([b'x'; 9000]);
    server.set("/drips", Page::Drip(body, Duration::from_millis(5)));
    for path in ["/hangs", "/drips-head", "/drips", "/redirects"] {
        let answer = fetcher.get(&server.url(path), Known::default()).await;
        assert_eq!(
            answer.expect_err(path).why,
            "it took more than 1 s",
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_file_has_a_bound_whatever_its_server_says_of_its_length() {
    let server = WebStandIn::start(REACHED).await;
    let large = "x".repeat(MAX + 1);
    let chunked = format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    for (path, headers, body) in [
        ("/told", &["Content-Length: 65537"][..], ""),
        ("/untold", &[], large.as_str()),
        (
            "/chunked",
            &["Transfer-Encoding: chunked"],
            chunked.as_str(),
        ),
    ] {
        server.set(path, Page::new("200 OK", headers, body));
        assert_eq!(
            refused(&server.url(path)).await,
            "it has more than 64 KiB",
            "{path}"
        );
    }
    server.set(
        "/short",
        Page::new("200 OK", &["Content-Length: 100"], "only this"),
    );
    let why = refused(&server.url("/short")).await;
    assert!(
        why.contains("end of file before message length reached"),
        "{why}"
    );
    server.set(
        "/long",
        Page::new("200 OK", &["Content-Length: 4"], "more than announced"),
    );
    assert_eq!(&file(&server.url("/long")).await.content[..], b"more");
    let zipped = Page::new("200 OK", &["Content-Encoding: gzip"], [0x1f, 0x8b]);
    server.set("/zipped", zipped);
    assert_eq!(
        refused(&server.url("/zipped")).await,
        "it is compressed, though that was not asked for"
    );
}

#[tokio::test]
async fn a_server_says_when_it_wants_to_be_asked_again() {
    let server = WebStandIn::start(REACHED).await;
    for (header, expected) in [
        ("Retry-After: 120", Some(Duration::from_mins(2))),
        ("Retry-After: Fri, 15 Mar 2024 23:19:23 GMT", None),
        ("Retry-After: soon", None),
    ] {
        server.set("/", Page::new("503 Service Unavailable", &[header], ""));
        let failed = got(&server.url("/")).await.expect_err("failed");
        assert_eq!(failed.why, "it answered 503 Service Unavailable");
        assert_eq!(failed.retry_after, expected, "{header}");
    }
    server.set(
        "/",
        Page::new(
            "503 Busy",
            &["Retry-After: Fri, 15 Mar 2999 23:19:23 GMT"],
            "",
        ),
    );
    let failed = got(&server.url("/")).await.expect_err("failed");
    assert!(
        failed
            .retry_after
            .is_some_and(|pause| pause > Duration::from_hours(24))
    );
}
