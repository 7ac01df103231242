//! `cityguide newsletter`: newsletter issues and the outcomes of their deliveries.

use std::{path::Path, time::Duration};

use chassis::{
    call::{Call, Caller},
    instant,
    rpc::Transport,
};
use clap::Subcommand;
use newsletters_proto::v1::{
    CancelIssueRequest, Delivery, Draft, Issue, PreviewIssueRequest, ScheduleIssueRequest,
    SendTestIssueRequest, ShowClicksRequest, ShowFatesRequest, ShowIssuesRequest,
    issues_client::IssuesClient,
};
use publishing::content::WrittenIssue;
use vocabulary::newsletters::Kind;

use super::{
    console::print,
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

const TIMEOUT: Duration = Duration::from_secs(30);
/// Interval between checks of issues that are being sent.
const FOLLOWED: Duration = Duration::from_secs(1);
/// Length of a progress bar in characters.
const BAR: usize = 20;

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Newsletter {
    /// Print the next issue as it would be created now, or an issue from a file.
    Preview {
        /// A newsletter (`news`, `events`…) or a file
        what: String,
        /// Print the HTML instead of the text
        #[arg(long)]
        html: bool,
    },
    /// Send a preview of an issue to one address.
    Test {
        /// A newsletter or a file
        what: String,
        /// The email address
        address: String,
    },
    /// Schedule an issue from a file for its `send_at`, or send it immediately if it has none.
    Schedule {
        /// The issue's file
        file: String,
    },
    /// List the latest issues, and to how many recipients they have been sent.
    Status {
        /// Refresh every second while an issue is being sent
        #[arg(long)]
        follow: bool,
    },
    /// Cancel an issue that is scheduled or being sent.
    Cancel {
        /// The issue's number in the list
        id: i64,
    },
    /// Show how often the links of an issue were followed, if `newsletters.count_clicks` is on.
    Clicks {
        /// The issue's number in the list
        id: i64,
    },
    /// Show the delivery status of the issues sent to an address.
    Fate {
        /// The email address
        address: String,
    },
}

type Client = IssuesClient<Transport>;

pub(super) async fn newsletter(settings: &Settings, what: Newsletter) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut issues = IssuesClient::new(system.transport(Target::Newsletters)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    match what {
        Newsletter::Preview { what, html } => preview(&mut issues, &what, html).await,
        Newsletter::Test { what, address } => {
            let (kind, draft) = named(&what)?;
            let email = address.clone();
            let request = SendTestIssueRequest { kind, draft, email };
            let sent = issues.send_test_issue(call.request(request)).await;
            sent.map_err(failure)?;
            print(&format!("it is on its way to {address}"))
        }
        Newsletter::Schedule { file } => schedule(&mut issues, &file).await,
        Newsletter::Status { follow } => status(&mut issues, follow).await,
        Newsletter::Cancel { id } => {
            let cancelled = issues
                .cancel_issue(call.request(CancelIssueRequest { id }))
                .await;
            cancelled.map_err(|status| format!("{id}: {}", failure(status)))?;
            print(&format!("{id} is cancelled"))
        }
        Newsletter::Clicks { id } => {
            let request = call.request(ShowClicksRequest { issue_id: id });
            let found = issues.show_clicks(request).await;
            for one in found
                .map_err(|status| format!("{id}: {}", failure(status)))?
                .into_inner()
                .clicks
            {
                print(&format!("{:>8}  {}", one.count, one.title))?;
            }
            Ok(())
        }
        Newsletter::Fate { address } => fate(&mut issues, address).await,
    }
}

/// Parses the name of a newsletter, or reads the draft in a file.
fn named(what: &str) -> Result<(String, Option<Draft>), String> {
    if Kind::named(what).is_some() {
        return Ok((what.to_owned(), None));
    }
    let issue = WrittenIssue::read(Path::new(what))?;
    let kind = issue.kind.clone();
    Ok((kind, Some(draft(issue))))
}

fn draft(issue: WrittenIssue) -> Draft {
    Draft {
        subject: issue.subject,
        preheader: issue.preheader,
        text_markdown: issue.text_markdown,
    }
}

async fn preview(issues: &mut Client, what: &str, html: bool) -> Result<(), String> {
    let (kind, draft) = named(what)?;
    let call = Call::new(Caller::Operator, TIMEOUT);
    let request = call.request(PreviewIssueRequest { kind, draft });
    let issue = issues.preview_issue(request).await;
    let issue = issue.map_err(failure)?.into_inner();
    if html {
        print(&issue.html)
    } else {
        print(&format!("Subject: {}\n\n{}", issue.subject, issue.text))
    }
}

async fn schedule(issues: &mut Client, file: &str) -> Result<(), String> {
    let issue = WrittenIssue::read(Path::new(file))?;
    let (kind, name, send_at) = (issue.kind.clone(), issue.name.clone(), issue.send_at);
    let request = ScheduleIssueRequest {
        kind,
        name: name.clone(),
        draft: Some(draft(issue)),
        send_at: send_at.map(instant::to_proto),
    };
    let call = Call::new(Caller::Operator, TIMEOUT);
    let scheduled = issues.schedule_issue(call.request(request)).await;
    let id = scheduled.map_err(failure)?.into_inner().id;
    let when = send_at.map_or_else(|| "now".to_owned(), instant::to_rfc3339);
    print(&format!("{id}: {name} is sent {when}"))
}

async fn status(issues: &mut Client, follow: bool) -> Result<(), String> {
    let mut found = latest(issues).await?;
    for issue in &found {
        print(&line(issue))?;
    }
    let is_sending = |issue: &&Issue| issue.state == "sending";
    while follow && found.iter().any(|issue| is_sending(&issue)) {
        let before: Vec<_> = found.iter().filter(is_sending).map(|one| one.id).collect();
        tokio::time::sleep(FOLLOWED).await;
        found = latest(issues).await?;
        for issue in found.iter().filter(|issue| before.contains(&issue.id)) {
            print(&line(issue))?;
        }
    }
    Ok(())
}

async fn latest(issues: &mut Client) -> Result<Vec<Issue>, String> {
    let call = Call::new(Caller::Operator, TIMEOUT);
    let found = issues.show_issues(call.request(ShowIssuesRequest {})).await;
    Ok(found.map_err(failure)?.into_inner().issues)
}

/// Formats an issue as one line.
fn line(issue: &Issue) -> String {
    let Issue {
        id,
        kind,
        name,
        state,
        subject,
        ..
    } = issue;
    let at = issue.send_at.as_ref().and_then(instant::from_proto);
    let at = at.map(instant::to_rfc3339).unwrap_or_default();
    let all: i64 = issue.fates.iter().map(|one| one.count).sum();
    let open = ["queued", "deferred"];
    let open = issue
        .fates
        .iter()
        .filter(|one| open.contains(&one.fate.as_str()));
    let left: i64 = open.map(|one| one.count).sum();
    let fates = issue.fates.iter();
    let fates: Vec<_> = fates
        .map(|one| format!("{} {}", one.count, one.fate))
        .collect();
    let progress = if all == 0 {
        String::new()
    } else {
        let percent = (all - left) * 100 / all;
        format!("  {} {percent} %: {}", bar(percent), fates.join(", "))
    };
    format!("{id}  {at}  {kind} {name}  {state}{progress}  \"{subject}\"")
}

/// Formats a progress bar: `[#####...............]`.
fn bar(percent: i64) -> String {
    let done = usize::try_from(percent).unwrap_or_default() * BAR / 100;
    format!("[{}{}]", "#".repeat(done), ".".repeat(BAR - done.min(BAR)))
}

async fn fate(issues: &mut Client, email: String) -> Result<(), String> {
    let call = Call::new(Caller::Operator, TIMEOUT);
    let request = ShowFatesRequest {
        email: email.clone(),
    };
    let found = issues.show_fates(call.request(request)).await;
    let found = found.map_err(failure)?.into_inner();
    for delivery in &found.deliveries {
        print(&delivered(delivery))?;
    }
    let takes = found.suppressed.map_or_else(
        || "takes mail".to_owned(),
        |why| format!("takes no mail: it {why}"),
    );
    let count = found.deliveries.len();
    print(&format!(
        "{count} issues; {email} {takes} (see also: cityguide consent show)"
    ))
}

/// Formats the outcome of a delivery as one line.
fn delivered(delivery: &Delivery) -> String {
    let Delivery {
        issue_id,
        kind,
        name,
        fate,
        answer,
        ..
    } = delivery;
    let at = delivery.at.as_ref().and_then(instant::from_proto);
    let at = at.map(instant::to_rfc3339).unwrap_or_default();
    let answer = if answer.is_empty() {
        String::new()
    } else {
        format!("  \"{answer}\"")
    };
    format!("{issue_id}  {at}  {kind} {name}  {fate}{answer}")
}

#[cfg(test)]
mod tests {
    use newsletters_proto::v1::FateCount;

    use super::*;

    #[test]
    fn an_issue_is_a_line_with_a_bar_of_what_is_done() {
        let count = |fate: &str, count| FateCount {
            fate: fate.to_owned(),
            count,
        };
        let mut issue = Issue {
            id: 12,
            kind: "contests".to_owned(),
            name: "win-a-canoe".to_owned(),
            state: "sending".to_owned(),
            subject: "Win a canoe".to_owned(),
            fates: vec![
                count("accepted", 41),
                count("queued", 58),
                count("deferred", 1),
            ],
            ..Issue::default()
        };
        assert_eq!(
            line(&issue),
            "12    contests win-a-canoe  sending  [########............] 41 %: 41 accepted, 58 queued, 1 deferred  \"Win a canoe\""
        );
        issue.fates = vec![count("accepted", 100)];
        assert!(line(&issue).contains("[####################] 100 %"));
        issue.fates = Vec::new();
        assert_eq!(
            line(&issue),
            "12    contests win-a-canoe  sending  \"Win a canoe\""
        );
    }
}
