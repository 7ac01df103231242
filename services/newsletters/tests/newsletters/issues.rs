//! Issues contain the items published since the previous issue, and each issue is made once, even if the clock changes.

use chassis::error::Fault;
use chrono::TimeDelta;
use editorial_proto::v1::{Event, ImportItem, Kind as ItemKind, import_item::Detail};
use newsletters_proto::v1::{
    CancelIssueRequest, Draft, PreviewIssueRequest, ScheduleIssueRequest, SendTestIssueRequest,
};
use testkit::{calls, until};
use vocabulary::newsletters::Kind;

use crate::press::{Press, event, item};

const ADA: (i64, &str) = (1, "ada@example.com");
const BOB: (i64, &str) = (2, "bob@example.com");

fn draft(subject: &str) -> Draft {
    Draft {
        subject: subject.to_owned(),
        preheader: "Until Friday".to_owned(),
        text_markdown: "It is *red*.".to_owned(),
    }
}

async fn schedule(
    press: &Press,
    name: &str,
    draft: Draft,
    send_at: Option<&str>,
) -> Result<i64, Fault> {
    let at = send_at.map(|at| at.parse().expect("an instant"));
    let request = calls::operator(ScheduleIssueRequest {
        kind: "contests".to_owned(),
        name: name.to_owned(),
        draft: Some(draft),
        send_at: at.map(chassis::instant::to_proto),
    });
    let scheduled = press.fixture.issues.clone().schedule_issue(request).await?;
    Ok(scheduled.into_inner().id)
}

#[tokio::test]
async fn an_issue_brings_what_was_published_since_the_last_one_and_nothing_new_is_no_issue() {
    let press = Press::new().await;
    press.at("2026-11-21T10:00:00Z");
    press.subscribe(&[ADA, BOB], &[Kind::News]).await;
    press
        .article("news", "Too old", "2026-11-20T10:00:00Z")
        .await;
    press
        .article("news", "A new streetcar", "2026-11-20T15:00:00Z")
        .await;
    press
        .article("culture", "A gallery", "2026-11-21T08:00:00Z")
        .await;
    press
        .publish(ImportItem {
            section: "culture".to_owned(),
            is_age_restricted: true,
            ..item(ItemKind::Article, "For adults", "2026-11-21T08:30:00Z")
        })
        .await;

    press.at("2026-11-21T11:30:30Z");
    let sent = press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(sent.subject, "A gallery, and one more");
    for (_, address) in [ADA, BOB] {
        assert_eq!(press.office.count(address, &sent.subject), 1, "{address}");
        assert_eq!(press.fates(address).await, ["news 2026-11-21 accepted"]);
    }
    let letters = press.office.taken();
    let letter = letters
        .iter()
        .find(|one| one.contains("Subject: A gallery"));
    let letter = letter.expect("a letter").replace("=\r\n", "");
    for there in [
        "A new streetcar",
        "https://guide.test/culture/a-gallery/",
        "1 Queen Street",
    ] {
        assert!(letter.contains(there), "{there}: {letter}");
    }
    for absent in ["Too old", "For adults"] {
        assert!(!letter.contains(absent), "{absent}: {letter}");
    }

    // One of these articles was published in the previous hour, and arrived too late for the issue.
    press
        .article("news", "Brought in late", "2026-11-21T11:15:00Z")
        .await;
    press.at("2026-11-22T11:00:00Z");
    press
        .article("news", "The next day", "2026-11-22T11:00:00Z")
        .await;
    press.at("2026-11-22T11:31:00Z");
    let sent = press.until(Kind::News, "2026-11-22", "sent").await;
    assert_eq!(sent.subject, "The next day, and one more");
    press.at("2026-11-23T11:31:00Z");
    let empty = press.until(Kind::News, "2026-11-23", "empty").await;
    assert!(
        empty.fates.is_empty() && empty.subject.is_empty(),
        "{empty:?}"
    );
}

#[tokio::test]
async fn a_slot_has_one_issue_with_two_schedulers_and_a_clock_that_goes_back() {
    let press = Press::new().await;
    let second = press.another().await;
    press.at("2026-11-21T10:00:00Z");
    press.subscribe(&[ADA], &[Kind::News]).await;
    press.article("news", "One", "2026-11-21T09:00:00Z").await;
    press.at("2026-11-21T11:30:00Z");
    press.until(Kind::News, "2026-11-21", "sent").await;
    press.article("news", "Two", "2026-11-21T11:45:00Z").await;
    for instant in ["2026-11-21T10:45:00Z", "2026-11-21T11:50:00Z"] {
        press.at(instant);
        press.fixture.drain().await;
        second.drain().await;
    }
    let issues: Vec<_> = press
        .issues()
        .await
        .into_iter()
        .map(|one| one.name)
        .collect();
    assert_eq!(issues, ["2026-11-21"]);
    assert_eq!(press.office.count(ADA.1, "One"), 1);
}

#[tokio::test]
async fn dished_brings_the_articles_of_its_sections_and_new_places() {
    let press = Press::new().await;
    press.at("2026-11-26T15:00:00Z");
    press.subscribe(&[ADA], &[Kind::Foods]).await;
    press
        .article("food", "Soup season", "2026-11-25T15:00:00Z")
        .await;
    press
        .article("news", "A new streetcar", "2026-11-25T15:00:00Z")
        .await;
    press.place("Pai").await;
    // Friday, 11:00 in Toronto.
    press.at("2026-11-27T16:00:00Z");
    let sent = press.until(Kind::Foods, "2026-11-27", "sent").await;
    assert_eq!(sent.subject, "Soup season, and one more");
    let letters = press.office.taken();
    let letter = letters.last().expect("a letter").replace("=\r\n", "");
    assert!(
        letter.contains("https://guide.test/restaurants/pai/"),
        "{letter}"
    );
    assert!(!letter.contains("streetcar"), "{letter}");
}

#[tokio::test]
async fn operators_see_what_would_be_sent_and_try_it_before_readers_get_it() {
    let press = Press::new().await;
    let preview = async |kind: &str, draft| {
        let kind = kind.to_owned();
        let request = calls::operator(PreviewIssueRequest { kind, draft });
        let shown = press.fixture.issues.clone().preview_issue(request).await;
        shown.map(tonic::Response::into_inner).map_err(Fault::from)
    };
    let nothing = preview("news", None).await.expect_err("nothing is new");
    assert_eq!(nothing.message, "Nothing is new.");
    press
        .article("news", "A new streetcar", "2026-11-20T11:00:00Z")
        .await;
    let shown = preview("news", None).await.expect("something");
    assert_eq!(shown.subject, "A new streetcar");
    let shown = preview("contests", Some(draft("Win a canoe"))).await;
    assert!(shown.expect("a draft").html.contains("It is <em>red</em>."));
    assert!(press.issues().await.is_empty());

    let request = calls::operator(SendTestIssueRequest {
        kind: "contests".to_owned(),
        draft: Some(draft("Win a canoe")),
        email: "editor@guide.test".to_owned(),
    });
    let sent = press.fixture.issues.clone().send_test_issue(request).await;
    sent.expect("sends");
    until("the test arrives", async || {
        (press.office.count("editor@guide.test", "Win a canoe") == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_issue_written_by_hand_waits_for_its_time_and_can_be_cancelled() {
    let press = Press::new().await;
    press.subscribe(&[ADA], &[Kind::Contests]).await;
    let later = Some("2026-11-24T14:00:00Z");
    schedule(&press, "canoe", draft("Win a canoe"), later)
        .await
        .expect("schedules");
    let again = schedule(&press, "canoe", draft("Win another"), later).await;
    assert_eq!(
        again.expect_err("taken").code,
        chassis::error::Code::Conflict
    );
    let cancelled = schedule(&press, "kayak", draft("Win a kayak"), later).await;
    let id = cancelled.expect("schedules");
    let cancel = async || {
        let request = calls::operator(CancelIssueRequest { id });
        press.fixture.issues.clone().cancel_issue(request).await
    };
    cancel().await.expect("cancels");
    cancel().await.expect_err("it is cancelled");
    for wrong in [
        Draft {
            subject: "Two\nlines".to_owned(),
            ..draft("")
        },
        draft(" "),
        Draft {
            text_markdown: String::new(),
            ..draft("Win")
        },
    ] {
        let refused = schedule(&press, "wrong", wrong, None)
            .await
            .expect_err("refused");
        assert_eq!(refused.code, chassis::error::Code::Invalid);
    }
    assert_eq!(press.office.count(ADA.1, "Win a canoe"), 0);
    press.at("2026-11-24T14:00:01Z");
    press.until(Kind::Contests, "canoe", "sent").await;
    assert_eq!(press.office.count(ADA.1, "Win a canoe"), 1);
    assert_eq!(press.office.count(ADA.1, "Win a kayak"), 0);
}

#[tokio::test]
async fn top_events_bring_what_is_on_in_the_days_ahead_and_each_event_once() {
    let press = Press::new().await;
    let weekly = |item: ImportItem| ImportItem {
        detail: item.detail.map(|detail| match detail {
            Detail::Event(event) => Detail::Event(Event {
                recurrence: "FREQ=WEEKLY".to_owned(),
                ..event
            }),
            other => other,
        }),
        ..item
    };
    press
        .publish(weekly(event("A concert", "2026-09-22")))
        .await;
    press.publish(event("A fair", "2026-12-24")).await;
    let request = calls::operator(PreviewIssueRequest {
        kind: "events".to_owned(),
        draft: None,
    });
    let shown = press.fixture.issues.clone().preview_issue(request).await;
    // The site's timetable has no time for this kind.
    assert_eq!(
        Fault::from(shown.expect_err("none")).message,
        "Nothing is new."
    );
    let mut settings = crate::fixture::settings();
    let times = ("events".to_owned(), "thu 09:00".to_owned());
    settings.newsletters.timetable.extend([times]);
    let other = press.with(settings).await;
    let request = calls::operator(PreviewIssueRequest {
        kind: "events".to_owned(),
        draft: None,
    });
    let shown = other.issues.clone().preview_issue(request).await;
    let shown = shown.expect("one").into_inner();
    assert_eq!(shown.subject, "A concert");
    assert!(
        shown
            .text
            .contains("Tuesday, November 24, 2026 at 7:30\u{a0}p.m. · The hall"),
        "{}",
        shown.text
    );
}

#[tokio::test]
async fn an_issue_that_is_long_overdue_is_not_sent() {
    let press = Press::new().await;
    press.at("2026-11-21T17:31:00Z");
    press.article("news", "One", "2026-11-21T09:00:00Z").await;
    press.fixture.drain().await;
    assert_eq!(press.issues().await.len(), 0);
    press.fixture.parts.clock.advance(-TimeDelta::minutes(2));
    press.until(Kind::News, "2026-11-21", "sent").await;
}
