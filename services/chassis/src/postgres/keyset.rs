//! The SQL of a page: where it begins, its order and its length, shared by the statements of all lists. A
//! list names the column that its ordering compares and the type of a cursor's text there.

use sqlx::{Postgres, QueryBuilder};

use crate::paging::{KeyType, Page};

/// The expression that a list's ordering compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyset {
    /// The expression, up to its bound value if it has one.
    expression: &'static str,
    /// Bound after the expression, and closed by `)`.
    point: Option<Vec<f64>>,
    key: KeyType,
    /// The column that breaks ties.
    id: &'static str,
    is_descending: bool,
}

impl Keyset {
    /// A column in the direction that the page asks for, with the column of ids that breaks ties.
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

    /// The distance from a point, ascending: an index finds only the nearest. `expression` ends where the
    /// point's coordinates are bound: `location <-> cube(`.
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

    /// Whether it compares distances.
    #[must_use]
    pub fn is_distance(&self) -> bool {
        self.point.is_some()
    }

    /// The expression itself.
    pub fn push_expression(&self, query: &mut QueryBuilder<Postgres>) {
        query.push(self.expression);
        if let Some(point) = &self.point {
            query.push_bind(point.clone()).push(")");
        }
    }

    /// ` AND …`: only what comes after the page's cursor.
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

    /// ` ORDER BY …`: total, because the id breaks ties.
    pub fn push_order(&self, query: &mut QueryBuilder<Postgres>) {
        let direction = if self.is_descending { "DESC" } else { "ASC" };
        query.push(" ORDER BY ");
        self.push_expression(query);
        query.push(format!(" {direction}, {} {direction}", self.id));
    }

    /// The cursor, the order and the length of a page, if no other SQL comes between them.
    pub fn push_page(&self, query: &mut QueryBuilder<Postgres>, page: &Page) {
        self.push_after(query, page);
        self.push_order(query);
        push_length(query, page);
    }
}

/// ` LIMIT … OFFSET …`, with one row more than the page holds, which shows whether there is a next page. The limit is
/// written out, and an offset of 0 left out. If the limit were a parameter, PostgreSQL would assume that it reads a tenth
/// of the table. A plan for that many rows looks so costly that each page would be planned anew, which takes longer than
/// reading it.
fn push_length(query: &mut QueryBuilder<Postgres>, page: &Page) {
    query.push(format!(" LIMIT {}", page.fetch()));
    if page.skip > 0 {
        query.push(" OFFSET ").push_bind(i64::from(page.skip));
    }
}

/// ` AND …`: only rows whose column contains the page's keywords, if it has any, whatever the accents and the case
/// of both. An index of trigrams of the folded column serves it. Keywords are taken literally: they are escaped
/// after they are folded, because folding turns some characters into `%` or `_` (full-width ones).
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
