//! `listings/{id}/inspections/`: the city's inspections of a food establishment.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::{self as proto, ListInspectionsRequest, ListInspectionsResponse, Severity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    words::{dates, numbers::grouped, sentences},
};

/// Query parameters of the list.
pub(super) const KNOWN: &[&str] = &["after", "limit", "offset", "ordering"];

/// Severity of an infraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InfractionSeverity {
    Minor,
    Significant,
    Crucial,
}

impl InfractionSeverity {
    /// The name for readers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Minor => "Minor",
            Self::Significant => "Significant",
            Self::Crucial => "Crucial",
        }
    }
}

/// An infraction found in an inspection.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Infraction {
    pub(crate) details: String,
    /// Null if not recorded.
    pub(crate) severity: Option<InfractionSeverity>,
    /// Action of the inspector, such as "Notice to Comply"; null if not recorded.
    pub(crate) action: Option<String>,
    /// In the city's currency; null if there was no fine.
    pub(crate) fine: Option<f64>,
    /// Court outcome, such as "Conviction - Fined"; null if there is none.
    pub(crate) court_outcome: Option<String>,
    /// `fine` as text, such as "$610" or "$180.50"; null if there was no fine.
    pub(crate) fine_text: Option<String>,
}

impl Infraction {
    /// Consequences of the infraction, for readers.
    pub(crate) fn notes(&self) -> Vec<&str> {
        let fine = self.fine_text.as_deref();
        let notes = [self.action.as_deref(), self.court_outcome.as_deref(), fine];
        notes.into_iter().flatten().collect()
    }
}

/// An inspection.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Inspection {
    pub(crate) id: i64,
    #[schema(format = Date)]
    pub(crate) date: String,
    /// `date` in words: "May 3, 2026".
    pub(crate) inspected_on: String,
    /// Outcome as in the city's register: "Pass", "Conditional Pass", "Closed".
    pub(crate) outcome: String,
    /// Whether the place passed without conditions.
    pub(crate) is_pass: bool,
    /// Infractions, most severe first.
    pub(crate) infractions: Vec<Infraction>,
}

/// The latest inspections of a place: the first page of its list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct LatestInspections {
    pub(crate) results: Vec<Inspection>,
    /// Total number of inspections of the place.
    pub(crate) count: i64,
    /// Address of the next page, to be used unchanged; null on the last page.
    #[schema(required = true)]
    pub(crate) next: Option<String>,
}

impl LatestInspections {
    /// Builds the first page from the inspections included with a place.
    pub(super) fn new(listing_id: i64, answer: ListInspectionsResponse) -> Self {
        let page = PageRequest {
            limit: chassis::paging::DEFAULT_LIMIT,
            ..PageRequest::default()
        };
        let found = answer.inspections.into_iter().map(inspection).collect();
        let params = Params::parse("");
        let Page {
            results,
            count,
            next,
            ..
        } = Page::new(found, answer.page, &page, &params, &path(listing_id));
        Self {
            results,
            count,
            next,
        }
    }
}

fn path(listing_id: i64) -> String {
    format!("/api/v2/listings/{listing_id}/inspections/")
}

fn inspection(inspection: proto::Inspection) -> Inspection {
    Inspection {
        id: inspection.id,
        inspected_on: dates::iso_day(&inspection.date),
        date: inspection.date,
        is_pass: inspection.outcome.eq_ignore_ascii_case("pass"),
        outcome: inspection.outcome,
        infractions: inspection.infractions.into_iter().map(infraction).collect(),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "fines stay far below 2^53 cents"
)]
fn infraction(infraction: proto::Infraction) -> Infraction {
    let said = |text: String| Some(text).filter(|text| !text.is_empty());
    Infraction {
        severity: match infraction.severity() {
            Severity::Unspecified => None,
            Severity::Minor => Some(InfractionSeverity::Minor),
            Severity::Significant => Some(InfractionSeverity::Significant),
            Severity::Crucial => Some(InfractionSeverity::Crucial),
        },
        details: sentences::calm(&infraction.details),
        action: said(infraction.action),
        court_outcome: said(infraction.court_outcome),
        fine: infraction.fine_cents.map(|cents| cents as f64 / 100.0),
        fine_text: infraction.fine_cents.map(dollars),
    }
}

fn dollars(cents: i64) -> String {
    let whole = grouped(cents / 100);
    match cents % 100 {
        0 => format!("${whole}"),
        rest => format!("${whole}.{rest:02}"),
    }
}

/// Inspections of a place, latest first; empty if its type is not inspected.
#[utoipa::path(get, path = "/api/v2/listings/{id}/inspections/", operation_id = "list_inspections",
    tag = "catalogue",
    params(("id" = i64, Path),
        ("ordering" = Option<String>, Query, pattern = "^(-?date)?$", description = "date; - descends."),
        PageParams),
    responses((status = 200, body = Page<Inspection>), (status = 304), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(&path(id), &params, &[Tag::Areas]);
    let key = key.tagged(Tag::Listing(id));
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            page(catalogue, id, params)
        })
        .await
}

async fn page(
    catalogue: Arc<Catalogue>,
    listing_id: i64,
    params: Params,
) -> Result<Content, ApiError> {
    let page = params.page()?;
    let request = catalogue.request(ListInspectionsRequest {
        listing_id,
        page: Some(page.clone()),
    });
    let mut inspections = catalogue.services.inspections();
    let answer = inspections.list_inspections(request).await?.into_inner();
    let results: Vec<_> = answer.inspections.into_iter().map(inspection).collect();
    let path = path(listing_id);
    Content::json(&Page::new(results, answer.page, &page, &params, &path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infraction_is_told_in_readable_words() {
        let shown = infraction(proto::Infraction {
            details: "FAIL TO CLEAN".to_owned(),
            severity: Severity::Crucial.into(),
            action: "Ticket".to_owned(),
            court_outcome: "Conviction - Fined".to_owned(),
            fine_cents: Some(125_050),
        });
        assert_eq!(shown.details, "Fail to clean");
        assert_eq!(shown.severity, Some(InfractionSeverity::Crucial));
        assert_eq!(shown.notes(), ["Ticket", "Conviction - Fined", "$1,250.50"]);
        let bare = infraction(proto::Infraction {
            fine_cents: Some(61_000),
            ..proto::Infraction::default()
        });
        assert_eq!((bare.severity, bare.notes()), (None, vec!["$610"]));
    }
}
