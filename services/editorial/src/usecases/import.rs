//! Imports articles, events, contests, videos and pages.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use chassis::{
    error::{Code, Fault},
    intake::{Import, Intake, Origin, Outcome, Rejection},
};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{announce_recounted, near};
use crate::{
    context::Context,
    domain::{self, Detail, Incoming, Kind, PagePath, Proposal, Replaced},
    store::{
        intake::{self, Existing, Taken},
        item_places, moved, occurrences, replaced,
        turns::Announced,
        twins::{self, Standing},
    },
};

/// Lock for all operations that affect the results of an import.
pub(super) const LOCK: &str = "editorial.import";
/// Maximum number of replaced occurrences of a recurring event.
const MAX_REPLACED: i64 = 1_000;

/// State of an import of items.
pub(crate) struct ItemsIntake<'a> {
    context: &'a Context,
    now: DateTime<Utc>,
    /// Items to announce, by id.
    changed: BTreeMap<i64, Announced>,
    /// Source ids of recurring events with new replaced occurrences.
    series: BTreeSet<String>,
}

#[async_trait]
impl Intake for ItemsIntake<'_> {
    type Kind = Kind;
    type Item = Incoming;

    // Serialises imports, which choose free paths.
    const LOCK: &'static str = LOCK;

    async fn take(
        &mut self,
        import: &mut Import<Kind>,
        _: &Origin,
        item: Incoming,
    ) -> Result<Option<Outcome>, Rejection> {
        if let Some(replaced) = &item.replaces
            && replaced::is_full(&mut import.transaction, replaced, MAX_REPLACED).await?
        {
            let why = format!("more than {MAX_REPLACED} occurrences of its series are replaced");
            return Err(why.into());
        }
        let proposal = item
            .proposal
            .map(|proposal| proposal.checked())
            .transpose()?;
        let occurrence = item.replaces.as_ref();
        if item.yields
            && is_of_another(import, (&item.source_id, occurrence), proposal.as_ref()).await?
        {
            return Ok(Some(Outcome::Unchanged));
        }
        let outcome = match proposal {
            Some(proposal) => self.keep(import, proposal, item.yields).await?,
            None => self.cancel(import, &item.source_id).await?,
        };
        let Some(replaced) = item.replaces else {
            return Ok(Some(outcome));
        };
        let is_new = self.replace(&mut import.transaction, replaced).await?;
        Ok(Some(match outcome {
            Outcome::Unchanged if is_new => Outcome::Changed(vec!["exceptions"]),
            outcome => outcome,
        }))
    }

    async fn flush(&mut self, import: &mut Import<Kind>) -> Result<(), Fault> {
        // Items are stored as they arrive, but replaced occurrences are applied to each recurring event once.
        for source_id in std::mem::take(&mut self.series) {
            self.leave_out(&mut import.transaction, &source_id).await?;
        }
        Ok(())
    }

    async fn conclude(self, import: &mut Import<Kind>) -> Result<(), Fault> {
        let changed: Vec<Announced> = self.changed.into_values().collect();
        announce_recounted(self.context, &mut import.transaction, &changed).await
    }
}

impl<'a> ItemsIntake<'a> {
    pub(crate) fn new(context: &'a Context) -> Self {
        Self {
            context,
            now: context.clock.now(),
            changed: BTreeMap::new(),
            series: BTreeSet::new(),
        }
    }

    /// Creates or changes a validated item.
    async fn keep(
        &mut self,
        import: &mut Import<Kind>,
        mut item: Proposal,
        yields: bool,
    ) -> Result<Outcome, Rejection> {
        follow(import, &item, yields).await?;
        let path = item.path();
        let transaction = &mut *import.transaction;
        let existing = intake::find(transaction, &item.source_id).await?;
        item.is_draft &= !existing.as_ref().is_some_and(Existing::is_released);
        item.is_draft |= existing.as_ref().is_some_and(Existing::is_withdrawn);
        // An unchanged path is already the item's own.
        let stays = existing.as_ref().and_then(Existing::path) == Some(path.canonical());
        if !stays && let Some(holder) = intake::holder(transaction, &path, &item.source_id).await? {
            return Err(format!("{} is {holder}'s already", path.canonical()).into());
        }
        if yields
            && !stays
            && moved::to_a_file(transaction, &path.canonical())
                .await?
                .is_some()
        {
            let why = "redirects to an item of the content folder";
            return Err(format!("{} {why}", path.canonical()).into());
        }
        let occurrences = match &mut item.detail {
            Detail::Event(event) if event.schedule.recurs() => {
                let replaced = replaced::of_series(transaction, &item.source_id).await?;
                if !replaced.is_empty() {
                    event.schedule.leave_out(replaced);
                }
                Some(near(&event.schedule, self.now)?)
            }
            Detail::Event(event) => Some(near(&event.schedule, self.now)?),
            _ => None,
        };
        let Taken {
            mut outcome,
            announced,
            former_path,
        } = intake::keep(transaction, existing, &item, self.now).await?;
        let mut former = item.moved_from;
        if let Some(path) = former_path
            && !former.contains(&path)
        {
            former.push(path);
        }
        former.retain(|former| *former != path.canonical());
        if moved::keep(transaction, announced.id, &former, yields).await? > 0 {
            match &mut outcome {
                Outcome::Created => {}
                Outcome::Changed(fields) => fields.push("moved_from"),
                Outcome::Unchanged => outcome = Outcome::Changed(vec!["moved_from"]),
            }
        }
        if outcome != Outcome::Unchanged {
            moved::forget(transaction, &path.canonical()).await?;
            // The text and the detail contain the places, so an unchanged item names the same ones.
            item_places::replace(transaction, announced.id, &item.listing_ids).await?;
            if let Some(occurrences) = occurrences {
                occurrences::replace(transaction, announced.id, &occurrences).await?;
            }
            self.changed.insert(announced.id, announced);
        }
        Ok(outcome)
    }

    /// Unpublishes a cancelled item; has no effect if it does not exist.
    async fn cancel(
        &mut self,
        import: &mut Import<Kind>,
        source_id: &str,
    ) -> Result<Outcome, Rejection> {
        let transaction = &mut *import.transaction;
        let Some(existing) = intake::find(transaction, source_id).await? else {
            return Ok(Outcome::Unchanged);
        };
        let Some(announced) = intake::cancel(transaction, existing, self.now).await? else {
            return Ok(Outcome::Unchanged);
        };
        self.changed.insert(announced.id, announced);
        Ok(Outcome::Changed(vec!["unpublished"]))
    }

    /// Records a replaced occurrence. Returns whether its event is stored and must be changed.
    async fn replace(
        &mut self,
        transaction: &mut PgConnection,
        replaced: Replaced,
    ) -> Result<bool, Rejection> {
        let is_new = replaced::keep(transaction, &replaced).await?;
        let known = is_new && intake::find(transaction, &replaced.series).await?.is_some();
        if known {
            self.series.insert(replaced.series);
        }
        Ok(known)
    }

    /// Removes the replaced occurrences of an event.
    async fn leave_out(
        &mut self,
        transaction: &mut PgConnection,
        source_id: &str,
    ) -> Result<(), Fault> {
        let Some(existing) = intake::find(transaction, source_id).await? else {
            return Ok(());
        };
        let Some(mut schedule) = existing.schedule().cloned() else {
            return Ok(());
        };
        schedule.leave_out(replaced::of_series(transaction, source_id).await?);
        if existing.schedule() == Some(&schedule) {
            return Ok(());
        }
        let occurrences = near(&schedule, self.now);
        let occurrences = occurrences.map_err(|why| Fault::new(Code::Invalid, why))?;
        let announced = intake::reschedule(transaction, existing, schedule, self.now).await?;
        occurrences::replace(transaction, announced.id, &occurrences).await?;
        self.changed.insert(announced.id, announced);
        Ok(())
    }
}

/// Whether an item belongs to another source: it was matched before, it replaces an occurrence of a matched event, a
/// file of the content folder has taken over its address, or it is the same event as an event of another input. The
/// first source of an event keeps it.
async fn is_of_another(
    import: &mut Import<Kind>,
    (source_id, replaces): (&str, Option<&Replaced>),
    proposal: Option<&Proposal>,
) -> Result<bool, Fault> {
    let transaction = &mut *import.transaction;
    match twins::standing(transaction, source_id).await? {
        Standing::Item => return Ok(false),
        Standing::Twin => return Ok(true),
        Standing::New => {}
    }
    if let Some(replaced) = replaces
        && twins::standing(transaction, &replaced.series).await? == Standing::Twin
    {
        return Ok(true);
    }
    if let Some(item) = proposal
        && let Some(taken_over_by) = moved::to_a_file(transaction, &item.path().canonical()).await?
    {
        twins::keep(transaction, source_id, taken_over_by).await?;
        return Ok(true);
    }
    let Some((name, Detail::Event(event))) = proposal.map(|item| (&item.name, &item.detail)) else {
        return Ok(false);
    };
    let Some(key) = domain::twins::key(name, &event.schedule) else {
        return Ok(false);
    };
    let candidates = twins::candidates(transaction, &key).await?;
    let twin = candidates.into_iter().find(|stored| {
        // Events that a source itself distinguishes are different.
        let is_its_own = import.has_seen(Kind::Event, &stored.source_id);
        !is_its_own && domain::twins::are_one(&stored.event, event)
    });
    let Some(twin) = twin else { return Ok(false) };
    twins::keep(&mut import.transaction, source_id, twin.id).await?;
    Ok(true)
}

/// Transfers the item at a former path to a new source, so that readers' saved items remain. Items of the former source
/// are then rejected in this input. An item that `yields` takes over neither a content folder's item nor an item with
/// an editor's decision.
async fn follow(import: &mut Import<Kind>, item: &Proposal, yields: bool) -> Result<(), Fault> {
    let former = item.moved_from.iter();
    for path in former.filter_map(|path| PagePath::parse(path)) {
        if path.kind != item.kind {
            continue;
        }
        let holder = intake::holder(&mut import.transaction, &path, &item.source_id).await?;
        if let Some(holder) = holder.filter(|holder| !import.has_seen(item.kind, holder))
            && !(yields && intake::is_an_editors(&mut import.transaction, &holder).await?)
            && intake::hand_over(&mut import.transaction, &holder, &item.source_id).await?
        {
            // Later imports of the former source recognise the item.
            twins::follow(&mut import.transaction, &holder, &item.source_id).await?;
            import.see(item.kind, &holder);
            break;
        }
    }
    Ok(())
}
