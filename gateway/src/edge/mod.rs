//! The conventions of `/api/v2`: errors, request ids, the cross-site rule, sessions, rate limits, query parameters,
//! bodies, pages of lists, public responses and redirects.

pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod browser;
pub(crate) mod client_address;
pub(crate) mod cross_site;
pub(crate) mod device;
pub(crate) mod error;
pub(crate) mod id;
pub(crate) mod idempotency;
pub(crate) mod limits;
pub(crate) mod of_age;
pub(crate) mod params;
pub(crate) mod public;
pub(crate) mod redirect;
pub(crate) mod replay;
pub(crate) mod request_scope;
pub(crate) mod security_headers;
pub(crate) mod session;
pub(crate) mod sign_in;
pub(crate) mod slashes;
pub(crate) mod upload;
