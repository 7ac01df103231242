//! `cityguide accounts audit`: the audit log of accounts.

use chassis::{call::Call, instant};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::Args;
use identity_proto::v1::{AuditEntry, ListAuditRequest, accounts_client::AccountsClient};
use prost_types::Timestamp;
use serde::Serialize;

use super::{console::print, operated::failure};

/// A selection of entries; all of them by default.
#[derive(Debug, Clone, Args)]
pub(crate) struct Audit {
    /// One account: its id, even after its erasure, or its address
    pub(super) account: Option<String>,
    /// Entries since a date, or an instant of RFC 3339
    #[arg(long, value_name = "DATE", value_parser = since)]
    since: Option<DateTime<Utc>>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Prints the entries, earliest first; `account_id` is the id of the requested account.
pub(super) async fn audit(
    mut accounts: AccountsClient<chassis::rpc::Transport>,
    call: Call,
    which: &Audit,
    account_id: Option<i64>,
) -> Result<(), String> {
    let mut request = ListAuditRequest {
        account_id,
        since: which.since.map(instant::to_proto),
        after: None,
    };
    loop {
        let listed = accounts.list_audit(call.request(request)).await;
        let page = listed.map_err(failure)?;
        let page = page.into_inner();
        for entry in &page.entries {
            print(&if which.json {
                json(entry)?
            } else {
                line(entry)
            })?;
        }
        if page.next.is_none() {
            return Ok(());
        }
        request.after = page.next;
    }
}

/// Parses a time or a date, which means midnight UTC.
fn since(text: &str) -> Result<DateTime<Utc>, String> {
    let date = text.parse::<NaiveDate>();
    let instant = date.map(|date| date.and_time(NaiveTime::MIN).and_utc());
    instant
        .or_else(|_| text.parse())
        .map_err(|_| "write it as 2026-11-24 or 2026-11-24T14:30:00Z".to_owned())
}

fn time(at: Option<&Timestamp>) -> Option<DateTime<Utc>> {
    at.and_then(instant::from_proto)
}

/// Formats an entry as one line.
fn line(entry: &AuditEntry) -> String {
    let seconds = |at: Option<&Timestamp>| {
        let at = time(at);
        at.map_or_else(String::new, |at| at.format("%F %TZ").to_string())
    };
    let whose = match (&entry.account_id, &entry.pseudonym) {
        (Some(id), _) => format!("account {id}"),
        (None, Some(pseudonym)) => format!("former account {pseudonym}"),
        (None, None) => "no account".to_owned(),
    };
    let from = entry
        .network
        .as_ref()
        .map(|network| format!("from {network}"));
    let by = entry
        .operator
        .as_ref()
        .map(|operator| format!("by {operator}"));
    let is_counted = entry.times > 1;
    let times = is_counted.then(|| {
        let first = seconds(entry.first.as_ref());
        format!("{} times since {first}", entry.times)
    });
    let facts = [
        Some(seconds(entry.last.as_ref())),
        Some(whose),
        Some(entry.act.clone()),
        from,
        by,
        times,
    ];
    facts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}

#[derive(Serialize)]
struct Json<'a> {
    account: Option<i64>,
    pseudonym: Option<&'a str>,
    act: &'a str,
    network: Option<&'a str>,
    operator: Option<&'a str>,
    times: i64,
    first: Option<String>,
    last: Option<String>,
}

fn json(entry: &AuditEntry) -> Result<String, String> {
    let text = |at: Option<&Timestamp>| time(at).map(instant::to_rfc3339);
    let entry = Json {
        account: entry.account_id,
        pseudonym: entry.pseudonym.as_deref(),
        act: &entry.act,
        network: entry.network.as_deref(),
        operator: entry.operator.as_deref(),
        times: entry.times,
        first: text(entry.first.as_ref()),
        last: text(entry.last.as_ref()),
    };
    serde_json::to_string(&entry).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        instant::to_proto(text.parse().expect("an instant"))
    }

    fn failures() -> AuditEntry {
        AuditEntry {
            id: 1,
            account_id: Some(7),
            pseudonym: None,
            act: "sign-in-failed".to_owned(),
            network: Some("203.0.113.0/24".to_owned()),
            operator: None,
            times: 12,
            first: Some(at("2026-11-24T14:03:00Z")),
            last: Some(at("2026-11-24T14:30:05Z")),
        }
    }

    #[test]
    fn an_entry_is_one_line_or_one_object() {
        let failures = failures();
        assert_eq!(
            line(&failures),
            "2026-11-24 14:30:05Z  account 7  sign-in-failed  from 203.0.113.0/24  12 times since 2026-11-24 14:03:00Z"
        );
        assert_eq!(
            json(&failures).expect("JSON"),
            r#"{"account":7,"pseudonym":null,"act":"sign-in-failed","network":"203.0.113.0/24","operator":null,"times":12,"first":"2026-11-24T14:03:00.000Z","last":"2026-11-24T14:30:05.000Z"}"#
        );
        let disabled = AuditEntry {
            account_id: None,
            pseudonym: Some("5f".to_owned()),
            act: "account-disabled".to_owned(),
            network: None,
            operator: Some("grace".to_owned()),
            times: 1,
            ..failures
        };
        assert_eq!(
            line(&disabled),
            "2026-11-24 14:30:05Z  former account 5f  account-disabled  by grace"
        );
    }

    #[test]
    fn a_date_is_its_midnight() {
        let instant = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
        assert_eq!(since("2026-11-24"), Ok(instant("2026-11-24T00:00:00Z")));
        let exact = "2026-11-24T14:30:00Z";
        assert_eq!(since(exact), Ok(instant(exact)));
        for wrong in ["", "yesterday", "2026-13-01"] {
            since(wrong).expect_err(wrong);
        }
    }
}
