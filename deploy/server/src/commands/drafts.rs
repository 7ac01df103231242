//! `cityguide content drafts`, and editors' decisions about drafts.

use std::time::Duration;

use chassis::call::{Call, Caller};
use clap::Subcommand;
use editorial_proto::v1::{
    Draft, ListDraftsRequest, PublishDraftsRequest, ShowDraftRequest, ShowDraftResponse,
    WithdrawDraftsRequest, drafts_client::DraftsClient,
};

use super::{
    console::{moment, print},
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

/// Timeout of a call: a decision waits for a running import.
const TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug, Subcommand)]
pub(crate) enum Editing {
    /// List drafts, the latest first, at most 200.
    Drafts,
    /// Show a draft with its text.
    Draft {
        /// The draft's id in the list.
        id: i64,
    },
    /// Publish drafts of imports and sources, regardless of their later status in the source.
    Publish {
        /// Ids from the list.
        #[arg(required = true)]
        ids: Vec<i64>,
    },
    /// Withdraw published drafts, so that they are drafts again.
    Withdraw {
        /// Ids from the list.
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

pub(super) async fn drafts(settings: &Settings, what: Editing) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut client = DraftsClient::new(system.transport(Target::Editorial)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    match what {
        Editing::Drafts => {
            let request = call.request(ListDraftsRequest {});
            let listed = client.list(request).await.map_err(failure)?.into_inner();
            for draft in &listed.drafts {
                print(&line(draft))?;
            }
            print(&format!("{} drafts", listed.count))
        }
        Editing::Draft { id } => {
            let request = call.request(ShowDraftRequest { id });
            let shown = client.show(request).await.map_err(failure)?;
            print(&whole(&shown.into_inner()))
        }
        Editing::Publish { ids } => {
            let request = call.request(PublishDraftsRequest { ids });
            let published = client.publish(request).await.map_err(failure)?.into_inner();
            for draft in &published.drafts {
                // Readers see it immediately, unless its date is in the future.
                let date = moment(draft.published_at.as_ref());
                print(&format!(
                    "{}: {} is published, dated {date} UTC",
                    draft.id, draft.path
                ))?;
            }
            Ok(())
        }
        Editing::Withdraw { ids } => {
            let request = call.request(WithdrawDraftsRequest { ids });
            let withdrawn = client
                .withdraw(request)
                .await
                .map_err(failure)?
                .into_inner();
            for draft in &withdrawn.drafts {
                print(&format!("{}: {} is a draft again", draft.id, draft.path))?;
            }
            Ok(())
        }
    }
}

/// Formats a draft as one line.
fn line(draft: &Draft) -> String {
    format!(
        "{}  {}  {}  {}  {}",
        draft.id,
        moment(draft.published_at.as_ref()),
        draft.path,
        draft.name,
        draft.source_id
    )
}

/// Formats a draft with all details that an editor needs for a decision.
fn whole(shown: &ShowDraftResponse) -> String {
    let draft = shown.draft.clone().unwrap_or_default();
    let state = match &draft.released_at {
        Some(at) => format!(
            "published {} UTC by {}",
            moment(Some(at)),
            draft.released_by
        ),
        None => "a draft".to_owned(),
    };
    let mut lines = vec![
        draft.name.clone(),
        format!("  path     {}", draft.path),
        format!("  dated    {} UTC", moment(draft.published_at.as_ref())),
        format!("  source   {}", draft.source_id),
        format!("  state    {state}"),
    ];
    for (what, names) in [("authors", &shown.authors), ("tags", &shown.tags)] {
        if !names.is_empty() {
            lines.push(format!("  {what:<8} {}", names.join(", ")));
        }
    }
    for text in [&shown.excerpt, &shown.text] {
        if !text.trim().is_empty() {
            lines.push(format!("\n{}", text.trim()));
        }
    }
    lines.join("\n")
}
