//! The SQL of a page, shared by all lists: its start, order and length. A list specifies the column that its ordering
//! compares and the type of the cursor's key.

use sqlx::{Postgres, QueryBuilder};

use crate::paging::{KeyType, Page};

/// The expression that orders a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyset {
    /// The expression, up to its bound value if it has one.
    expression: &'static str,
    /// A point bound after the expression, followed by `)`.
    point: Option<Vec<f64>>,
    key: KeyType,
    /// The column that breaks ties.
    id: &'static str,
    is_descending: bool,
}

impl Keyset {
    /// A column in the direction that the page requests; the id column breaks ties.
    #[must_use]
    pub fn column(page: &Page, column: &'static str, key: KeyType, id: &'static str) -> Self {
        Self {
            expression: column,
            point: None,
            key,
            id,
            is_descending: page.ordering.descending,
        }
    }

    /// The distance from a point, ascending: indexes support only nearest first. `expression` ends where the point's
    /// coordinates are bound: `location <-> cube(`.
    #[must_use]
    pub fn distance(expression: &'static str, point: Vec<f64>, id: &'static str) -> Self {
        Self {
            expression,
            point: Some(point),
            key: KeyType::Number,
            id,
            is_descending: false,
        }
    }

    /// Whether the order is by distance.
    #[must_use]
    pub fn is_distance(&self) -> bool {
        self.point.is_some()
    }

    /// Appends the expression.
    pub fn push_expression(&self, query: &mut QueryBuilder<Postgres>) {
        query.push(self.expression);
        if let Some(point) = &self.point {
            query.push_bind(point.clone()).push(")");
        }
    }

    /// Appends ` AND …`: only rows after the page's cursor.
    pub fn push_after(&self, query: &mut QueryBuilder<Postgres>, page: &Page) {
        let Some(after) = &page.after else { return };
        let than = if self.is_descending { "<" } else { ">" };
        query.push(" AND (");
        self.push_expression(query);
        query.push(format!(", {}) {than} (", self.id));
        query.push_bind(after.key.clone());
        query.push(self.key.cast()).push(", ");
        query.push_bind(after.id).push(")");
    }

    /// Appends ` ORDER BY …`. The order is total, because the id breaks ties.
    pub fn push_order(&self, query: &mut QueryBuilder<Postgres>) {
        let direction = if self.is_descending { "DESC" } else { "ASC" };
        query.push(" ORDER BY ");
        self.push_expression(query);
        query.push(format!(" {direction}, {} {direction}", self.id));
    }

    /// Appends the cursor condition, the order and the length of a page, if no other SQL comes between them.
    pub fn push_page(&self, query: &mut QueryBuilder<Postgres>, page: &Page) {
        self.push_after(query, page);
        self.push_order(query);
        push_length(query, page);
    }
}

/// Appends ` LIMIT … OFFSET …`, with one row more than the page contains, to detect whether there is a next page. The
/// limit is a literal, and an offset of 0 is omitted: with a parameter, PostgreSQL would assume that a tenth of the
/// table is read, consider the generic plan too expensive and plan each query again, which takes longer than the query
/// itself.
fn push_length(query: &mut QueryBuilder<Postgres>, page: &Page) {
    query.push(format!(" LIMIT {}", page.fetch()));
    if page.skip > 0 {
        query.push(" OFFSET ").push_bind(i64::from(page.skip));
    }
}

/// Appends ` AND …`: only rows whose column contains the page's keywords, if any, ignoring accents and case. A trigram
/// index on the folded column supports it. Keywords are matched literally: they are escaped after folding, because
/// folding turns some characters into `%` or `_` (full-width ones).
pub fn push_keywords(query: &mut QueryBuilder<Postgres>, page: &Page, column: &str) {
    if let Some(keywords) = &page.keywords {
        query.push(format!(
            " AND folded({column}) LIKE '%' || regexp_replace(folded("
        ));
        query.push_bind(keywords.clone());
        query.push(r"), '[%_\\]', '\\\&', 'g') || '%'");
    }
}

#[cfg(test)]
mod tests {
    use cityguide_proto::paging::v1::PageRequest;

    use super::*;

    fn page(ordering: &str) -> Page {
        let request = PageRequest {
            ordering: ordering.to_owned(),
            limit: 2,
            keywords: "ramen".to_owned(),
            ..PageRequest::default()
        };
        let mut page = Page::parse(Some(&request), &["name"]).expect("valid");
        page.after = Some(crate::paging::After {
            key: "Pai".to_owned(),
            id: 7,
        });
        page
    }

    #[test]
    fn a_page_begins_after_its_cursor_in_its_own_direction() {
        for (ordering, expected) in [
            (
                "name",
                "WHERE true AND folded(l.name) LIKE '%' || regexp_replace(folded($1), '[%_\\\\]', '\\\\\\&', 'g') || '%' \
                 AND (l.name, l.id) > ($2::text, $3) \
                 ORDER BY l.name ASC, l.id ASC LIMIT 3",
            ),
            (
                "-name",
                "WHERE true AND folded(l.name) LIKE '%' || regexp_replace(folded($1), '[%_\\\\]', '\\\\\\&', 'g') || '%' \
                 AND (l.name, l.id) < ($2::text, $3) \
                 ORDER BY l.name DESC, l.id DESC LIMIT 3",
            ),
        ] {
            let page = page(ordering);
            let mut query = QueryBuilder::new("WHERE true");
            push_keywords(&mut query, &page, "l.name");
            Keyset::column(&page, "l.name", KeyType::Text, "l.id").push_page(&mut query, &page);
            assert_eq!(query.sql().as_str(), expected);
        }
    }

    #[test]
    fn rows_to_skip_are_bound_and_none_is_left_out() {
        let mut page = page("name");
        for (skip, expected) in [(0, " LIMIT 3"), (40, " LIMIT 3 OFFSET $1")] {
            page.skip = skip;
            let mut query = QueryBuilder::new("");
            push_length(&mut query, &page);
            assert_eq!(query.sql().as_str(), expected);
        }
    }

    #[test]
    fn distances_are_bound_and_ascend_whatever_is_asked() {
        let mut query = QueryBuilder::new("");
        let nearest = Keyset::distance("at <-> cube(", vec![0.5, 0.5, 0.5], "id");
        nearest.push_order(&mut query);
        assert!(nearest.is_distance());
        assert_eq!(
            query.sql().as_str(),
            " ORDER BY at <-> cube($1) ASC, id ASC"
        );
    }
}
