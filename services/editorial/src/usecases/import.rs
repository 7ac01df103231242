//! Imports articles, events, contests, videos and pages.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use chassis::{
    error::Fault,
    intake::{Import, Intake, Origin, Outcome, Rejection},
};
use chrono::{DateTime, Utc};

use super::{announce, near};
use crate::{
    context::Context,
    domain::{Detail, Kind, PagePath, Proposal},
    store::{
        counts,
        intake::{self, Taken, There},
        moved, occurrences,
        turns::Told,
    },
};

/// The state of an import of items.
pub(crate) struct ItemsIntake<'a> {
    context: &'a Context,
    now: DateTime<Utc>,
    /// The items to announce, by id.
    changed: BTreeMap<i64, Told>,
}

#[async_trait]
impl Intake for ItemsIntake<'_> {
    type Kind = Kind;
    type Item = Proposal;

    // Imports recount lists.
    const LOCK: &'static str = "editorial.import";

    async fn take(
        &mut self,
        import: &mut Import<Kind>,
        _: &Origin,
        item: Proposal,
    ) -> Result<Option<Outcome>, Rejection> {
        let item = item.checked()?;
        follow(import, &item).await?;
        let path = item.path();
        let transaction = &mut *import.transaction;
        let there = intake::find(transaction, &item.source_id).await?;
        // A path that stays is the item's own.
        let stays = there.as_ref().and_then(There::path) == Some(path.canonical());
        if !stays && let Some(holder) = intake::holder(transaction, &path, &item.source_id).await? {
            return Err(format!("{} is {holder}'s already", path.canonical()).into());
        }
        let occurrences = match &item.detail {
            Detail::Event(event) => Some(near(&event.schedule, self.now)?),
            _ => None,
        };
        let Taken {
            mut outcome,
            told,
            former_path,
        } = intake::keep(transaction, there, &item, self.now).await?;
        let mut former = item.moved_from;
        if let Some(path) = former_path
            && !former.contains(&path)
        {
            former.push(path);
        }
        former.retain(|former| *former != path.canonical());
        if moved::keep(transaction, told.id, &former).await? > 0 {
            match &mut outcome {
                Outcome::Created => {}
                Outcome::Changed(fields) => fields.push("moved_from"),
                Outcome::Unchanged => outcome = Outcome::Changed(vec!["moved_from"]),
            }
        }
        if outcome != Outcome::Unchanged {
            moved::forget(transaction, &path.canonical()).await?;
            if let Some(occurrences) = occurrences {
                occurrences::replace(transaction, told.id, &occurrences).await?;
            }
            self.changed.insert(told.id, told);
        }
        Ok(Some(outcome))
    }

    async fn flush(&mut self, _: &mut Import<Kind>) -> Result<(), Fault> {
        // Each item is stored as it arrives.
        Ok(())
    }

    async fn conclude(self, import: &mut Import<Kind>) -> Result<(), Fault> {
        let changed: Vec<Told> = self.changed.into_values().collect();
        let kinds: BTreeSet<Kind> = changed
            .iter()
            .filter_map(|told| Kind::parse(&told.kind))
            .collect();
        for kind in kinds {
            counts::recount(&mut import.transaction, kind).await?;
        }
        announce(self.context, &mut import.transaction, &changed).await
    }
}

impl<'a> ItemsIntake<'a> {
    pub(crate) fn new(context: &'a Context) -> Self {
        Self {
            context,
            now: context.clock.now(),
            changed: BTreeMap::new(),
        }
    }
}

/// An item from a new source that names a former path takes over the item at that path, so readers who saved
/// it keep it. From then on items of its former source are refused in this input.
async fn follow(import: &mut Import<Kind>, item: &Proposal) -> Result<(), Fault> {
    let former = item.moved_from.iter();
    for path in former.filter_map(|path| PagePath::parse(path)) {
        if path.kind != item.kind {
            continue;
        }
        let holder = intake::holder(&mut import.transaction, &path, &item.source_id).await?;
        if let Some(holder) = holder.filter(|holder| !import.has_seen(item.kind, holder))
            && intake::hand_over(&mut import.transaction, &holder, &item.source_id).await?
        {
            import.see(item.kind, &holder);
            break;
        }
    }
    Ok(())
}
