//! The closed set of error codes, and the only form in which a service's error is transmitted: a [`Fault`] is converted
//! without loss to and from a gRPC status with `google.rpc.ErrorInfo` and `BadRequest` details.

use tonic::{Code as GrpcCode, Status};
use tonic_types::{ErrorDetails, StatusExt};

const DOMAIN: &str = "cityguide";

/// The machine-readable code of an error. Each code maps to one gRPC code and one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The input breaks a rule; the fault lists the fields. HTTP 400.
    Invalid,
    /// No reader is signed in, the session has ended, or the account has been erased. HTTP 401.
    NotAuthenticated,
    /// The caller lacks permission. HTTP 403.
    Forbidden,
    /// The reader must sign in again first: the last proof of identity is too old. HTTP 403.
    FreshProofRequired,
    /// The object does not exist or belongs to another reader. HTTP 404.
    NotFound,
    /// The request conflicts with existing data. HTTP 409.
    Conflict,
    /// Too many requests; retry later. HTTP 429.
    RateLimited,
    /// A dependency is down or overloaded; retry later. HTTP 503.
    Unavailable,
    /// The work exceeded the caller's deadline. HTTP 503.
    DeadlineExceeded,
    /// A process rejected the caller token of another process: their keys differ, or a clock is wrong. This says
    /// nothing about the reader. HTTP 503.
    CallerRefused,
    /// An internal error. HTTP 500, with a constant body.
    Internal,
}

impl Code {
    const ALL: [Self; 11] = [
        Self::Invalid,
        Self::NotAuthenticated,
        Self::Forbidden,
        Self::FreshProofRequired,
        Self::NotFound,
        Self::Conflict,
        Self::RateLimited,
        Self::Unavailable,
        Self::DeadlineExceeded,
        Self::CallerRefused,
        Self::Internal,
    ];

    /// The code as written in API responses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotAuthenticated => "not_authenticated",
            Self::Forbidden => "forbidden",
            Self::FreshProofRequired => "fresh_proof_required",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::CallerRefused => "caller_refused",
            Self::Internal => "internal",
        }
    }

    /// Whether a server or process is unavailable or busy, so that a retry of the same work may succeed.
    #[must_use]
    pub const fn is_outage(self) -> bool {
        matches!(
            self,
            Self::RateLimited | Self::Unavailable | Self::DeadlineExceeded | Self::CallerRefused
        )
    }

    const fn grpc(self) -> GrpcCode {
        match self {
            Self::Invalid => GrpcCode::InvalidArgument,
            Self::NotAuthenticated => GrpcCode::Unauthenticated,
            Self::Forbidden | Self::FreshProofRequired => GrpcCode::PermissionDenied,
            Self::NotFound => GrpcCode::NotFound,
            Self::Conflict => GrpcCode::AlreadyExists,
            Self::RateLimited => GrpcCode::ResourceExhausted,
            // Not `Unauthenticated`, which means that the reader is not signed in.
            Self::Unavailable | Self::CallerRefused => GrpcCode::Unavailable,
            Self::DeadlineExceeded => GrpcCode::DeadlineExceeded,
            Self::Internal => GrpcCode::Internal,
        }
    }

    const fn of_grpc(code: GrpcCode) -> Self {
        match code {
            GrpcCode::InvalidArgument | GrpcCode::OutOfRange => Self::Invalid,
            GrpcCode::Unauthenticated => Self::NotAuthenticated,
            GrpcCode::PermissionDenied => Self::Forbidden,
            GrpcCode::NotFound => Self::NotFound,
            GrpcCode::AlreadyExists | GrpcCode::Aborted | GrpcCode::FailedPrecondition => {
                Self::Conflict
            }
            GrpcCode::ResourceExhausted => Self::RateLimited,
            GrpcCode::Unavailable => Self::Unavailable,
            // tonic returns Cancelled if a channel's own timeout expires.
            GrpcCode::DeadlineExceeded | GrpcCode::Cancelled => Self::DeadlineExceeded,
            _ => Self::Internal,
        }
    }
}

/// A message about an input field. `non_field_errors` is for rules that involve several fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name in the API.
    pub field: String,
    /// The message for the reader.
    pub message: String,
}

impl FieldError {
    /// Creates a message about a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

/// An error as returned by a service to its caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct Fault {
    /// The machine-readable code.
    pub code: Code,
    /// The human-readable message. For a [`Code::Internal`] fault, it is only logged.
    pub message: String,
    /// The invalid fields of the input.
    pub fields: Vec<FieldError>,
}

impl Fault {
    /// A fault without fields.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            fields: Vec::new(),
        }
    }

    /// A fault for input that breaks the rules named in `fields`.
    #[must_use]
    pub fn invalid(fields: Vec<FieldError>) -> Self {
        Self {
            code: Code::Invalid,
            message: "the input is not valid".to_owned(),
            fields,
        }
    }

    /// The fault for an object that does not exist, is not published, or belongs to another reader; the caller cannot
    /// distinguish these cases.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "Not found.")
    }

    /// The fault for a filter value that does not exist.
    pub fn unknown_choice(field: impl Into<String>, value: &str) -> Self {
        let message =
            format!("Select a valid choice. {value} is not one of the available choices.");
        Self::invalid_field(field, message)
    }

    /// The fault on one line, including its fields.
    #[must_use]
    pub fn line(&self) -> String {
        let fields = self.fields.iter();
        let fields: Vec<_> = fields
            .map(|error| format!("{}: {}", error.field, error.message))
            .collect();
        if fields.is_empty() {
            self.message.clone()
        } else {
            fields.join("; ")
        }
    }

    /// A fault for one field that breaks a rule.
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError::new(field, message)])
    }
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        let mut details =
            ErrorDetails::with_error_info(fault.code.as_str(), DOMAIN, [] as [(String, String); 0]);
        for FieldError { field, message } in fault.fields {
            details.add_bad_request_violation(field, message);
        }
        Self::with_error_details(fault.code.grpc(), fault.message, details)
    }
}

impl From<Status> for Fault {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let violations = details.bad_request().into_iter();
        let fields = violations
            .flat_map(|bad| &bad.field_violations)
            .map(|violation| FieldError::new(&violation.field, &violation.description))
            .collect();
        let reason = details.error_info().filter(|info| info.domain == DOMAIN);
        let code = reason.and_then(|info| {
            let mut codes = Code::ALL.into_iter();
            codes.find(|code| code.as_str() == info.reason)
        });
        Self {
            code: code.unwrap_or_else(|| Code::of_grpc(status.code())),
            message: status.message().to_owned(),
            fields,
        }
    }
}

/// Converts a database error. An unavailable database is not an internal error.
impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        if crate::postgres::is_of_erased_reader(&error) {
            return Self::new(Code::NotAuthenticated, "the account has been erased");
        }
        let code = if crate::postgres::is_outage(&error) {
            Code::Unavailable
        } else {
            Code::Internal
        };
        Self::new(code, format!("database: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_comes_out_of_its_status_as_it_went_in() {
        for code in Code::ALL {
            let fault = Fault {
                code,
                message: "why".to_owned(),
                fields: vec![
                    FieldError::new("email", "Enter a valid email address."),
                    FieldError::new("email", "Too long."),
                ],
            };
            assert_eq!(Fault::from(Status::from(fault.clone())), fault);
        }
    }
}
