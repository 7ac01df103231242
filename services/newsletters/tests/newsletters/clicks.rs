//! Counted links of issues.

use std::sync::Arc;

use chassis::error::{Code, Fault};
use newsletters_proto::v1::{FollowLinkRequest, ShowClicksRequest, archive_client::ArchiveClient};
use testkit::calls;
use vocabulary::newsletters::Kind;

use crate::{
    fixture::Fixture,
    press::{Office, Press, SUBJECT, print, printing},
};

async fn follow(fixture: &Fixture, issue_id: i64, number: i32) -> Result<String, Fault> {
    let request = calls::guest(FollowLinkRequest { issue_id, number });
    let mut archive = ArchiveClient::new(fixture.transport());
    Ok(archive.follow_link(request).await?.into_inner().path)
}

async fn counts(fixture: &Fixture, issue_id: i64) -> Vec<(String, i64)> {
    let request = calls::operator(ShowClicksRequest { issue_id });
    let found = fixture.issues.clone().show_clicks(request).await;
    let clicks = found.expect("answers").into_inner().clicks.into_iter();
    clicks.map(|one| (one.title, one.count)).collect()
}

#[tokio::test]
async fn links_lead_to_what_they_name_and_are_counted_only_if_the_site_wants_it() {
    let office = Arc::new(Office::default());
    let press = Press::idle(office.clone()).await;
    let mut counting = printing();
    counting.newsletters.count_clicks = true;
    let press = press.replaced(counting).await;
    press
        .subscribe(&[(1, "ada@example.com")], &[Kind::News])
        .await;
    print(&press).await;
    let issue = press.until(Kind::News, "2026-11-21", "sent").await.id;
    let letter = office.taken().pop().expect("a letter").replace("=\r\n", "");
    let link = format!("https://guide.test/newsletters/issues/{issue}/1/");
    assert!(letter.contains(&link), "{letter}");
    for _ in 0..2 {
        let path = follow(&press.fixture, issue, 1).await;
        assert_eq!(path.as_deref(), Ok("/news/one/"));
    }
    for (issue, number) in [(issue, 0), (issue, 2), (issue, -1), (issue + 1, 1)] {
        let none = follow(&press.fixture, issue, number)
            .await
            .expect_err("none");
        assert_eq!(none.code, Code::NotFound);
    }
    assert_eq!(
        counts(&press.fixture, issue).await,
        [(SUBJECT.to_owned(), 2)]
    );
    // Links in letters sent earlier continue to work after click counting is switched off.
    let press = press.replaced(printing()).await;
    follow(&press.fixture, issue, 1).await.expect("leads on");
    assert_eq!(
        counts(&press.fixture, issue).await,
        [(SUBJECT.to_owned(), 2)]
    );
}
