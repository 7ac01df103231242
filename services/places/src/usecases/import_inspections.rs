//! Imports the inspection register and links establishments to places.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chassis::{
    digest,
    error::Fault,
    intake::{Import, Intake, Kind, Origin, Outcome, Rejection},
};

use super::announce;
use crate::{
    context::Context,
    domain::{Basis, DecisionProposal, Doubt, InspectionRow, MatchPlace, Matcher},
    store::{
        inspection_rows::{self, Staged, Written},
        inspections, listings, match_places,
    },
};

/// Number of rows that are stored or read together.
const BATCH: usize = 500;
/// Number of rows that a statement groups into establishments and inspections.
const SPAN: i64 = 5_000;
/// Maximum number of rows of an inspection.
const MAX_ROWS: i64 = 200;

pub(crate) enum InspectionItem {
    Row(Box<InspectionRow>),
    Decision(DecisionProposal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InspectionItemKind {
    Decision,
    Row,
}

impl Kind for InspectionItemKind {
    fn plural(self) -> &'static str {
        match self {
            Self::Decision => "decisions",
            Self::Row => "rows",
        }
    }

    fn is_told_apart(self) -> bool {
        self == Self::Decision
    }
}

/// Match results of the stored establishments.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    pub(crate) by_id: u32,
    pub(crate) by_likeness: u32,
    pub(crate) decided: u32,
    pub(crate) doubtful: u32,
    pub(crate) unmatched: u32,
    /// First uncertain matches with their places.
    pub(crate) doubts: Vec<(Doubt, MatchPlace)>,
}

/// State of an import of inspections.
pub(crate) struct InspectionsIntake<'a> {
    context: &'a Context,
    matched: &'a mut Matched,
    /// Number of the import, after its first row.
    import: Option<i64>,
    /// Number of rows so far.
    number: i64,
    /// Rows still to be stored.
    pending: Vec<(Origin, Staged)>,
    /// Places with changed inspections.
    touched: BTreeSet<i64>,
}

#[async_trait]
impl Intake for InspectionsIntake<'_> {
    type Kind = InspectionItemKind;
    type Item = InspectionItem;

    // Places must not change while establishments are matched with them.
    const LOCK: &'static str = super::import::LOCK;

    async fn take(
        &mut self,
        import: &mut Import<InspectionItemKind>,
        origin: &Origin,
        item: InspectionItem,
    ) -> Result<Option<Outcome>, Rejection> {
        match item {
            InspectionItem::Decision(decision) => {
                let decision = decision.checked()?;
                let decided = inspections::decide(&mut import.transaction, &decision).await?;
                let missing = || format!("there is no place {}", decision.listing_source_id);
                Ok(Some(decided.ok_or_else(missing)?))
            }
            InspectionItem::Row(row) => {
                let row = row.checked()?;
                self.number += 1;
                let staged = Staged {
                    number: self.number,
                    position: origin.position.clone(),
                    digest: fingerprint(&row),
                    row,
                };
                self.pending.push((origin.clone(), staged));
                if self.pending.len() >= BATCH {
                    self.stage(import).await?;
                }
                Ok(None)
            }
        }
    }

    async fn flush(&mut self, import: &mut Import<InspectionItemKind>) -> Result<(), Fault> {
        self.stage(import).await?;
        let number = self.begun(import).await?;
        let transaction = &mut import.transaction;
        inspection_rows::analyze(transaction).await?;
        let mut last = String::new();
        while let Some(span) = inspection_rows::span(transaction, last, SPAN).await? {
            inspection_rows::find_faults(transaction, &span, MAX_ROWS).await?;
            inspection_rows::keep(transaction, &span, number).await?;
            last = span.up_to;
        }
        inspection_rows::analyze_kept(&mut import.transaction).await?;
        self.link(import, number).await?;
        let written = inspection_rows::places(&mut import.transaction, number).await?;
        self.touched.extend(written);
        report(import, number).await?;
        inspection_rows::clear(&mut import.transaction).await?;
        Ok(())
    }

    async fn conclude(self, import: &mut Import<InspectionItemKind>) -> Result<(), Fault> {
        let ids: Vec<i64> = self.touched.into_iter().collect();
        let places = listings::summaries_of(&mut import.transaction, &ids).await?;
        announce(self.context, &mut import.transaction, &places).await
    }
}

impl<'a> InspectionsIntake<'a> {
    /// Creates an intake that writes the match results to `matched`.
    pub(crate) fn new(context: &'a Context, matched: &'a mut Matched) -> Self {
        Self {
            context,
            matched,
            import: None,
            number: 0,
            pending: Vec::new(),
            touched: BTreeSet::new(),
        }
    }

    async fn begun(&mut self, import: &mut Import<InspectionItemKind>) -> Result<i64, Fault> {
        if let Some(number) = self.import {
            return Ok(number);
        }
        let number = inspection_rows::begin(&mut import.transaction).await?;
        self.import = Some(number);
        Ok(number)
    }

    /// Stores the pending rows. A repeated row has no effect.
    async fn stage(&mut self, import: &mut Import<InspectionItemKind>) -> Result<(), Fault> {
        self.begun(import).await?;
        let (origins, staged): (Vec<_>, Vec<_>) = self.pending.drain(..).unzip();
        if staged.is_empty() {
            return Ok(());
        }
        let repeated = inspection_rows::add(&mut import.transaction, &staged).await?;
        for (_, origin) in (0..repeated).zip(origins) {
            import.note(InspectionItemKind::Row, origin, Outcome::Unchanged);
        }
        Ok(())
    }

    /// Matches all stored establishments with the current places.
    async fn link(
        &mut self,
        import: &mut Import<InspectionItemKind>,
        number: i64,
    ) -> Result<(), Fault> {
        let transaction = &mut import.transaction;
        let places = match_places::all(&mut **transaction, true).await?;
        let decisions = inspections::decisions(transaction).await?;
        let mut matcher = Matcher::new(places, decisions);
        let mut last = String::new();
        loop {
            let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
            let found = inspections::establishments(transaction, &last, most).await?;
            let Some(end) = found.last() else { break };
            last.clone_from(&end.id);
            for establishment in found {
                matcher.add(establishment);
            }
        }
        let found = matcher.finish();
        let mut links = Vec::with_capacity(found.links.len());
        for (establishment_id, listing_id, basis) in found.links {
            match basis {
                Basis::Id => self.matched.by_id += 1,
                Basis::Match => self.matched.by_likeness += 1,
                Basis::Decision => self.matched.decided += 1,
            }
            links.push((establishment_id, listing_id));
        }
        self.matched.doubtful = found.doubtful;
        self.matched.unmatched = found.unmatched;
        let doubts = found.doubts.into_iter();
        let doubts = doubts.map(|doubt| {
            let place = matcher.place(doubt.place).clone();
            (doubt, place)
        });
        self.matched.doubts = doubts.collect();
        let touched = inspections::link(transaction, number, &links).await?;
        self.touched.extend(touched);
        Ok(())
    }
}

/// Returns a digest that is equal for rows with equal content. The fields are joined by line feeds, which they cannot
/// contain.
fn fingerprint(row: &InspectionRow) -> String {
    let InspectionRow {
        establishment_id,
        inspection_id,
        name,
        kind,
        address,
        coordinates,
        outcome,
        date,
        details,
        severity,
        action,
        court_outcome,
        fine_cents,
    } = row;
    let texts = [
        establishment_id,
        inspection_id,
        name,
        kind,
        address,
        outcome,
        details,
        action,
        court_outcome,
    ]
    .map(String::as_str)
    .join("\n");
    let content = format!("{texts}\n{coordinates:?}\n{date}\n{severity:?}\n{fine_cents:?}");
    digest::hex(content, 16)
}

/// Reports the outcome of each stored row.
async fn report(import: &mut Import<InspectionItemKind>, number: i64) -> Result<(), Fault> {
    let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
    let mut last = 0;
    loop {
        let rows = inspection_rows::written(&mut import.transaction, number, last, most).await?;
        let Some(end) = rows.last() else {
            return Ok(());
        };
        last = end.number;
        for row in rows {
            let outcome = outcome(&row);
            let origin = Origin::new(&row.position, &row.inspection_id);
            match row.fault {
                Some(reason) => import.refuse(InspectionItemKind::Row, origin, reason),
                None => import.note(InspectionItemKind::Row, origin, outcome),
            }
        }
    }
}

/// A row is new if its inspection is new, and changed if its inspection, its establishment or its establishment's place
/// has changed.
fn outcome(row: &Written) -> Outcome {
    if row.is_new {
        return Outcome::Created;
    }
    let parts = [
        (row.inspection_differs, "inspection"),
        (row.establishment_differs, "establishment"),
        (row.place_differs, "place"),
    ];
    let differing = parts.into_iter().filter(|(differs, _)| *differs);
    Outcome::of_difference(differing.map(|(_, part)| part).collect())
}
