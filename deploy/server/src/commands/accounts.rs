//! `cityguide accounts`: readers' accounts, for support.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    instant,
};
use clap::Subcommand;
use identity_proto::v1::{
    Account, EndSessionsRequest, GetAccountRequest, SetDisabledRequest,
    accounts_client::AccountsClient, get_account_request::Account as Wanted,
};
use prost_types::Timestamp;

use super::{
    audit::{Audit, audit},
    console::print,
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

const TIMEOUT: Duration = Duration::from_secs(10);

/// An account is named by its id or its address.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Accounts {
    /// Print an account's data.
    Show { account: String },
    /// Disable signing in to an account, and end its sessions.
    Disable { account: String },
    /// Enable signing in to an account again.
    Enable { account: String },
    /// End the sessions of an account on all devices.
    EndSessions { account: String },
    /// Print the audit log: sign-ins, changes, and operators' actions.
    Audit(Audit),
}

pub(super) async fn accounts(settings: &Settings, what: Accounts) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut accounts = AccountsClient::new(system.transport(Target::Identity)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let account = match &what {
        Accounts::Show { account }
        | Accounts::Disable { account }
        | Accounts::Enable { account }
        | Accounts::EndSessions { account } => account,
        Accounts::Audit(which) => match &which.account {
            None => return audit(accounts, call, which, None).await,
            Some(account) => account,
        },
    };
    let wanted = match (account.parse(), &what) {
        // The account may no longer exist.
        (Ok(id), Accounts::Audit(which)) => return audit(accounts, call, which, Some(id)).await,
        (Ok(id), _) => Wanted::Id(id),
        (Err(_), _) => Wanted::Email(account.clone()),
    };
    let request = GetAccountRequest {
        account: Some(wanted),
    };
    let found = accounts.get_account(call.request(request)).await;
    let failed = |status: tonic::Status| format!("{account}: {}", failure(status));
    let found = found.map_err(failed)?.into_inner();
    let is_disabled = match &what {
        Accounts::Audit(which) => return audit(accounts, call, which, Some(found.id)).await,
        Accounts::Show { .. } => return print(&lines(&found)),
        Accounts::EndSessions { .. } => {
            let request = call.request(EndSessionsRequest { id: found.id });
            let ended = accounts.end_sessions(request).await.map_err(failed)?;
            let sessions = ended.into_inner().sessions;
            return print(&format!(
                "{sessions} sessions of account {} ended",
                found.id
            ));
        }
        Accounts::Disable { .. } => true,
        Accounts::Enable { .. } => false,
    };
    let request = call.request(SetDisabledRequest {
        id: found.id,
        is_disabled,
    });
    let changed = accounts.set_disabled(request).await.map_err(failed)?;
    print(&lines(&changed.into_inner()))
}

/// Formats an account, with one fact per line.
fn lines(account: &Account) -> String {
    let at = |at: Option<&Timestamp>| {
        let at = at.and_then(instant::from_proto);
        at.map_or_else(
            || "never".to_owned(),
            |at| at.format("%F %H:%M UTC").to_string(),
        )
    };
    let state = match &account.date_disabled {
        Some(disabled) => format!("disabled since {}", at(Some(disabled))),
        None => "enabled".to_owned(),
    };
    let verified = if account.email_verified {
        "confirmed"
    } else {
        "not confirmed"
    };
    let mut lines = vec![
        format!("account     {}, {state}", account.id),
        format!("name        {}", account.full_name),
        format!("email       {}, {verified}", account.email),
    ];
    if let Some(pending) = &account.pending_email {
        lines.push(format!("new email   {pending}, not confirmed"));
    }
    lines.push(format!("created     {}", at(account.date_created.as_ref())));
    lines.push(format!(
        "sessions    {}, last active {}",
        account.sessions,
        at(account.last_active.as_ref())
    ));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_printed_one_fact_to_a_line() {
        let at = |text: &str| Some(instant::to_proto(text.parse().expect("an instant")));
        let account = Account {
            id: 7,
            full_name: "Ada King".to_owned(),
            email: "ada@example.com".to_owned(),
            email_verified: true,
            pending_email: Some("king@example.com".to_owned()),
            date_created: at("2026-01-02T03:04:05Z"),
            date_disabled: at("2026-11-20T12:00:00Z"),
            sessions: 0,
            last_active: None,
        };
        assert_eq!(
            lines(&account),
            "account     7, disabled since 2026-11-20 12:00 UTC\n\
             name        Ada King\n\
             email       ada@example.com, confirmed\n\
             new email   king@example.com, not confirmed\n\
             created     2026-01-02 03:04 UTC\n\
             sessions    0, last active never"
        );
    }
}
