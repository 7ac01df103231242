//! Take places from outside: all or nothing, idempotent by source id, and each refusal named.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chassis::{
    instant,
    intake::{Counts, Outcome, Refusal},
};
use chrono::{DateTime, Utc};
use cityguide_proto::events::v1::ListingSummary;
use sqlx::{Postgres, Transaction};

use super::{announce, announce_areas};
use crate::{
    context::Context,
    domain::{
        BestOfProposal, Boundaries, Boundary, ListingProposal, NeighbourhoodProposal, Report,
        TypeProposal,
    },
    error::Error,
    store::{
        best_of, counts,
        intake::{self, Taken, Wanted},
        listings, neighbourhoods,
        slugs::Slugs,
        types,
    },
};

/// Places that are kept together: enough that the way to PostgreSQL hardly counts, and few enough to
/// be held.
const BATCH: usize = 500;

/// The items of an input.
pub(crate) enum Item {
    Type(TypeProposal),
    Neighbourhood(NeighbourhoodProposal),
    Listing(Box<ListingProposal>),
    BestOf(Box<BestOfProposal>),
}

/// The kind of an item, for the report.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ItemKind {
    Type,
    Neighbourhood,
    Listing,
    BestOf,
}

/// An import on its way: one transaction, which ends with [`Import::finish`] or never was.
pub(crate) struct Import<'a> {
    context: &'a Context,
    transaction: Transaction<'a, Postgres>,
    now: DateTime<Utc>,
    report: Report,
    seen: HashSet<String>,
    type_ids: Option<HashMap<String, i64>>,
    boundaries: Option<Boundaries>,
    /// The changes to announce, by place: only the final state of each.
    told: BTreeMap<i64, ListingSummary>,
    /// Places that came onto a best-of list, or left one.
    ranked: BTreeSet<i64>,
    slugs: Slugs,
    /// Places that are still to be kept, with where they stand in the input.
    pending: Vec<(String, Wanted)>,
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
            type_ids: None,
            boundaries: None,
            told: BTreeMap::new(),
            ranked: BTreeSet::new(),
            slugs: Slugs::default(),
            pending: Vec::new(),
        })
    }

    /// Notes an item that could not even be read.
    pub(crate) fn refuse(&mut self, kind: ItemKind, refusal: Refusal) {
        self.counts(kind).refused += 1;
        self.report.refusals.push(refusal);
    }

    fn counts(&mut self, kind: ItemKind) -> &mut Counts {
        match kind {
            ItemKind::Type => &mut self.report.types,
            ItemKind::Neighbourhood => &mut self.report.neighbourhoods,
            ItemKind::Listing => &mut self.report.listings,
            ItemKind::BestOf => &mut self.report.best_of_lists,
        }
    }

    /// Takes an item, or notes why not. Places wait for others, to be kept together.
    pub(crate) async fn take(&mut self, position: String, item: Item) -> Result<(), Error> {
        let (kind, source_id) = match &item {
            Item::Type(kind) => (ItemKind::Type, format!("type:{}", kind.slug)),
            Item::Neighbourhood(area) => (ItemKind::Neighbourhood, area.source_id.clone()),
            // As it is kept: places that are made together must differ in it.
            Item::Listing(listing) => (ItemKind::Listing, listing.source_id.trim().to_owned()),
            Item::BestOf(list) => (ItemKind::BestOf, list.source_id.clone()),
        };
        let refusal = |position, reason| Refusal {
            position,
            source_id: source_id.clone(),
            reason,
        };
        if !self.seen.insert(format!("{kind:?} {source_id}")) {
            let reason = "the same source id came before in this input".to_owned();
            self.refuse(kind, refusal(position, reason));
            return Ok(());
        }
        let outcome = match item {
            Item::Type(kind) => self.take_type(kind).await?,
            Item::Neighbourhood(area) => self.take_neighbourhood(area).await?,
            Item::BestOf(list) => self.take_best_of(*list).await?,
            Item::Listing(listing) => match self.wanted(*listing).await? {
                Ok(wanted) => {
                    self.pending.push((position, wanted));
                    if self.pending.len() >= BATCH {
                        self.keep().await?;
                    }
                    return Ok(());
                }
                Err(reason) => Err(reason),
            },
        };
        match outcome {
            Ok(outcome) => self.note(kind, position, source_id, outcome),
            Err(reason) => self.refuse(kind, refusal(position, reason)),
        }
        Ok(())
    }

    fn note(&mut self, kind: ItemKind, position: String, source_id: String, outcome: Outcome) {
        self.counts(kind).add(&outcome);
        self.report.changes.note(position, source_id, outcome);
    }

    async fn take_type(&mut self, kind: TypeProposal) -> Result<Result<Outcome, String>, Error> {
        let kind = match kind.checked() {
            Ok(kind) => kind,
            Err(reason) => return Ok(Err(reason)),
        };
        self.keep().await?;
        self.type_ids = None;
        Ok(Ok(types::keep(&mut self.transaction, &kind).await?))
    }

    async fn take_neighbourhood(
        &mut self,
        area: NeighbourhoodProposal,
    ) -> Result<Result<Outcome, String>, Error> {
        let area = match area.checked() {
            Ok(area) => area,
            Err(reason) => return Ok(Err(reason)),
        };
        self.keep().await?;
        self.boundaries = None;
        Ok(Ok(neighbourhoods::keep(&mut self.transaction, &area).await?))
    }

    /// A place as it is to stand, or why it cannot.
    async fn wanted(&mut self, listing: ListingProposal) -> Result<Result<Wanted, String>, Error> {
        let proposal = match listing.checked() {
            Ok(listing) => listing,
            Err(reason) => return Ok(Err(reason)),
        };
        let Some(type_id) = self.type_id(&proposal.type_slug).await? else {
            return Ok(Err(format!("there is no type {:?}", proposal.type_slug)));
        };
        let neighbourhood_id = match proposal.coordinates {
            Some(at) => self.boundaries().await?.around(at),
            None => None,
        };
        Ok(Ok(Wanted {
            proposal,
            type_id,
            neighbourhood_id,
        }))
    }

    /// Keeps the places that wait.
    async fn keep(&mut self) -> Result<(), Error> {
        let (positions, places): (Vec<_>, Vec<_>) = self.pending.drain(..).unzip();
        if places.is_empty() {
            return Ok(());
        }
        let taken = intake::keep(&mut self.transaction, &mut self.slugs, &places, self.now).await?;
        for ((position, place), taken) in positions.into_iter().zip(places).zip(taken) {
            let Taken {
                id,
                version,
                outcome,
                date_published,
            } = taken;
            let ListingProposal {
                source_id, name, ..
            } = place.proposal;
            if outcome != Outcome::Unchanged {
                self.tell(id, name, date_published, version);
            }
            self.note(ItemKind::Listing, position, source_id, outcome);
        }
        Ok(())
    }

    /// A list ranks places that stand already, or came before it in the same input.
    async fn take_best_of(
        &mut self,
        list: BestOfProposal,
    ) -> Result<Result<Outcome, String>, Error> {
        let list = match list.checked() {
            Ok(list) => list,
            Err(reason) => return Ok(Err(reason)),
        };
        self.keep().await?;
        let source_ids: Vec<String> = list
            .entries
            .iter()
            .map(|entry| entry.source_id.clone())
            .collect();
        let places = best_of::places(&mut self.transaction, &source_ids).await?;
        let places: HashMap<String, i64> = places.into_iter().collect();
        let mut entries = Vec::with_capacity(list.entries.len());
        for (rank, entry) in (1..).zip(&list.entries) {
            let Some(&listing_id) = places.get(&entry.source_id) else {
                return Ok(Err(
                    entry.mistake(&format!("there is no place {}", entry.source_id))
                ));
            };
            entries.push(best_of::Entry {
                rank,
                listing_id,
                text_html: entry.text_html.clone(),
            });
        }
        let kept = best_of::keep(&mut self.transaction, &list, entries).await?;
        Ok(match kept {
            Some(kept) => {
                self.ranked.extend(kept.touched);
                Ok(kept.outcome)
            }
            None => Err(format!("another list has the slug {:?}", list.slug)),
        })
    }

    fn tell(&mut self, id: i64, name: String, date_published: DateTime<Utc>, version: i64) {
        let date_published = Some(instant::to_proto(date_published));
        let summary = ListingSummary {
            id,
            name,
            is_available: true,
            date_published,
            version,
        };
        self.told.insert(id, summary);
    }

    async fn type_id(&mut self, slug: &str) -> Result<Option<i64>, Error> {
        if self.type_ids.is_none() {
            self.type_ids = Some(
                types::ids(&mut self.transaction)
                    .await?
                    .into_iter()
                    .collect(),
            );
        }
        Ok(self
            .type_ids
            .as_ref()
            .and_then(|ids| ids.get(slug).copied()))
    }

    async fn boundaries(&mut self) -> Result<&Boundaries, Error> {
        if self.boundaries.is_none() {
            let mut parsed = Vec::new();
            for (id, boundary) in neighbourhoods::boundaries(&mut self.transaction).await? {
                match Boundary::parse(&boundary) {
                    Ok(boundary) => parsed.push((id, boundary)),
                    Err(error) => tracing::error!(id, error, "a stored boundary cannot be read"),
                }
            }
            self.boundaries = Some(Boundaries::new(parsed));
        }
        Ok(self.boundaries.get_or_insert_default())
    }

    /// Commits, unless it was asked only to look, or to take all or nothing and something was refused.
    pub(crate) async fn finish(
        mut self,
        dry_run: bool,
        all_or_nothing: bool,
    ) -> Result<Report, Error> {
        self.keep().await?;
        if dry_run || (all_or_nothing && !self.report.refusals.is_empty()) {
            self.transaction.rollback().await?;
            return Ok(self.report);
        }
        let areas = self.report.neighbourhoods;
        if areas.created + areas.changed > 0 {
            self.reassign().await?;
        }
        counts::recount(&mut self.transaction).await?;
        self.tell_ranked().await?;
        let told: Vec<ListingSummary> = std::mem::take(&mut self.told).into_values().collect();
        announce(self.context, &mut self.transaction, &told).await?;
        if [self.report.types, areas].map(|counts| counts.created + counts.changed) != [0, 0] {
            announce_areas(self.context, &mut self.transaction).await?;
        }
        self.context.outbox.commit(self.transaction).await?;
        self.report.applied = true;
        Ok(self.report)
    }

    /// Places show the lists on which they stand.
    async fn tell_ranked(&mut self) -> Result<(), Error> {
        let told = &self.told;
        let ids: Vec<i64> = std::mem::take(&mut self.ranked)
            .into_iter()
            .filter(|id| !told.contains_key(id))
            .collect();
        for place in listings::summaries_of(&mut self.transaction, &ids).await? {
            self.tell(place.id, place.name, place.date_published, place.version);
        }
        Ok(())
    }

    /// Places that came before their neighbourhoods, or whose boundary has moved.
    async fn reassign(&mut self) -> Result<(), Error> {
        let standing = intake::standing(&mut self.transaction).await?;
        let boundaries = self.boundaries().await?;
        let moves: Vec<_> = standing
            .iter()
            .map(|place| {
                (
                    place.id,
                    place.neighbourhood_id,
                    boundaries.around(place.at),
                )
            })
            .filter(|(_, before, after)| before != after)
            .map(|(id, _, after)| (id, after))
            .collect();
        if !moves.is_empty() {
            for place in intake::reassign(&mut self.transaction, &moves).await? {
                self.tell(place.id, place.name, place.date_published, place.version);
            }
        }
        Ok(())
    }
}
