//! Taken slugs of places, cached during an import.

use std::collections::HashMap;

use chassis::sql;
use sqlx::PgConnection;

use crate::domain::numbered;

/// Factor by which the number of known slugs of a base grows if all of them are taken.
const FURTHER: usize = 8;

/// The slugs used by an import, with their holders: a stored place's id, or a place that this import creates. Imports
/// run one at a time, so the slugs cannot change meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
    holders: HashMap<(i64, String), Option<i64>>,
    /// Known slugs by type and base.
    by_base: HashMap<(i64, String), KnownSlugs>,
}

/// The known slugs of a base, by number.
#[derive(Debug, Clone, Copy)]
struct KnownSlugs {
    /// The holders of slugs up to this number are known.
    known: usize,
    /// All slugs before this number are taken.
    free: usize,
}

impl Default for KnownSlugs {
    fn default() -> Self {
        Self { known: 0, free: 1 }
    }
}

impl Slugs {
    /// Reads the slugs of these bases together, until each has a free slug.
    pub(crate) async fn look(
        &mut self,
        connection: &mut PgConnection,
        bases: &[(i64, String)],
    ) -> Result<(), sqlx::Error> {
        let mut open: Vec<_> = bases.iter().collect();
        open.sort_unstable();
        open.dedup();
        loop {
            open.retain(|(type_id, base)| self.known_free(*type_id, base, None).is_none());
            if open.is_empty() {
                return Ok(());
            }
            self.ask(&mut *connection, &open).await?;
        }
    }

    /// Returns the first free slug for a place; its own slug counts as free.
    pub(crate) async fn free(
        &mut self,
        connection: &mut PgConnection,
        type_id: i64,
        base: &str,
        own_id: Option<i64>,
    ) -> Result<String, sqlx::Error> {
        loop {
            if let Some((number, slug)) = self.known_free(type_id, base, own_id) {
                if own_id.is_none() {
                    let key = (type_id, base.to_owned());
                    self.by_base.entry(key).or_default().free = number;
                }
                return Ok(slug);
            }
            let wanted = (type_id, base.to_owned());
            self.ask(&mut *connection, &[&wanted]).await?;
        }
    }

    /// Returns the first free known slug with its number.
    fn known_free(&self, type_id: i64, base: &str, own_id: Option<i64>) -> Option<(usize, String)> {
        let asked = self.by_base.get(&(type_id, base.to_owned()))?;
        // The place's own slug may be among the taken slugs.
        let first = if own_id.is_none() { asked.free } else { 1 };
        let mut numbers = (first..=asked.known).map(|number| (number, numbered(base, number)));
        numbers.find(|(_, slug)| {
            let holder = self.holders.get(&(type_id, slug.clone()));
            holder.is_none_or(|holder| own_id.is_some() && *holder == own_id)
        })
    }

    /// Reads the holders of the next slugs of each base.
    #[sql("slugs.ask")]
    async fn ask(
        &mut self,
        connection: &mut PgConnection,
        bases: &[&(i64, String)],
    ) -> Result<(), sqlx::Error> {
        let (mut types, mut slugs) = (Vec::new(), Vec::new());
        for (type_id, base) in bases {
            let asked = self.by_base.entry((*type_id, base.clone())).or_default();
            let next = asked.known + 1..=(asked.known * FURTHER).max(1);
            asked.known = *next.end();
            for number in next {
                types.push(*type_id);
                slugs.push(numbered(base, number));
            }
        }
        let rows = sqlx::query!(
            "SELECT type_id, slug, id FROM listings
             WHERE (type_id, slug) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))",
            &types,
            &slugs,
        )
        .fetch_all(connection)
        .await?;
        let held = rows.into_iter();
        self.holders
            .extend(held.map(|row| ((row.type_id, row.slug), Some(row.id))));
        Ok(())
    }

    /// Records the new holder of a slug: a stored or a new place.
    pub(crate) fn give(&mut self, type_id: i64, slug: &str, id: Option<i64>) {
        self.holders.insert((type_id, slug.to_owned()), id);
    }

    /// Records that a slug is free.
    pub(crate) fn release(&mut self, type_id: i64, slug: &str) {
        self.holders.remove(&(type_id, slug.to_owned()));
        for asked in self.by_base.values_mut() {
            asked.free = 1;
        }
    }
}
