//! Columns of `listings` that an import writes.

use chrono::{DateTime, NaiveDate, Utc};

use crate::domain::{Facts, with_facts};

macro_rules! with_columns {
    ($($fact:ident: $type:ty, $name:literal, $check:ident;)+) => {
        chassis::columns! {
            /// Columns of a place that an import writes.
            pub(super) struct Columns {
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
                review_line: Option<String>, "review";
                ..facts: Facts { $($fact: $type, $name;)+ }
            }
        }
    };
}
with_facts!(with_columns! {});
