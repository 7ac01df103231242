//! The columns of `listings` that an import writes, named once for every statement that reads or writes them.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{
    FromRow, Postgres, QueryBuilder, Row,
    postgres::{PgArguments, PgRow},
    query::QueryScalar,
};

use crate::domain::{Facts, with_facts};

/// A statement that returns a number.
type Scalar<'q> = QueryScalar<'q, Postgres, i64, PgArguments>;

/// Makes [`Columns`] of the columns named here, with their names for publishers, and of the facts of a place,
/// each of which is a column of its own.
macro_rules! columns {
    (
        { $($column:ident: $type:ty, $name:literal;)+ }
        $($fact:ident: $fact_type:ty, $fact_name:literal, $check:ident;)+
    ) => {
        /// A stored place, in the columns that an import writes.
        #[derive(FromRow)]
        pub(super) struct Columns {
            $(pub(super) $column: $type,)+
            #[sqlx(flatten)]
            pub(super) facts: Facts,
        }

        impl FromRow<'_, PgRow> for Facts {
            fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
                Ok(Self {
                    $($fact: row.try_get(stringify!($fact))?),+
                })
            }
        }

        impl Columns {
            const NAMES: &'static [&'static str] = &[$(stringify!($column),)+ $(stringify!($fact)),+];

            /// The fields that differ, by their names for publishers.
            pub(super) fn difference(&self, wanted: &Self) -> Vec<&'static str> {
                let fields = chassis::difference!(Columns, *self, wanted, {
                    $($column: $name,)+
                    facts: "facts",
                });
                let facts = chassis::difference!(Facts, self.facts, wanted.facts, {
                    $($fact: $fact_name),+
                });
                let own = fields.into_iter().filter(|field| *field != "facts");
                facts.into_iter().chain(own).collect()
            }

            /// Binds an array of each column's values in these rows.
            pub(super) fn bind_arrays(query: &mut QueryBuilder<Postgres>, rows: &[&Self]) {
                let mut arrays = query.separated(", ");
                $(
                    let array: Vec<_> = rows.iter().map(|row| &row.$column).collect();
                    arrays.push_bind(array);
                )+
                $(
                    let array: Vec<_> = rows.iter().map(|row| &row.facts.$fact).collect();
                    arrays.push_bind(array);
                )+
            }

            /// Binds each column's value.
            pub(super) fn bind_values<'q>(&'q self, query: Scalar<'q>) -> Scalar<'q> {
                $(let query = query.bind(&self.$column);)+
                $(let query = query.bind(&self.facts.$fact);)+
                query
            }
        }
    };
}

with_facts!(columns! {
    {
        type_id: i64, "type";
        slug: String, "slug";
        name: String, "name";
        sub_type_slug: Option<String>, "sub_type";
        sub_type_name: Option<String>, "sub_type";
        neighbourhood_id: Option<i64>, "neighbourhood";
        latitude: Option<f64>, "latitude";
        longitude: Option<f64>, "longitude";
        opening_hours: Option<String>, "opening_hours";
        date_published: DateTime<Utc>, "published";
        review_html: Option<String>, "review";
        review_author: Option<String>, "review_author";
        review_date: Option<NaiveDate>, "review_date";
    }
});

impl Columns {
    /// All columns, as the list of a statement; each name has this prefix.
    pub(super) fn list(prefix: &str) -> String {
        let names = Self::NAMES.iter().map(|name| format!("{prefix}{name}"));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Each with the number of its value among a statement's arguments, as the list of an UPDATE.
    pub(super) fn assigned(first: usize) -> String {
        let names = Self::NAMES.iter().zip(first..);
        let assigned = names.map(|(name, number)| format!("{name} = ${number}"));
        assigned.collect::<Vec<_>>().join(", ")
    }
}
