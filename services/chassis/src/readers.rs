//! What a service keeps of readers, as it is erased and exported.

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

/// Records of one page of an export.
const EXPORT_PAGE: usize = 1_000;
/// Rows that a page is made of: one more tells whether another page follows.
pub const EXPORT_ROWS: i64 = 1_001;

/// The kind of [`crate::postgres::stamps`] in receipts and exports.
pub const LAST_UPDATES: &str = "last_updates";

/// The name of a kind of saved things in receipts and exports.
#[must_use]
pub fn kind_name(kind: &str) -> String {
    kind.replace('-', "_")
}

/// The erasure of what a service keeps of a reader.
#[derive(Debug, Clone)]
pub struct Erasure {
    /// Under which deleted rows are counted.
    pub id: Uuid,
    /// The reader.
    pub profile_id: i64,
    /// The account's address, if its owner has confirmed it.
    pub verified_email: Option<Email>,
    /// The account's address, whether or not it is confirmed: what is stored under it may be somebody else's.
    pub email: Option<Email>,
    /// When the reader export for it.
    pub requested_at: DateTime<Utc>,
}

impl Erasure {
    /// Reads the request of a service's `Readers.Erase`, which operators alone may make; [`Code::Invalid`] if it lacks
    /// something.
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

/// A reader's export of what a service keeps.
#[derive(Debug, Clone)]
pub struct Export {
    /// The reader.
    pub profile_id: i64,
    /// The account's address, if its owner has confirmed it.
    pub verified_email: Option<Email>,
    /// Where the page before has ended; empty for the first.
    pub after: String,
}

impl Export {
    /// Reads the request of a service's `Readers.Export`; refuses guests.
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

    /// The id of the record with which the page before has ended; 0 for the first page.
    pub fn after_id(&self) -> Result<i64, Fault> {
        if self.after.is_empty() {
            return Ok(0);
        }
        self.after.parse().map_err(|_| Self::wrong_page())
    }

    /// The error of a request whose `after` no page has named.
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

/// Implements the gRPC service `Readers` of a service's own package by its two use cases, for a type with the field
/// `context`. Every package has such a service because calls find their process by the package.
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

/// A page of at most [`EXPORT_ROWS`] rows; `cursor` makes the `after` of the next page of a row.
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

/// When a kind of things last changed, as it is exported.
#[derive(Debug, Serialize)]
struct LastUpdate {
    kind: String,
    at: String,
}

/// The record of a stamp.
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
