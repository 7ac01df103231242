//! Imports places, their types and neighbourhoods, and best-of lists.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use chassis::{
    error::Fault,
    intake::{Import, Intake, Kind, Origin, Outcome, Rejection},
};
use chrono::{DateTime, Utc};

use super::{announce, announce_areas};
use crate::{
    context::Context,
    domain::{
        Basemap, BestOfProposal, Boundaries, Boundary, ListingProposal, NeighbourhoodProposal,
        TypeProposal,
    },
    store::{
        basemap, best_of, counts,
        intake::{self, Taken, Wanted},
        listings::{self, Summary},
        neighbourhoods,
        slugs::Slugs,
        types,
    },
};

/// Lock for imports that write places or read all of them.
pub(super) const LOCK: &str = "places.import";
/// Number of places stored together: enough to make round trips to PostgreSQL insignificant, but few enough to fit in
/// memory.
const BATCH: usize = 500;

pub(crate) enum Item {
    Type(TypeProposal),
    Neighbourhood(NeighbourhoodProposal),
    Basemap(Basemap),
    Listing(Box<ListingProposal>),
    BestOf(Box<BestOfProposal>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemKind {
    Type,
    Neighbourhood,
    Basemap,
    Listing,
    BestOf,
}

impl Kind for ItemKind {
    fn plural(self) -> &'static str {
        match self {
            Self::Type => "types",
            Self::Neighbourhood => "neighbourhoods",
            Self::Basemap => "base map",
            Self::Listing => "places",
            Self::BestOf => "best-of lists",
        }
    }
}

/// State of an import of places.
pub(crate) struct PlacesIntake<'a> {
    context: &'a Context,
    now: DateTime<Utc>,
    type_ids: Option<HashMap<String, i64>>,
    boundaries: Option<Boundaries>,
    /// Places to announce, by id, in their final state.
    changed: BTreeMap<i64, Summary>,
    /// Places added to or removed from best-of lists.
    ranked: BTreeSet<i64>,
    slugs: Slugs,
    /// Places still to be stored.
    pending: Vec<(Origin, Wanted)>,
}

#[async_trait]
impl Intake for PlacesIntake<'_> {
    type Kind = ItemKind;
    type Item = Item;

    // Serialises imports, which recount lists and choose free slugs.
    const LOCK: &'static str = LOCK;

    async fn take(
        &mut self,
        import: &mut Import<ItemKind>,
        origin: &Origin,
        item: Item,
    ) -> Result<Option<Outcome>, Rejection> {
        match item {
            Item::Type(kind) => self.take_type(import, kind).await.map(Some),
            Item::Neighbourhood(area) => self.take_neighbourhood(import, area).await.map(Some),
            Item::Basemap(map) => {
                let map = map.checked()?;
                Ok(Some(basemap::keep(&mut import.transaction, &map).await?))
            }
            Item::BestOf(list) => self.take_best_of(import, *list).await.map(Some),
            Item::Listing(place) => {
                let wanted = self.wanted(import, *place).await?;
                self.pending.push((origin.clone(), wanted));
                if self.pending.len() >= BATCH {
                    self.flush(import).await?;
                }
                Ok(None)
            }
        }
    }

    async fn flush(&mut self, import: &mut Import<ItemKind>) -> Result<(), Fault> {
        let (origins, places): (Vec<_>, Vec<_>) = self.pending.drain(..).unzip();
        if places.is_empty() {
            return Ok(());
        }
        let transaction = &mut import.transaction;
        let taken = intake::keep(transaction, &mut self.slugs, &places, self.now).await?;
        for (origin, Taken { summary, outcome }) in origins.into_iter().zip(taken) {
            if outcome != Outcome::Unchanged {
                self.changed.insert(summary.id, summary);
            }
            import.note(ItemKind::Listing, origin, outcome);
        }
        Ok(())
    }

    async fn conclude(mut self, import: &mut Import<ItemKind>) -> Result<(), Fault> {
        let areas_differ = import.has_written(ItemKind::Neighbourhood);
        if areas_differ {
            self.reassign(import).await?;
        }
        counts::recount(&mut import.transaction).await?;
        self.add_ranked(import).await?;
        let changed: Vec<_> = self.changed.into_values().collect();
        announce(self.context, &mut import.transaction, &changed).await?;
        let others = [ItemKind::Type, ItemKind::Basemap];
        if areas_differ || others.into_iter().any(|kind| import.has_written(kind)) {
            announce_areas(self.context, &mut import.transaction).await?;
        }
        Ok(())
    }
}

impl<'a> PlacesIntake<'a> {
    pub(crate) fn new(context: &'a Context) -> Self {
        Self {
            context,
            now: context.clock.now(),
            type_ids: None,
            boundaries: None,
            changed: BTreeMap::new(),
            ranked: BTreeSet::new(),
            slugs: Slugs::default(),
            pending: Vec::new(),
        }
    }

    async fn take_type(
        &mut self,
        import: &mut Import<ItemKind>,
        kind: TypeProposal,
    ) -> Result<Outcome, Rejection> {
        let kind = kind.checked()?;
        self.flush(import).await?;
        self.type_ids = None;
        Ok(types::keep(&mut import.transaction, &kind).await?)
    }

    async fn take_neighbourhood(
        &mut self,
        import: &mut Import<ItemKind>,
        area: NeighbourhoodProposal,
    ) -> Result<Outcome, Rejection> {
        let area = area.checked()?;
        self.flush(import).await?;
        self.boundaries = None;
        Ok(neighbourhoods::keep(&mut import.transaction, &area).await?)
    }

    /// Resolves a proposal to the place to store.
    async fn wanted(
        &mut self,
        import: &mut Import<ItemKind>,
        place: ListingProposal,
    ) -> Result<Wanted, Rejection> {
        let proposal = place.checked()?;
        let type_ids = match &mut self.type_ids {
            Some(known) => known,
            unknown => unknown.insert(types::ids(&mut import.transaction).await?),
        };
        let Some(&type_id) = type_ids.get(&proposal.type_slug) else {
            return Err(format!("there is no type {:?}", proposal.type_slug).into());
        };
        let neighbourhood_id = match proposal.coordinates {
            Some(at) => self.boundaries(import).await?.around(at),
            None => None,
        };
        Ok(Wanted {
            proposal,
            type_id,
            neighbourhood_id,
        })
    }

    /// Stores a list. It can rank places that are already stored or precede it in the input.
    async fn take_best_of(
        &mut self,
        import: &mut Import<ItemKind>,
        list: BestOfProposal,
    ) -> Result<Outcome, Rejection> {
        let list = list.checked()?;
        self.flush(import).await?;
        let source_ids: Vec<String> = list
            .entries
            .iter()
            .map(|entry| entry.source_id.clone())
            .collect();
        let places = best_of::places(&mut import.transaction, &source_ids).await?;
        let places: HashMap<String, i64> = places.into_iter().collect();
        let mut entries = Vec::with_capacity(list.entries.len());
        for (rank, entry) in (1..).zip(&list.entries) {
            let Some(&listing_id) = places.get(&entry.source_id) else {
                let reason = format!("there is no place {}", entry.source_id);
                return Err(entry.mistake(&reason).into());
            };
            entries.push(best_of::Entry {
                rank,
                listing_id,
                text_html: entry.text_html.clone(),
            });
        }
        let kept = best_of::keep(&mut import.transaction, &list, entries).await?;
        let kept = kept.ok_or_else(|| format!("another list has the slug {:?}", list.slug))?;
        self.ranked.extend(kept.touched);
        Ok(kept.outcome)
    }

    async fn boundaries(&mut self, import: &mut Import<ItemKind>) -> Result<&Boundaries, Fault> {
        if self.boundaries.is_none() {
            let mut parsed = Vec::new();
            for (id, boundary) in neighbourhoods::boundaries(&mut import.transaction).await? {
                match Boundary::parse(&boundary) {
                    Ok(boundary) => parsed.push((id, boundary)),
                    Err(error) => tracing::error!(id, error, "a stored boundary cannot be read"),
                }
            }
            self.boundaries = Some(Boundaries::new(parsed));
        }
        Ok(self.boundaries.get_or_insert_default())
    }

    /// Announces the places whose best-of lists have changed, as their responses contain these lists.
    async fn add_ranked(&mut self, import: &mut Import<ItemKind>) -> Result<(), Fault> {
        let changed = &self.changed;
        let ids: Vec<i64> = std::mem::take(&mut self.ranked)
            .into_iter()
            .filter(|id| !changed.contains_key(id))
            .collect();
        let ranked = listings::summaries_of(&mut import.transaction, &ids).await?;
        self.add_changed(ranked);
        Ok(())
    }

    /// Reassigns places that were imported before their neighbourhoods, or whose boundary has changed.
    async fn reassign(&mut self, import: &mut Import<ItemKind>) -> Result<(), Fault> {
        let standing = intake::standing(&mut import.transaction).await?;
        let boundaries = self.boundaries(import).await?;
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
            let reassigned = intake::reassign(&mut import.transaction, &moves).await?;
            self.add_changed(reassigned);
        }
        Ok(())
    }

    fn add_changed(&mut self, places: Vec<Summary>) {
        let places = places.into_iter().map(|place| (place.id, place));
        self.changed.extend(places);
    }
}
