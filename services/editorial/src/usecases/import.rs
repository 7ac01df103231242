//! Take items from outside: all or nothing, idempotent by source id, and each refusal named.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chassis::intake::{Outcome, Refusal};
use chrono::{DateTime, Utc};
use sqlx::{Postgres, Transaction};

use super::{announce, near};
use crate::{
    context::Context,
    domain::{Detail, Kind, PagePath, Proposal, Report},
    error::Error,
    store::{
        counts,
        intake::{self, Taken},
        moved, occurrences,
        turns::Told,
    },
};

/// An import on its way: one transaction, which ends with [`Import::finish`] or never was.
pub(crate) struct Import<'a> {
    context: &'a Context,
    transaction: Transaction<'a, Postgres>,
    now: DateTime<Utc>,
    report: Report,
    seen: HashSet<String>,
    /// The changes to announce, by item.
    told: BTreeMap<i64, Told>,
}

impl<'a> Import<'a> {
    /// Begins; waits for another import to end.
    pub(crate) async fn begin(context: &'a Context) -> Result<Self, Error> {
        let mut transaction = context.pool.begin().await?;
        intake::lock(&mut transaction).await?;
        Ok(Self {
            context,
            transaction,
            now: context.clock.now(),
            report: Report::default(),
            seen: HashSet::new(),
            told: BTreeMap::new(),
        })
    }

    /// Notes an item that was not taken.
    pub(crate) fn refuse(&mut self, kind: Kind, refusal: Refusal) {
        self.report.kinds.entry(kind).or_default().refused += 1;
        self.report.refusals.push(refusal);
    }

    /// Takes an item, or notes why not.
    pub(crate) async fn take(&mut self, position: String, item: Proposal) -> Result<(), Error> {
        let (kind, source_id) = (item.kind, item.source_id.clone());
        let outcome = if self.seen.insert(source_id.clone()) {
            match item.checked() {
                Ok(item) => self.keep(item).await?,
                Err(reason) => Err(reason),
            }
        } else {
            Err("the same source id came before in this input".to_owned())
        };
        match outcome {
            Ok(outcome) => {
                self.report.kinds.entry(kind).or_default().add(&outcome);
                self.report.changes.note(position, source_id, outcome);
            }
            Err(reason) => self.refuse(
                kind,
                Refusal {
                    position,
                    source_id,
                    reason,
                },
            ),
        }
        Ok(())
    }

    async fn keep(&mut self, item: Proposal) -> Result<Result<Outcome, String>, Error> {
        self.follow(&item).await?;
        let path = item.path();
        let transaction = &mut *self.transaction;
        if let Some(holder) = intake::holder(transaction, &path, &item.source_id).await? {
            return Ok(Err(format!("{} is {holder}'s already", path.canonical())));
        }
        let occurrences = match &item.detail {
            Detail::Event(event) => match near(&event.schedule, self.now) {
                Ok(occurrences) => Some(occurrences),
                Err(reason) => return Ok(Err(reason)),
            },
            _ => None,
        };
        let Taken {
            mut outcome,
            told,
            former_path,
        } = intake::keep(transaction, &item, self.now).await?;
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
            self.told.insert(told.id, told);
        }
        Ok(Ok(outcome))
    }

    /// An item that comes from a new source and says where it was is the one that stands there: readers
    /// who saved it keep it. What its former source says in this input is refused from then on.
    async fn follow(&mut self, item: &Proposal) -> Result<(), Error> {
        let transaction = &mut *self.transaction;
        let former = item.moved_from.iter();
        for path in former.filter_map(|path| PagePath::parse(path)) {
            if path.kind != item.kind {
                continue;
            }
            let holder = intake::holder(transaction, &path, &item.source_id).await?;
            if let Some(holder) = holder.filter(|holder| !self.seen.contains(holder))
                && intake::hand_over(transaction, &holder, &item.source_id).await?
            {
                self.seen.insert(holder);
                break;
            }
        }
        Ok(())
    }

    /// Commits, unless it was asked only to look, or to take all or nothing and something was refused.
    pub(crate) async fn finish(
        mut self,
        dry_run: bool,
        all_or_nothing: bool,
    ) -> Result<Report, Error> {
        if dry_run || (all_or_nothing && !self.report.refusals.is_empty()) {
            self.transaction.rollback().await?;
            return Ok(self.report);
        }
        let told: Vec<Told> = std::mem::take(&mut self.told).into_values().collect();
        let kinds: BTreeSet<Kind> = told
            .iter()
            .filter_map(|told| Kind::parse(&told.kind))
            .collect();
        for kind in kinds {
            counts::recount(&mut self.transaction, kind).await?;
        }
        announce(self.context, &mut self.transaction, &told).await?;
        self.context.outbox.commit(self.transaction).await?;
        self.report.applied = true;
        Ok(self.report)
    }
}
