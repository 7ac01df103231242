//! Newsletter issues that another system has sent, for the archive: `newsletters/KIND/NAME.md`.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    error::Fault,
    instant,
    rpc::Transport,
    slug,
};
use cityguide_proto::intake::v1::Report;
use newsletters_proto::v1::{
    Draft, ImportIssueRequest, import_issue_response::Outcome, issues_client::IssuesClient,
};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    document::{self, Document},
    one_by_one::{self, Effect, Entry},
};

/// Timeout of a call.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Name of the kind in reports.
const KIND: &str = "newsletter issues";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    subject: String,
    preheader: String,
    sent: Spanned<Datetime>,
}

/// An issue, ready to import.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PastIssue {
    /// "newsletters/foods/win-a-canoe.md".
    position: String,
    /// The request, without its `dry_run`.
    request: ImportIssueRequest,
}

impl PastIssue {
    /// Reads a file of a newsletter's folder. The kind and texts are checked by the service.
    pub(super) fn read(file: &str, kind: &str, stem: &str, text: &str) -> Result<Self, String> {
        if !slug::is_slug(stem) {
            return Err(document::no_slug(file));
        }
        let document = Document::split(file, text)?;
        let front: Front = document.front()?;
        let mut mistakes = Vec::new();
        let sent_at = document.instant("sent", &front.sent, &mut mistakes);
        if let Some(mistake) = mistakes.pop() {
            return Err(mistake);
        }
        Ok(Self {
            position: file.to_owned(),
            request: ImportIssueRequest {
                kind: kind.to_owned(),
                name: stem.to_owned(),
                draft: Some(Draft {
                    subject: front.subject,
                    preheader: front.preheader,
                    text_markdown: document.body.to_owned(),
                }),
                sent_at: sent_at.map(instant::to_proto),
                dry_run: false,
            },
        })
    }
}

impl Entry for PastIssue {
    fn position(&self) -> &str {
        &self.position
    }

    fn source_id(&self) -> &str {
        &self.request.name
    }
}

/// Imports the issues, or reports the effects without changing anything.
pub(super) async fn import(
    newsletters: &Transport,
    issues: &[PastIssue],
    dry_run: bool,
) -> Result<Report, String> {
    one_by_one::report(KIND, issues, async |issue| {
        let request = ImportIssueRequest {
            dry_run,
            ..issue.request.clone()
        };
        let request = Call::new(Caller::Operator, TIMEOUT).request(request);
        let answer = IssuesClient::new(newsletters.clone())
            .import_issue(request)
            .await;
        let answer = answer.map_err(Fault::from)?.into_inner();
        Ok(match answer.outcome() {
            Outcome::Created => Effect::Created,
            Outcome::Changed => Effect::Changed(answer.fields),
            _ => Effect::Unchanged,
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PastIssue, String> {
        PastIssue::read("newsletters/foods/soup.md", "foods", "soup", text)
    }

    #[test]
    fn a_file_is_an_issue_that_was_sent_and_mistakes_have_their_line() {
        let head = "+++\nsubject = \"Soup\"\npreheader = \"Hot\"\n";
        let issue = read(&format!("{head}sent = 2026-11-26\n+++\n\nIt is *red*.\n"));
        let request = issue.expect("valid").request;
        let sent = request.sent_at.as_ref().and_then(instant::from_proto);
        let sent = instant::to_rfc3339(sent.expect("a time"));
        assert_eq!(sent, "2026-11-26T12:00:00.000Z");
        assert_eq!((&*request.kind, &*request.name), ("foods", "soup"));
        assert_eq!(request.draft.expect("a text").text_markdown, "It is *red*.");
        for (text, line) in [
            (format!("{head}sent = 09:00:00\n+++\nText"), 4),
            (format!("{head}sent = 2026-11-26\nsender = 1\n+++\nText"), 5),
            ("No front".to_owned(), 1),
        ] {
            let mistake = read(&text).expect_err("refused");
            let expected = format!("newsletters/foods/soup.md, line {line}: ");
            assert!(mistake.starts_with(&expected), "{mistake}");
        }
        let mistake = PastIssue::read("newsletters/foods/A b.md", "foods", "A b", head);
        assert!(mistake.expect_err("refused").contains("no slug"));
    }
}
