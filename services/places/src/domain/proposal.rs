//! Proposed objects of an import, validated one at a time; the error is the reason for a rejection.

use chassis::{
    slug,
    text::{line, optional_line},
};
use chrono::{DateTime, Utc};
use serde_json::Value;
use vocabulary::position::Coordinates;

use super::{
    boundary::Boundary, facts::Facts, hours::Hours, listing::SubType, paths::is_reserved,
    review::Review,
};

/// Maximum length of a neighbourhood's text, in bytes of HTML.
const MAX_INTRO: usize = 20_000;

/// The proposed state of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeProposal {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) name_singular: String,
    pub(crate) is_food: bool,
    pub(crate) is_age_restricted: bool,
}

impl TypeProposal {
    pub(crate) fn checked(self) -> Result<Self, String> {
        if !slug::is_slug(&self.slug) {
            return Err(format!("the type's slug {:?} is no slug", self.slug));
        }
        if is_reserved(&self.slug) {
            return Err(format!(
                "the slug {:?} belongs to the site itself",
                self.slug
            ));
        }
        let name = line("name", &self.name)?;
        let name_singular = line("name_singular", &self.name_singular)?;
        Ok(Self {
            name,
            name_singular,
            ..self
        })
    }
}

/// The proposed state of a neighbourhood.
#[derive(Debug, Clone)]
pub(crate) struct NeighbourhoodProposal {
    pub(crate) source_id: String,
    pub(crate) name: String,
    /// Requested slug; `None` to generate it from the name.
    pub(crate) slug: Option<String>,
    pub(crate) boundary: Value,
    /// Sanitised HTML; may be empty.
    pub(crate) intro_html: String,
}

impl NeighbourhoodProposal {
    pub(crate) fn checked(self) -> Result<Self, String> {
        let source_id = line("source id", &self.source_id)?;
        let name = line("name", &self.name)?;
        check_slug(self.slug.as_deref())?;
        Boundary::parse(&self.boundary)?;
        if self.intro_html.len() > MAX_INTRO {
            return Err(format!("the text is longer than {MAX_INTRO} bytes"));
        }
        Ok(Self {
            source_id,
            name,
            ..self
        })
    }
}

/// The proposed state of a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListingProposal {
    pub(crate) source_id: String,
    pub(crate) name: String,
    /// Requested slug; `None` to generate it from the name.
    pub(crate) slug: Option<String>,
    pub(crate) type_slug: String,
    pub(crate) sub_type: Option<SubType>,
    pub(crate) facts: Facts,
    pub(crate) coordinates: Option<Coordinates>,
    pub(crate) opening_hours: Option<Hours>,
    /// `None` for the time of the first import.
    pub(crate) date_published: Option<DateTime<Utc>>,
    pub(crate) review: Option<Review>,
}

impl ListingProposal {
    pub(crate) fn checked(self) -> Result<Self, String> {
        check_slug(self.slug.as_deref())?;
        if let Some(at) = self.coordinates {
            Coordinates::parse(at.latitude, at.longitude)?;
        }
        Ok(Self {
            source_id: line("source id", &self.source_id)?,
            name: line("name", &self.name)?,
            facts: self.facts.checked()?,
            ..self
        })
    }

    /// Returns the first slug to try: the requested slug, the name's slug or a default.
    pub(crate) fn base_slug(&self) -> String {
        let made = || {
            let slug = slug::from_name(&self.name);
            if slug.is_empty() {
                "place".to_owned()
            } else {
                slug
            }
        };
        self.slug.clone().unwrap_or_else(made)
    }
}

impl SubType {
    /// Creates a sub-type from its display name; `None` for an empty name.
    pub(crate) fn named(name: &str) -> Result<Option<Self>, String> {
        let Some(name) = optional_line("sub-type", Some(name))? else {
            return Ok(None);
        };
        let slug = slug::from_name(&name);
        if slug.is_empty() {
            return Err(format!(
                "the sub-type {name:?} has no letter to make a slug of"
            ));
        }
        Ok(Some(Self { slug, name }))
    }
}

fn check_slug(asked: Option<&str>) -> Result<(), String> {
    match asked {
        Some(slug) if !slug::is_slug(slug) => Err(format!("{slug:?} is no slug")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> ListingProposal {
        ListingProposal {
            source_id: "test:1".into(),
            name: "Pai".into(),
            slug: None,
            type_slug: "restaurants".into(),
            sub_type: None,
            facts: Facts::default(),
            coordinates: None,
            opening_hours: None,
            date_published: None,
            review: None,
        }
    }

    #[test]
    fn a_place_needs_a_name_that_prints_and_fits() {
        for name in ["", "  ", "a\u{0}b", "a\nb", &"x".repeat(256)] {
            assert!(
                ListingProposal {
                    name: name.into(),
                    ..place()
                }
                .checked()
                .is_err(),
                "{name:?}"
            );
        }
        let kept = ListingProposal {
            name: " Pai ".into(),
            facts: Facts {
                address: Some(" ".into()),
                ..Facts::default()
            },
            ..place()
        };
        let kept = kept.checked().expect("valid");
        assert_eq!((kept.name.as_str(), kept.facts.address), ("Pai", None));
    }

    #[test]
    fn positions_and_websites_are_checked() {
        let off = Coordinates {
            latitude: 43.6,
            longitude: f64::NAN,
        };
        assert!(
            ListingProposal {
                coordinates: Some(off),
                ..place()
            }
            .checked()
            .is_err()
        );
        let script = Facts {
            website: Some("javascript:alert(1)".to_owned()),
            ..Facts::default()
        };
        assert!(
            ListingProposal {
                facts: script,
                ..place()
            }
            .checked()
            .is_err()
        );
    }

    #[test]
    fn every_name_has_a_slug() {
        assert_eq!(
            ListingProposal {
                name: "#DESI".into(),
                ..place()
            }
            .base_slug(),
            "desi"
        );
        assert_eq!(
            ListingProposal {
                name: "!!!".into(),
                ..place()
            }
            .base_slug(),
            "place"
        );
    }

    #[test]
    fn the_sites_own_words_are_no_types() {
        let kind = |slug: &str| TypeProposal {
            slug: slug.into(),
            name: "News".into(),
            name_singular: "News".into(),
            is_food: false,
            is_age_restricted: false,
        };
        assert!(kind("news").checked().is_err());
        assert!(kind("News!").checked().is_err());
        assert!(kind("restaurants").checked().is_ok());
    }
}
