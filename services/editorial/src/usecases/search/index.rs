//! Updates the index after changes.

use std::collections::{BTreeMap, BTreeSet};

use chassis::error::Fault;
use sqlx::PgConnection;

use suggestions::{DocumentKind, Field, Key, Named};

use super::sources;
use crate::{
    context::Context,
    domain::{
        ItemText, Kind,
        search::{Document, Source},
    },
    store::{
        items,
        search::{
            documents,
            due::{self, Due},
            lexicon, names,
        },
    },
};

/// Number of objects per transaction, the maximum number of ids in a call to the places service.
const BATCH: i64 = 100;

/// Indexes due objects until none is left or an error occurs; returns their number. Only one process does this at a
/// time.
pub(crate) async fn index_due(context: &Context) -> Result<u64, Fault> {
    let waiting = metrics::gauge!("search_due");
    let mut indexed = 0;
    loop {
        let due = due::next(&context.pool, BATCH).await?;
        if due.is_empty() {
            waiting.set(0.0);
            return Ok(indexed);
        }
        #[expect(clippy::cast_precision_loss, reason = "a gauge")]
        waiting.set(due::count(&context.pool).await? as f64);
        index_or_leave_out(context, &due).await?;
        indexed += due.len() as u64;
    }
}

/// Indexes a batch. An object that cannot be indexed is skipped until it changes or everything is reindexed, so that it
/// does not block other objects. During an outage, the complete batch waits.
async fn index_or_leave_out(context: &Context, due: &[Due]) -> Result<(), Fault> {
    match index(context, due).await {
        Err(fault) if !fault.code.is_outage() => {}
        outcome => return outcome,
    }
    for one in due {
        let one = std::slice::from_ref(one);
        match index(context, one).await {
            Err(fault) if !fault.code.is_outage() => {
                metrics::counter!("search_left_out_total").increment(1);
                tracing::error!(kind = one[0].kind, id = one[0].id, %fault, "an object cannot be indexed; the search leaves it out");
                let mut connection = context.pool.acquire().await?;
                due::done(&mut connection, one).await?;
            }
            outcome => outcome?,
        }
    }
    Ok(())
}

/// Index changes of a batch.
#[derive(Default)]
struct Changes {
    sources: Vec<Source>,
    /// Documents that no longer exist.
    gone: BTreeSet<Key>,
    names: Vec<Named>,
}

async fn index(context: &Context, due: &[Due]) -> Result<(), Fault> {
    let ids = |kind: &str| -> Vec<i64> {
        let due = due.iter().filter(|due| due.kind == kind);
        due.map(|due| due.id).collect()
    };
    let (listing_ids, item_ids) = (ids("listing"), ids("item"));
    // The places service is called before the transaction begins: objects that change meanwhile are marked again.
    let mut changes = Changes {
        sources: sources::listings(context, &listing_ids).await?,
        gone: listing_ids
            .into_iter()
            .map(|id| (DocumentKind::Listing, id))
            .collect(),
        names: Vec::new(),
    };
    let areas = match ids("areas").as_slice() {
        [] => None,
        _ => Some(sources::areas(context).await?),
    };
    let lists = match ids("best_of_lists").as_slice() {
        [] => None,
        _ => Some(sources::best_of_lists(context).await?),
    };
    let mut transaction = context.pool.begin().await?;
    due::plan_anew(&mut transaction).await?;
    if let Some(areas) = areas {
        lexicon::forget_areas(&mut transaction).await?;
        changes.names.extend(areas);
    }
    if let Some(lists) = lists {
        let known = documents::ids(&mut transaction, DocumentKind::BestOfList).await?;
        changes
            .gone
            .extend(known.into_iter().map(|id| (DocumentKind::BestOfList, id)));
        changes.sources.extend(lists);
    }
    changes
        .add_items(context, &mut transaction, &item_ids)
        .await?;
    changes.store(&mut transaction).await?;
    due::done(&mut transaction, due).await?;
    transaction.commit().await?;
    Ok(())
}

impl Changes {
    async fn add_items(
        &mut self,
        context: &Context,
        transaction: &mut PgConnection,
        ids: &[i64],
    ) -> Result<(), Fault> {
        if ids.is_empty() {
            return Ok(());
        }
        self.gone
            .extend(documents::of_items(transaction, ids).await?);
        let areas = lexicon::neighbourhoods(transaction).await?;
        for kind in [Kind::Article, Kind::Event, Kind::Video] {
            let found = items::among(&context.pool, kind, ids, true, context.clock.now()).await?;
            for found in found {
                self.add_item(found, &areas);
            }
        }
        Ok(())
    }

    fn add_item(&mut self, found: ItemText, areas: &BTreeMap<String, String>) {
        let authors = found.item.authors.iter().map(|author| Named {
            field: Field::Author,
            slug: author.slug.clone(),
            name: author.name.clone(),
        });
        self.names.extend(authors);
        let area = match &found.item.detail {
            crate::domain::Detail::Event(event) => areas.get(&event.neighbourhood),
            _ => None,
        };
        self.sources
            .extend(Source::of_item(found, area.map(String::as_str)));
    }

    async fn store(mut self, transaction: &mut PgConnection) -> Result<(), Fault> {
        let documents: Vec<Document> = self.sources.into_iter().map(Document::from).collect();
        let kept: Vec<Key> = documents
            .iter()
            .map(|one| (one.source.kind, one.source.id))
            .collect();
        for key in &kept {
            self.gone.remove(key);
        }
        let gone: Vec<Key> = self.gone.into_iter().collect();
        let touched: Vec<Key> = kept.iter().chain(&gone).copied().collect();
        let before = documents::words_of(transaction, &touched).await?;
        let mut changed = documents::remove(transaction, &gone).await?;
        changed.extend(documents::put(transaction, &documents).await?);
        let mut shifts = documents::words_of(transaction, &kept).await?;
        for (word, count) in before {
            *shifts.entry(word).or_default() -= count;
        }
        shifts.retain(|_, by| *by != 0);
        self.names.sort_by(|one, other| {
            (one.field, &one.slug, &one.name).cmp(&(other.field, &other.slug, &other.name))
        });
        self.names.dedup();
        let added = lexicon::add_names(transaction, &self.names).await?;
        if !changed.is_empty() || added > 0 {
            lexicon::shift_words(transaction, &shifts).await?;
            let revision = lexicon::raise_revision(transaction).await?;
            names::note(transaction, revision, &changed).await?;
        }
        Ok(())
    }
}
