//! Mappings: TOML files in which a publisher describes the columns and properties of a file.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Source name of a content folder's places and neighbourhoods.
const CONTENT_FOLDER: &str = "content";
/// Maximum length of a source name.
const MAX_SOURCE: usize = 40;

/// The columns of a table of places.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacesMapping {
    /// Name of the source, the prefix of all source ids.
    pub(super) source: String,
    /// Field separator.
    #[serde(default = "comma")]
    pub(super) separator: char,
    pub(super) columns: PlaceColumns,
    /// Type slugs by value of the `type` column, ignoring case.
    #[serde(default)]
    types: BTreeMap<String, String>,
    /// Default type slug.
    default_type: Option<String>,
}

/// Column headings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceColumns {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) r#type: Option<String>,
    pub(super) sub_type: Option<String>,
    /// A column, or several columns whose texts are joined.
    #[serde(default)]
    pub(super) address: Headings,
    pub(super) phone: Option<String>,
    pub(super) website: Option<String>,
    pub(super) opening_hours: Option<String>,
    pub(super) latitude: Option<String>,
    pub(super) longitude: Option<String>,
    pub(super) wheelchair: Option<String>,
    pub(super) closed: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "OneOrSeveral")]
pub(super) struct Headings(pub(super) Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrSeveral {
    One(String),
    Several(Vec<String>),
}

impl From<OneOrSeveral> for Headings {
    fn from(headings: OneOrSeveral) -> Self {
        Self(match headings {
            OneOrSeveral::One(heading) => vec![heading],
            OneOrSeveral::Several(headings) => headings,
        })
    }
}

const fn comma() -> char {
    ','
}

impl PlacesMapping {
    /// Reads a mapping; the error describes a mistake.
    pub fn read(toml: &str) -> Result<Self, String> {
        let mut mapping: Self = toml::from_str(toml).map_err(|error| error.to_string())?;
        check_source(&mapping.source)?;
        if !mapping.separator.is_ascii() || mapping.separator == '"' {
            let separator = mapping.separator;
            return Err(format!("the separator {separator:?} cannot part fields"));
        }
        if mapping.columns.r#type.is_none() && mapping.default_type.is_none() {
            return Err("it says no type: expected columns.type or default_type".to_owned());
        }
        let types = mapping.types.into_iter();
        mapping.types = types
            .map(|(named, slug)| (named.to_lowercase(), slug))
            .collect();
        Ok(mapping)
    }

    /// Returns the type slug for a value in the table. An unmapped value without a default type is used as a slug.
    pub(super) fn type_slug(&self, named: &str) -> String {
        let known = self.types.get(&named.to_lowercase());
        let slug = known.or(self.default_type.as_ref());
        slug.cloned().unwrap_or_else(|| named.to_lowercase())
    }
}

/// Properties of features that contain the ids and names of neighbourhoods.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreasMapping {
    /// Name of the source, the prefix of all source ids.
    pub(super) source: String,
    pub(super) id: String,
    pub(super) name: String,
}

impl Default for AreasMapping {
    /// The mapping of Toronto's open data.
    fn default() -> Self {
        Self {
            source: "open-toronto".to_owned(),
            id: "AREA_ID".to_owned(),
            name: "AREA_NAME".to_owned(),
        }
    }
}

impl AreasMapping {
    /// Reads a mapping; the error describes a mistake.
    pub fn read(toml: &str) -> Result<Self, String> {
        let mapping: Self = toml::from_str(toml).map_err(|error| error.to_string())?;
        check_source(&mapping.source)?;
        Ok(mapping)
    }
}

fn check_source(source: &str) -> Result<(), String> {
    if source == CONTENT_FOLDER {
        return Err(format!(
            "the source {source:?} is the site's own content folder"
        ));
    }
    if source.len() <= MAX_SOURCE && chassis::slug::is_slug(source) {
        return Ok(());
    }
    Err(format!(
        "the source {source:?} is no slug of at most {MAX_SOURCE} letters"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_table_calls_a_type_becomes_its_slug() {
        let read = |rest: &str| {
            PlacesMapping::read(&format!(
                "\u{feff}source = \"bia\"\n{rest}[columns]\nname = \"Name\"\ntype = \"Kind\"\n[types]\n\"Wine Bar\" = \"bars\"\n"
            ))
            .expect("valid")
        };
        let mapping = read("# Saved on Windows\r\n");
        assert_eq!(mapping.type_slug("wine bar"), "bars");
        assert_eq!(mapping.type_slug("Cafes"), "cafes");
        let mapping = read("default_type = \"shops\"\n");
        assert_eq!(mapping.type_slug("Wine Bar"), "bars");
        assert_eq!(mapping.type_slug("Cafes"), "shops");
    }

    #[test]
    fn a_mapping_that_says_too_little_or_something_odd_is_refused() {
        let columns = "[columns]\nname = \"Name\"\n";
        for (toml, why) in [
            ("", "missing field `source`"),
            (&format!("source = \"bia\"\n{columns}"), "it says no type"),
            (
                &format!("source = \"content\"\ndefault_type = \"a\"\n{columns}"),
                "the site's own content folder",
            ),
            (
                &format!("source = \"B I A\"\ndefault_type = \"a\"\n{columns}"),
                "is no slug",
            ),
            (
                &format!("source = \"bia\"\nseparator = \"\\\"\"\ndefault_type = \"a\"\n{columns}"),
                "cannot part fields",
            ),
            (
                &format!("source = \"bia\"\ndefault_type = \"a\"\n{columns}fone = \"x\"\n"),
                "unknown field `fone`",
            ),
        ] {
            let said = PlacesMapping::read(toml).expect_err(why);
            assert!(said.contains(why), "{toml}: {said}");
        }
        for toml in ["source = \"x\"", "source = \"\"\nid = \"a\"\nname = \"b\""] {
            assert!(AreasMapping::read(toml).is_err(), "{toml}");
        }
    }
}
