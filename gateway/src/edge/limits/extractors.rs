//! Extractors of handlers that count their calls.

use axum::extract::{FromRef, FromRequestParts};
use chassis::{
    error::{Code, Fault},
    origin::Origin,
};
use http::request::Parts;

use super::{buckets::Limits, callers::Client};
use crate::{
    edge::{
        error::ApiError,
        session::{Reader, Visitor},
    },
    services::Clients,
};

impl<S> FromRequestParts<S> for Client
where
    Limits: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let nobody = || Fault::new(Code::Internal, "a request without its peer's address").into();
        Self::if_known(parts, state).ok_or_else(nobody)
    }
}

/// A `GET` that is counted for its client, because every request costs a call of a service or of a store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedRead;

impl<S> FromRequestParts<S> for CountedRead
where
    Limits: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let client = Client::from_request_parts(parts, state).await?;
        client.count_read(&Limits::from_ref(state)).await?;
        Ok(Self)
    }
}

/// A signed-in reader who makes a write, which is counted for the account.
#[derive(Debug, Clone)]
pub(crate) struct Writer(pub(crate) Reader);

impl<S> FromRequestParts<S> for Writer
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let reader = Reader::from_request_parts(parts, state).await?;
        let client = Client::from_request_parts(parts, state).await?;
        client
            .count_write(&Limits::from_ref(state), Some(&reader))
            .await?;
        Ok(Self(reader))
    }
}

/// A signed-in reader who makes a write that changes how the account is accessed: it requires a fresh proof of identity.
#[derive(Debug, Clone)]
pub(crate) struct ProvenWriter(pub(crate) Reader);

impl<S> FromRequestParts<S> for ProvenWriter
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Writer(reader) = Writer::from_request_parts(parts, state).await?;
        reader.require_proof(&Clients::from_ref(state)).await?;
        Ok(Self(reader))
    }
}

/// A visitor who makes a write, which is counted for the account or for the guest's client.
#[derive(Debug, Clone)]
pub(crate) struct VisitingWriter(pub(crate) Visitor);

impl<S> FromRequestParts<S> for VisitingWriter
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, state).await?;
        let client = Client::from_request_parts(parts, state).await?;
        let reader = match &visitor {
            Visitor::Reader(reader) => Some(reader),
            Visitor::Guest => None,
        };
        client.count_write(&Limits::from_ref(state), reader).await?;
        Ok(Self(visitor))
    }
}

/// The sender of a request, signed in or not. A `GET` is counted as a computed response.
impl<S> FromRequestParts<S> for Visitor
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let (services, origin) = (Clients::from_ref(state), Origin::from_ref(state));
        let authenticated = Self::of(&services, &parts.headers, &origin);
        match Client::if_known(parts, state) {
            Some(client) if parts.method.is_safe() => {
                let limits = Limits::from_ref(state);
                client.count_read_of(&limits, authenticated).await
            }
            _ => authenticated.await,
        }
    }
}

/// A signed-in reader. A `GET` is counted as a computed response.
impl<S> FromRequestParts<S> for Reader
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Visitor::from_request_parts(parts, state).await? {
            Visitor::Reader(reader) => Ok(reader),
            Visitor::Guest => Err(ApiError::not_authenticated()),
        }
    }
}
