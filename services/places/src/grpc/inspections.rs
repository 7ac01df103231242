//! gRPC methods for inspections.

use chassis::{
    call::Caller,
    intake::{Message, Origin, import},
};
use chrono::NaiveDate;
use places_proto::v1::{
    self as proto, ImportInspectionRow, ImportInspectionsRequest, ImportInspectionsResponse,
    ImportMatchDecision, ListInspectionsRequest, ListInspectionsResponse,
    import_inspections_request::Item as Sent, inspections_server::Inspections,
};
use tonic::{Request, Response, Status, Streaming, async_trait};
use vocabulary::position::Coordinates;

use super::{Api, answers};
use crate::{
    context::Context,
    domain::{DecisionProposal, Doubt, InspectionRow, MatchPlace, Severity},
    usecases::{
        import_inspections::{InspectionItem, InspectionItemKind, InspectionsIntake, Matched},
        list_inspections::list_inspections,
    },
};

#[async_trait]
impl Inspections for Api {
    async fn list_inspections(
        &self,
        request: Request<ListInspectionsRequest>,
    ) -> Result<Response<ListInspectionsResponse>, Status> {
        let ListInspectionsRequest { listing_id, page } = request.get_ref();
        let found = list_inspections(&self.context, *listing_id, page.as_ref()).await?;
        Ok(Response::new(answers::inspections(found)))
    }

    async fn import(
        &self,
        request: Request<Streaming<ImportInspectionsRequest>>,
    ) -> Result<Response<ImportInspectionsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let Context { pool, outbox, .. } = &self.background;
        let mut matched = Matched::default();
        let intake = InspectionsIntake::new(&self.background, &mut matched);
        let report = import(pool, outbox, intake, request.into_inner(), read).await?;
        Ok(Response::new(ImportInspectionsResponse {
            report: Some(report),
            establishments: Some(proto::EstablishmentCounts {
                by_id: matched.by_id,
                matched: matched.by_likeness,
                decided: matched.decided,
                doubtful: matched.doubtful,
                unmatched: matched.unmatched,
            }),
            doubtful: matched.doubts.into_iter().map(doubtful).collect(),
        }))
    }
}

fn doubtful((doubt, place): (Doubt, MatchPlace)) -> proto::DoubtfulMatch {
    proto::DoubtfulMatch {
        metres: doubt.whole_metres(),
        establishment_id: doubt.establishment.id,
        establishment_name: doubt.establishment.name,
        establishment_address: doubt.establishment.address,
        listing_source_id: place.source_id,
        listing_name: place.name,
        listing_address: place.address.unwrap_or_default(),
        reason: doubt.reason.to_owned(),
    }
}

fn read(message: ImportInspectionsRequest) -> Message<InspectionItemKind, InspectionItem> {
    let (kind, origin, item) = match message.item {
        Some(Sent::Finish(finish)) => return Message::Finish(finish),
        Some(Sent::Row(of)) => (
            InspectionItemKind::Row,
            Origin::new(&of.position, &of.inspection_id),
            row(of),
        ),
        Some(Sent::Decision(of)) => (
            InspectionItemKind::Decision,
            Origin::new(
                &of.position,
                &format!("{} {}", of.establishment_id, of.listing_source_id),
            ),
            Ok(decision(of)),
        ),
        None => (
            InspectionItemKind::Row,
            Origin::new("", ""),
            Err("the message holds no item".to_owned()),
        ),
    };
    Message::Item { kind, origin, item }
}

fn row(row: ImportInspectionRow) -> Result<InspectionItem, String> {
    let severity = match row.severity() {
        proto::Severity::Unspecified => Severity::Unknown,
        proto::Severity::Minor => Severity::Minor,
        proto::Severity::Significant => Severity::Significant,
        proto::Severity::Crucial => Severity::Crucial,
    };
    let date: Result<NaiveDate, _> = row.date.parse();
    Ok(InspectionItem::Row(Box::new(InspectionRow {
        date: date.map_err(|_| format!("the inspection date {:?} is no date", row.date))?,
        establishment_id: row.establishment_id,
        inspection_id: row.inspection_id,
        name: row.establishment_name,
        kind: row.establishment_type,
        address: row.address,
        coordinates: row
            .latitude
            .zip(row.longitude)
            .map(|(latitude, longitude)| Coordinates {
                latitude,
                longitude,
            }),
        outcome: row.outcome,
        details: row.details,
        severity,
        action: row.action,
        court_outcome: row.court_outcome,
        fine_cents: row.fine_cents,
    })))
}

fn decision(decision: ImportMatchDecision) -> InspectionItem {
    InspectionItem::Decision(DecisionProposal {
        establishment_id: decision.establishment_id,
        listing_source_id: decision.listing_source_id,
        is_same: decision.is_same,
    })
}
