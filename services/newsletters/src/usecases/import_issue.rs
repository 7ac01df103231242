//! Adds issues that another system has sent to the archive.

use chassis::error::Fault;
use chrono::{DateTime, Utc};
use vocabulary::newsletters::Kind;

use super::issues::refused;
use crate::{
    context::Context,
    domain::{
        Rendered,
        issue::{Draft, Imported},
    },
    error::Error,
    store::issues::{self, PastIssue},
};

/// Adds an issue to the archive, or updates an issue that was added before. Nothing is mailed.
///
/// # Errors
/// `Invalid` by field: a time that is not in the past, a text that cannot be rendered, the name of an issue that this site
/// has made itself.
pub(crate) async fn import_issue(
    context: &Context,
    kind: Kind,
    name: &str,
    draft: &Draft,
    sent_at: DateTime<Utc>,
    dry_run: bool,
) -> Result<Imported, Error> {
    let now = context.clock.now();
    if sent_at >= now {
        return Err(Fault::invalid_field("sent_at", "It must be in the past.").into());
    }
    let written = draft.content();
    Rendered::new(&context.site, kind, None, &written, None).map_err(refused)?;
    let mut transaction = context.pool.begin().await?;
    let namesake = issues::lock_named(&mut transaction, kind, name).await?;
    let imported = match &namesake {
        None => Imported::Created,
        Some(namesake) => {
            let former = namesake.imported().ok_or_else(name_taken)?;
            let mut fields = former.changes(draft);
            fields.extend((namesake.send_at != sent_at).then_some("sent"));
            if fields.is_empty() {
                return Ok(Imported::Unchanged);
            }
            Imported::Changed(fields)
        }
    };
    if !dry_run {
        let issue = PastIssue {
            kind,
            name,
            draft,
            content: &written,
            sent_at,
        };
        if !issues::import(&mut transaction, &issue, now).await? {
            return Err(name_taken().into());
        }
        transaction.commit().await?;
    }
    Ok(imported)
}

fn name_taken() -> Fault {
    let why = "This newsletter has an issue of this name that was not imported.";
    Fault::invalid_field("name", why)
}
