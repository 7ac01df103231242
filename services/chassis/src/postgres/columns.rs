//! The columns that an import writes, each defined once for all statements that read or write it.

use sqlx::{Postgres, QueryBuilder, postgres::PgArguments};

/// A stored row with the columns that an import writes; defined by [`columns!`](crate::columns).
pub trait Columns: Sized {
    /// The columns, in the order in which their values are bound.
    const NAMES: &'static [&'static str];

    /// The fields that differ, by their names for publishers.
    fn difference(&self, wanted: &Self) -> Vec<&'static str>;

    /// Binds an array of each column's values in these rows, for `unnest`.
    fn bind_arrays(query: &mut QueryBuilder<Postgres>, rows: &[&Self]);

    /// The columns' values as the first arguments of a statement; [`sqlx::Error::Encode`] if a value cannot be encoded.
    fn arguments(&self) -> Result<PgArguments, sqlx::Error>;

    /// All columns as an SQL list, each prefixed with `prefix`.
    #[must_use]
    fn list(prefix: &str) -> String {
        listed(Self::NAMES.iter().map(|name| format!("{prefix}{name}")))
    }

    /// The placeholders of the columns, for the VALUES of an INSERT.
    #[must_use]
    fn placeholders() -> String {
        listed((1..=Self::NAMES.len()).map(placeholder))
    }

    /// Each column assigned to its placeholder, for the SET of an UPDATE.
    #[must_use]
    fn assigned() -> String {
        let names = Self::NAMES.iter().zip(1..);
        listed(names.map(|(name, number)| format!("{name} = {}", placeholder(number))))
    }

    /// The placeholders of the arguments bound after the columns.
    #[must_use]
    fn following<const N: usize>() -> [String; N] {
        std::array::from_fn(|at| placeholder(Self::NAMES.len() + 1 + at))
    }
}

fn placeholder(number: usize) -> String {
    format!("${number}")
}

fn listed(each: impl Iterator<Item = String>) -> String {
    each.collect::<Vec<_>>().join(", ")
}

/// Defines a struct with the columns of a table that an import writes, and implements
/// [`Columns`] for it. Each column is defined once, with its type and its name for
/// publishers, which several columns may share. A group of columns may be a field whose type is an existing struct.
#[macro_export]
macro_rules! columns {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $row:ident {
            $($column:ident: $type:ty, $name:literal;)+
            $(..$group:ident: $group_type:ident {
                $($field:ident: $field_type:ty, $field_name:literal;)+
            })?
        }
    ) => {
        $(#[$meta])*
        #[derive(::sqlx::FromRow)]
        $visibility struct $row {
            $($visibility $column: $type,)+
            $(#[sqlx(flatten)] $visibility $group: $group_type,)?
        }

        $(impl ::sqlx::FromRow<'_, ::sqlx::postgres::PgRow> for $group_type {
            fn from_row(row: &::sqlx::postgres::PgRow) -> Result<Self, ::sqlx::Error> {
                Ok(Self {
                    $($field: ::sqlx::Row::try_get::<$field_type, _>(row, stringify!($field))?),+
                })
            }
        })?

        impl $crate::postgres::Columns for $row {
            const NAMES: &'static [&'static str] =
                &[$(stringify!($column),)+ $($(stringify!($field),)+)?];

            fn difference(&self, wanted: &Self) -> Vec<&'static str> {
                let mut fields = Vec::new();
                $($(if self.$group.$field != wanted.$group.$field {
                    fields.push($field_name);
                })+)?
                $(if self.$column != wanted.$column && !fields.contains(&$name) {
                    fields.push($name);
                })+
                fields
            }

            fn bind_arrays(query: &mut ::sqlx::QueryBuilder<::sqlx::Postgres>, rows: &[&Self]) {
                let mut arrays = query.separated(", ");
                $(
                    let array: Vec<_> = rows.iter().map(|row| &row.$column).collect();
                    arrays.push_bind(array);
                )+
                $($(
                    let array: Vec<_> = rows.iter().map(|row| &row.$group.$field).collect();
                    arrays.push_bind(array);
                )+)?
            }

            fn arguments(&self) -> Result<::sqlx::postgres::PgArguments, ::sqlx::Error> {
                use ::sqlx::{Arguments as _, Error::Encode};
                let mut arguments = ::sqlx::postgres::PgArguments::default();
                $(arguments.add(&self.$column).map_err(Encode)?;)+
                $($(arguments.add(&self.$group.$field).map_err(Encode)?;)+)?
                Ok(arguments)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[derive(Clone)]
    struct Size {
        width: i32,
        height: i32,
    }

    crate::columns! {
        #[derive(Clone)]
        struct Picture {
            first_name: String, "artist";
            last_name: String, "artist";
            ..size: Size { width: i32, "width"; height: i32, "height"; }
        }
    }

    #[test]
    fn statements_name_each_column_once_in_the_order_of_its_argument() {
        assert_eq!(
            Picture::list("p."),
            "p.first_name, p.last_name, p.width, p.height"
        );
        assert_eq!(Picture::placeholders(), "$1, $2, $3, $4");
        assert_eq!(
            Picture::assigned(),
            "first_name = $1, last_name = $2, width = $3, height = $4"
        );
        assert_eq!(Picture::following(), ["$5", "$6"]);
    }

    #[test]
    fn a_difference_names_each_field_of_publishers_once() {
        let stored = Picture {
            first_name: "Tom".to_owned(),
            last_name: "Thomson".to_owned(),
            size: Size {
                width: 4,
                height: 3,
            },
        };
        assert!(stored.difference(&stored.clone()).is_empty());
        let mut wanted = stored.clone();
        wanted.size.height = 5;
        assert_eq!(stored.difference(&wanted), ["height"]);
        wanted.first_name = "Emily".to_owned();
        wanted.last_name = "Carr".to_owned();
        assert_eq!(stored.difference(&wanted), ["height", "artist"]);
    }
}
