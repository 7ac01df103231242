//! The city's inspections of food establishments, and the rows of its register.

use chassis::text::{line, optional_line};
use chrono::{Datelike as _, NaiveDate};
use serde::{Deserialize, Serialize};
use vocabulary::position::Coordinates;

/// Maximum length of an infraction's description, in characters.
const MAX_DETAILS: usize = 2_000;
/// Valid years of inspections.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "i16", try_from = "i16")]
pub(crate) enum Severity {
    /// Not recorded or not applicable.
    Unknown,
    Minor,
    Significant,
    Crucial,
}

impl From<Severity> for i16 {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Unknown => 0,
            Severity::Minor => 1,
            Severity::Significant => 2,
            Severity::Crucial => 3,
        }
    }
}

impl TryFrom<i16> for Severity {
    type Error = String;

    fn try_from(number: i16) -> Result<Self, Self::Error> {
        match number {
            0 => Ok(Self::Unknown),
            1 => Ok(Self::Minor),
            2 => Ok(Self::Significant),
            3 => Ok(Self::Crucial),
            unknown => Err(format!("{unknown} is not the number of a severity")),
        }
    }
}

/// An infraction found in an inspection.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Infraction {
    pub(crate) details: String,
    pub(crate) severity: Severity,
    /// Action of the inspector, as in the register; may be empty.
    pub(crate) action: String,
    /// Court outcome, as in the register; may be empty.
    pub(crate) court_outcome: String,
    /// Fine in hundredths of the city's currency.
    pub(crate) fine_cents: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inspection {
    pub(crate) id: i64,
    pub(crate) date: NaiveDate,
    /// Outcome, as in the register: "Pass".
    pub(crate) outcome: String,
    /// Infractions, most severe first.
    pub(crate) infractions: Vec<Infraction>,
}

/// A row of the register: an infraction, or an inspection without infractions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InspectionRow {
    pub(crate) establishment_id: String,
    pub(crate) inspection_id: String,
    pub(crate) name: String,
    /// Type of the establishment, as in the register.
    pub(crate) kind: String,
    /// The address; may be empty.
    pub(crate) address: String,
    pub(crate) coordinates: Option<Coordinates>,
    pub(crate) outcome: String,
    pub(crate) date: NaiveDate,
    /// Description of the infraction; empty if there was none.
    pub(crate) details: String,
    pub(crate) severity: Severity,
    pub(crate) action: String,
    pub(crate) court_outcome: String,
    pub(crate) fine_cents: Option<i64>,
}

impl InspectionRow {
    pub(crate) fn checked(self) -> Result<Self, String> {
        if !YEARS.contains(&self.date.year()) {
            return Err(format!("the inspection date {} is not credible", self.date));
        }
        if let Some(at) = self.coordinates {
            Coordinates::parse(at.latitude, at.longitude)?;
        }
        if self.fine_cents.is_some_and(|fine| fine < 0) {
            return Err("the fine is below zero".to_owned());
        }
        let optional = |what: &str, text: &str| {
            let text = optional_line(what, Some(text))?;
            Ok::<_, String>(text.unwrap_or_default())
        };
        Ok(Self {
            establishment_id: line("establishment id", &self.establishment_id)?,
            inspection_id: line("inspection id", &self.inspection_id)?,
            name: line("establishment name", &self.name)?,
            kind: optional("establishment type", &self.kind)?,
            address: optional("establishment address", &self.address)?,
            outcome: line("establishment status", &self.outcome)?,
            details: details(&self.details)?,
            action: optional("action", &self.action)?,
            court_outcome: optional("outcome", &self.court_outcome)?,
            ..self
        })
    }
}

/// Normalises an infraction's description to a single line.
fn details(text: &str) -> Result<String, String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().any(char::is_control) {
        return Err("the infraction details have control characters".to_owned());
    }
    if text.chars().count() > MAX_DETAILS {
        return Err(format!(
            "the infraction details are longer than {MAX_DETAILS} characters"
        ));
    }
    Ok(text)
}

/// A person's decision whether an establishment and a place are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DecisionProposal {
    pub(crate) establishment_id: String,
    pub(crate) listing_source_id: String,
    pub(crate) is_same: bool,
}

impl DecisionProposal {
    pub(crate) fn checked(self) -> Result<Self, String> {
        Ok(Self {
            establishment_id: line("establishment id", &self.establishment_id)?,
            listing_source_id: line("place", &self.listing_source_id)?,
            ..self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> InspectionRow {
        InspectionRow {
            establishment_id: "1".into(),
            inspection_id: "2".into(),
            name: "PAI".into(),
            kind: "Restaurant".into(),
            address: "18 DUNCAN ST".into(),
            coordinates: None,
            outcome: "Pass".into(),
            date: NaiveDate::from_ymd_opt(2020, 2, 14).expect("a day"),
            details: "  Fail to\n clean ".into(),
            severity: Severity::Minor,
            action: String::new(),
            court_outcome: String::new(),
            fine_cents: None,
        }
    }

    #[test]
    fn a_row_is_checked_field_by_field() {
        assert_eq!(row().checked().expect("valid").details, "Fail to clean");
        let nul = InspectionRow {
            details: "a\u{0}b".into(),
            ..row()
        };
        let long = InspectionRow {
            details: "x".repeat(MAX_DETAILS + 1),
            ..row()
        };
        let nameless = InspectionRow {
            name: " ".into(),
            ..row()
        };
        let off = InspectionRow {
            coordinates: Some(Coordinates {
                latitude: 943.0,
                longitude: 0.0,
            }),
            ..row()
        };
        let negative = InspectionRow {
            fine_cents: Some(-1),
            ..row()
        };
        for odd in [nul, long, nameless, off, negative] {
            assert!(odd.clone().checked().is_err(), "{odd:?}");
        }
    }
}
