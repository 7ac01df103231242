//! Erasure and export of the data that a service stores about readers.

use chrono::{DateTime, Utc};
use cityguide_proto::readers::v1::{EraseRequest, ExportRequest, ExportResponse, Record};
use serde::Serialize;
use tonic::Request;
use uuid::Uuid;

use crate::{
    call::Caller,
    email::Email,
    error::{Code, Fault},
    instant,
};

/// The number of records on a page of an export.
const EXPORT_PAGE: usize = 1_000;
/// The number of rows to fetch for a page: the additional row shows whether another page follows.
pub const EXPORT_ROWS: i64 = 1_001;

/// The kind of [`crate::postgres::stamps`] in receipts and exports.
pub const LAST_UPDATES: &str = "last_updates";

/// The name of a kind of saved items in receipts and exports.
#[must_use]
pub fn kind_name(kind: &str) -> String {
    kind.replace('-', "_")
}

/// A request to erase a reader's data in a service.
#[derive(Debug, Clone)]
pub struct Erasure {
    /// The id under which deleted rows are counted.
    pub id: Uuid,
    /// The reader's profile.
    pub profile_id: i64,
    /// The account's address, if its owner has confirmed it.
    pub verified_email: Option<Email>,
    /// The account's address, confirmed or not: data stored under it may belong to another person.
    pub email: Option<Email>,
    /// When the reader requested the erasure.
    pub requested_at: DateTime<Utc>,
}

impl Erasure {
    /// Parses the request of a service's `Readers.Erase`, which only operators may make; [`Code::Invalid`] if a field
    /// is missing or invalid.
    pub fn of(request: &Request<EraseRequest>) -> Result<Self, Fault> {
        Caller::from_request(request).operator()?;
        let request = request.get_ref();
        let invalid = |what: &str| Fault::new(Code::Invalid, format!("an erasure without {what}"));
        let id = request.erasure_id.parse();
        let requested_at = request.requested.as_ref().and_then(instant::from_proto);
        Ok(Self {
            id: id.map_err(|_| invalid("its number"))?,
            profile_id: request.profile_id,
            verified_email: optional_email(&request.verified_email)?,
            email: optional_email(&request.email)?,
            requested_at: requested_at.ok_or_else(|| invalid("its instant"))?,
        })
    }
}

/// A request to export a reader's data from a service.
#[derive(Debug, Clone)]
pub struct Export {
    /// The reader's profile.
    pub profile_id: i64,
    /// The account's address, if its owner has confirmed it.
    pub verified_email: Option<Email>,
    /// The cursor returned with the previous page; empty for the first page.
    pub after: String,
}

impl Export {
    /// Parses the request of a service's `Readers.Export`; refuses guests.
    pub fn of(request: &Request<ExportRequest>) -> Result<Self, Fault> {
        let profile_id = Caller::from_request(request).reader()?;
        let ExportRequest {
            verified_email,
            after,
        } = request.get_ref();
        Ok(Self {
            profile_id,
            verified_email: optional_email(verified_email)?,
            after: after.clone(),
        })
    }

    /// The id of the last record on the previous page; 0 for the first page.
    pub fn after_id(&self) -> Result<i64, Fault> {
        if self.after.is_empty() {
            return Ok(0);
        }
        self.after.parse().map_err(|_| Self::wrong_page())
    }

    /// The error for an `after` that no page has returned.
    #[must_use]
    pub fn wrong_page() -> Fault {
        Fault::invalid_field("after", "Invalid cursor.")
    }
}

fn optional_email(email: &str) -> Result<Option<Email>, Fault> {
    if email.is_empty() {
        return Ok(None);
    }
    let email = Email::parse(email).map_err(|message| Fault::invalid_field("email", message))?;
    Ok(Some(email))
}

/// Implements the gRPC service `Readers` in a service's own package with its two use cases, for a type with a field
/// `context`. Every package has such a service because calls are routed by package.
#[macro_export]
macro_rules! readers_api {
    ($contract:ident, $api:ty, $erase:path, $export:path) => {
        #[::tonic::async_trait]
        impl ::$contract::v1::readers_server::Readers for $api {
            async fn erase(
                &self,
                request: ::tonic::Request<::cityguide_proto::readers::v1::EraseRequest>,
            ) -> Result<
                ::tonic::Response<::cityguide_proto::readers::v1::EraseResponse>,
                ::tonic::Status,
            > {
                let erasure = $crate::readers::Erasure::of(&request)?;
                Ok(::tonic::Response::new(
                    $erase(&self.context, &erasure).await?,
                ))
            }

            async fn export(
                &self,
                request: ::tonic::Request<::cityguide_proto::readers::v1::ExportRequest>,
            ) -> Result<
                ::tonic::Response<::cityguide_proto::readers::v1::ExportResponse>,
                ::tonic::Status,
            > {
                let export = $crate::readers::Export::of(&request)?;
                Ok(::tonic::Response::new(
                    $export(&self.context, &export).await?,
                ))
            }
        }
    };
}

/// A page made from at most [`EXPORT_ROWS`] rows; `cursor` returns the `after` of the page that follows a row.
pub fn export_page<T>(
    mut rows: Vec<T>,
    cursor: impl Fn(&T) -> String,
    record: impl FnMut(T) -> Result<Record, Fault>,
) -> Result<ExportResponse, Fault> {
    let has_more = rows.len() > EXPORT_PAGE;
    rows.truncate(EXPORT_PAGE);
    let next = rows.last().filter(|_| has_more).map(cursor);
    let records = rows.into_iter().map(record).collect::<Result<_, _>>()?;
    Ok(ExportResponse { records, next })
}

/// A record of an export.
pub fn record(kind: &str, content: &impl Serialize) -> Result<Record, Fault> {
    let json = serde_json::to_string(content).map_err(|error| {
        let message = format!("a record of {kind} cannot be written as JSON: {error}");
        Fault::new(Code::Internal, message)
    })?;
    Ok(Record {
        kind: kind.to_owned(),
        json,
    })
}

/// The exported form of a stamp.
#[derive(Debug, Serialize)]
struct LastUpdate {
    kind: String,
    at: String,
}

/// The export record of a stamp.
pub(crate) fn last_update(kind: &str, at: DateTime<Utc>) -> Result<Record, Fault> {
    let content = LastUpdate {
        kind: kind.to_owned(),
        at: instant::to_rfc3339(at),
    };
    record(LAST_UPDATES, &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rows: usize) -> ExportResponse {
        let rows: Vec<usize> = (1..=rows).collect();
        export_page(rows, usize::to_string, |row| record("things", &row)).expect("JSON")
    }

    #[test]
    fn a_page_names_the_next_one_only_if_there_is_more() {
        let (whole, cut) = (page(EXPORT_PAGE), page(EXPORT_PAGE + 1));
        assert_eq!((whole.records.len(), whole.next), (EXPORT_PAGE, None));
        let last = EXPORT_PAGE.to_string();
        assert_eq!((cut.records.len(), cut.next), (EXPORT_PAGE, Some(last)));
        assert_eq!(usize::try_from(EXPORT_ROWS), Ok(EXPORT_PAGE + 1));
    }
}
