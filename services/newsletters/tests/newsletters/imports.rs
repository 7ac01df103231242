//! Issues that another system has sent.

use chassis::error::{Code, Fault};
use newsletters_proto::v1::{
    Draft, GetIssueRequest, ImportIssueRequest, ListIssuesRequest, ScheduleIssueRequest,
    archive_client::ArchiveClient, import_issue_response::Outcome,
};
use testkit::calls;
use vocabulary::newsletters::Kind;

use crate::press::Press;

const ADA: (i64, &str) = (1, "ada@example.com");

fn soup() -> ImportIssueRequest {
    let sent = "2026-11-05T12:00:00Z".parse().expect("an instant");
    ImportIssueRequest {
        kind: "foods".to_owned(),
        name: "soup".to_owned(),
        draft: Some(Draft {
            subject: "Soup".to_owned(),
            preheader: "Hot".to_owned(),
            text_markdown: "It is *red*.".to_owned(),
        }),
        sent_at: Some(chassis::instant::to_proto(sent)),
        dry_run: false,
    }
}

async fn import(
    press: &Press,
    request: ImportIssueRequest,
) -> Result<(Outcome, Vec<String>), Fault> {
    let request = calls::operator(request);
    let answer = press.fixture.issues.clone().import_issue(request).await?;
    let answer = answer.into_inner();
    Ok((answer.outcome(), answer.fields))
}

/// Returns the pages of the archived issues.
async fn archived(press: &Press) -> Vec<String> {
    let mut archive = ArchiveClient::new(press.fixture.transport());
    let request = calls::guest(ListIssuesRequest { page: None });
    let issues = archive.list_issues(request).await.expect("lists");
    let mut pages = Vec::new();
    for issue in issues.into_inner().issues {
        let request = calls::guest(GetIssueRequest { id: issue.id });
        let found = archive.get_issue(request).await.expect("an issue");
        pages.push(found.into_inner().html);
    }
    pages
}

#[tokio::test]
async fn an_imported_issue_is_archived_once_and_not_mailed() {
    let press = Press::new().await;
    press.at("2026-11-21T10:00:00Z");
    press.subscribe(&[ADA], &[Kind::Foods]).await;
    let dry = ImportIssueRequest {
        dry_run: true,
        ..soup()
    };
    assert_eq!(import(&press, dry).await, Ok((Outcome::Created, vec![])));
    assert!(archived(&press).await.is_empty());
    assert_eq!(import(&press, soup()).await, Ok((Outcome::Created, vec![])));
    assert_eq!(
        import(&press, soup()).await,
        Ok((Outcome::Unchanged, vec![]))
    );
    assert!(archived(&press).await[0].contains("It is <em>red</em>."));

    press.at("2026-11-21T10:01:00Z");
    let mut corrected = soup();
    corrected.draft.as_mut().expect("a draft").text_markdown = "It is green.".to_owned();
    let changed = Ok((Outcome::Changed, vec!["text".to_owned()]));
    assert_eq!(import(&press, corrected).await, changed);
    let pages = archived(&press).await;
    assert_eq!(pages.len(), 1);
    assert!(pages[0].contains("It is green."), "{}", pages[0]);
    press.fixture.drain().await;
    assert_eq!(press.office.total("Soup"), 0);
}

#[tokio::test]
async fn an_import_replaces_no_issue_of_the_site_and_needs_a_time_in_the_past() {
    let press = Press::new().await;
    press.at("2026-11-21T10:00:00Z");
    let ImportIssueRequest {
        kind, name, draft, ..
    } = soup();
    let scheduled = calls::operator(ScheduleIssueRequest {
        kind,
        name: name.clone(),
        draft,
        send_at: None,
    });
    let scheduled = press.fixture.issues.clone().schedule_issue(scheduled).await;
    scheduled.expect("schedules");
    press.until(Kind::Foods, &name, "sent").await;
    press.at("2026-11-22T10:00:00Z");
    let future = "2026-11-23T10:00:00Z".parse().expect("an instant");
    for (field, wrong) in [
        ("name", soup()),
        (
            "name",
            ImportIssueRequest {
                name: "Soup!".to_owned(),
                ..soup()
            },
        ),
        (
            "kind",
            ImportIssueRequest {
                kind: "soups".to_owned(),
                ..soup()
            },
        ),
        (
            "sent_at",
            ImportIssueRequest {
                sent_at: Some(chassis::instant::to_proto(future)),
                ..soup()
            },
        ),
        (
            "sent_at",
            ImportIssueRequest {
                sent_at: None,
                ..soup()
            },
        ),
        (
            "text_markdown",
            ImportIssueRequest {
                draft: Some(Draft {
                    text_markdown: "a".repeat(60_001),
                    ..soup().draft.expect("a draft")
                }),
                ..soup()
            },
        ),
    ] {
        let refused = import(&press, wrong).await.expect_err("refused");
        assert_eq!(refused.code, Code::Invalid);
        assert_eq!(refused.fields[0].field, field);
    }
}
