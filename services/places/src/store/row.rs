//! The row that all queries of `listings` return.

use std::sync::LazyLock;

use chassis::{markup, postgres::Columns as _, text::short_text};
use serde::Deserialize;
use sqlx::{FromRow, types::Json};
use vocabulary::position::Coordinates;

use super::columns::Columns;
use crate::domain::{
    Hours, Listing, ListingDetail, ListingType, Neighbourhood, Ranking, Review, SubType, Votes,
};

/// Columns of all queries of places.
pub(super) static COLUMNS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT l.id, {}, coalesce(v.sum, 0) AS rating_sum,
        coalesce(v.count, 0) AS rating_count, l.rating_rank,
        (SELECT jsonb_agg(jsonb_build_object('slug', b.slug, 'name', b.name, 'rank', e.rank, 'text', e.text_html)
                          ORDER BY b.date_published DESC, b.id DESC)
         FROM best_of_entries e JOIN best_of_lists b ON b.id = e.list_id
         WHERE e.listing_id = l.id AND NOT b.is_withdrawn) AS rankings,
        t.slug AS type_slug, t.name AS type_name, t.name_singular AS type_name_singular,
        t.is_food AS type_is_food, t.is_age_restricted AS type_is_age_restricted,
        n.slug AS neighbourhood_slug, n.name AS neighbourhood_name",
        Columns::list("l.")
    )
});
/// Joins of all queries of places, after `FROM … l`.
pub(super) const JOINS: &str = "
    JOIN listing_types t ON t.id = l.type_id
    LEFT JOIN neighbourhoods n ON n.id = l.neighbourhood_id
    LEFT JOIN listing_votes v ON v.listing_id = l.id";

#[derive(FromRow)]
pub(super) struct ListingRow {
    pub(super) id: i64,
    #[sqlx(flatten)]
    pub(super) columns: Columns,
    pub(super) rating_sum: i64,
    pub(super) rating_count: i64,
    /// Rank by votes, for ordering lists.
    pub(super) rating_rank: f64,
    /// `None` if no list ranks the place.
    pub(super) rankings: Option<Json<Vec<RankingRow>>>,
    /// Straight-line distance to the point that a list is ordered by, in Earth radii.
    #[sqlx(default)]
    pub(super) chord: Option<f64>,
    /// In a list of open places: whether it is open; `None` if its opening hours must be evaluated.
    #[sqlx(default)]
    pub(super) is_open: Option<bool>,
    pub(super) type_slug: String,
    pub(super) type_name: String,
    pub(super) type_name_singular: String,
    pub(super) type_is_food: bool,
    pub(super) type_is_age_restricted: bool,
    pub(super) neighbourhood_slug: Option<String>,
    pub(super) neighbourhood_name: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct RankingRow {
    slug: String,
    name: String,
    rank: i32,
    /// HTML; may be empty.
    text: String,
}

impl RankingRow {
    /// Returns what the list says about the place; `None` if it says nothing.
    fn line(&self) -> Option<String> {
        short_text(&markup::first_paragraph(&self.text))
    }
}

impl From<RankingRow> for Ranking {
    fn from(row: RankingRow) -> Self {
        Self {
            slug: row.slug,
            name: row.name,
            rank: row.rank,
        }
    }
}

impl From<ListingRow> for ListingDetail {
    fn from(row: ListingRow) -> Self {
        let columns = row.columns;
        let review = match (
            columns.review_html,
            columns.review_author,
            columns.review_date,
        ) {
            (Some(html), Some(author), Some(date)) => Some(Review { html, author, date }),
            _ => None,
        };
        let neighbourhood = match (
            columns.neighbourhood_id,
            row.neighbourhood_slug,
            row.neighbourhood_name,
        ) {
            (Some(id), Some(slug), Some(name)) => Some(Neighbourhood {
                id,
                slug,
                name,
                count: 0,
            }),
            _ => None,
        };
        let rankings = row.rankings.map_or_else(Vec::new, |Json(rows)| rows);
        let mut facts = columns.facts;
        facts.line = facts
            .line
            .or_else(|| rankings.iter().find_map(RankingRow::line))
            .or(columns.review_line);
        let listing = Listing {
            id: row.id,
            slug: columns.slug,
            name: columns.name,
            kind: ListingType {
                id: columns.type_id,
                slug: row.type_slug,
                name: row.type_name,
                name_singular: row.type_name_singular,
                is_food: row.type_is_food,
                is_age_restricted: row.type_is_age_restricted,
                count: 0,
            },
            sub_type: columns
                .sub_type_slug
                .zip(columns.sub_type_name)
                .map(|(slug, name)| SubType { slug, name }),
            neighbourhood,
            facts,
            coordinates: columns
                .latitude
                .zip(columns.longitude)
                .map(|(latitude, longitude)| Coordinates {
                    latitude,
                    longitude,
                }),
            // The opening hours were validated before they were stored.
            opening_hours: columns
                .opening_hours
                .and_then(|text| Hours::parse(&text).ok().flatten()),
            votes: Votes {
                sum: row.rating_sum,
                count: row.rating_count,
            },
            rankings: rankings.into_iter().map(Ranking::from).collect(),
            date_published: columns.date_published,
        };
        Self { listing, review }
    }
}
