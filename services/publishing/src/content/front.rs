//! The TOML header of an item's file.

use chrono_tz::Tz;
use editorial_proto::v1::import_item::Detail;
use serde::de::DeserializeOwned;
use toml::{Spanned, value::Datetime};

use super::document::Document;

/// Fields shared by the files of all kinds.
pub(super) struct Shared<'a> {
    pub(super) name: &'a str,
    pub(super) published: &'a Spanned<Datetime>,
    pub(super) unpublished: Option<&'a Spanned<Datetime>>,
    pub(super) excerpt: &'a str,
    pub(super) picture: Option<&'a Spanned<String>>,
    pub(super) authors: &'a [String],
    pub(super) tags: &'a [String],
    pub(super) is_age_restricted: bool,
    pub(super) is_draft: bool,
    pub(super) moved_from: &'a [String],
}

/// The TOML header of a kind.
pub(super) trait Front: DeserializeOwned {
    fn shared(&self) -> Shared<'_>;

    /// The place at which an event happens.
    fn place(&self) -> Option<&Spanned<String>>;

    /// Parses the fields specific to this kind; records mistakes.
    fn detail(
        &self,
        document: &Document<'_>,
        zone: Tz,
        mistakes: &mut Vec<String>,
    ) -> Option<Detail>;
}

/// Generates the struct of a kind's TOML with shared and specific fields. Serde's `flatten` cannot be combined with
/// rejecting unknown keys.
macro_rules! front {
    ($kind:ident { $($(#[$how:meta])* $field:ident: $type:ty),* $(,)? }, $detail:expr $(, $place:ident)?) => {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $kind {
            name: String,
            published: toml::Spanned<toml::value::Datetime>,
            unpublished: Option<toml::Spanned<toml::value::Datetime>>,
            #[serde(default)]
            excerpt: String,
            picture: Option<toml::Spanned<String>>,
            #[serde(default)]
            authors: Vec<String>,
            #[serde(default)]
            tags: Vec<String>,
            #[serde(default)]
            is_age_restricted: bool,
            #[serde(default)]
            is_draft: bool,
            #[serde(default)]
            moved_from: Vec<String>,
            $($(#[$how])* $field: $type),*
        }

        impl $crate::content::front::Front for $kind {
            fn shared(&self) -> $crate::content::front::Shared<'_> {
                $crate::content::front::Shared {
                    name: &self.name,
                    published: &self.published,
                    unpublished: self.unpublished.as_ref(),
                    excerpt: &self.excerpt,
                    picture: self.picture.as_ref(),
                    authors: &self.authors,
                    tags: &self.tags,
                    is_age_restricted: self.is_age_restricted,
                    is_draft: self.is_draft,
                    moved_from: &self.moved_from,
                }
            }

            fn place(&self) -> Option<&toml::Spanned<String>> {
                None$(.or(self.$place.as_ref()))?
            }

            fn detail(
                &self,
                document: &$crate::content::document::Document<'_>,
                zone: chrono_tz::Tz,
                mistakes: &mut Vec<String>,
            ) -> Option<editorial_proto::v1::import_item::Detail> {
                $detail(self, document, zone, mistakes)
            }
        }
    };
}
pub(super) use front;
