//! `/profiles/oauth-callback`: Google redirects the reader's browser here with a code or an error.

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use chassis::error::{Code, Fault};
use http::header::CACHE_CONTROL;
use identity_proto::v1::CompleteAuthorizationRequest;

use crate::{
    edge::{
        answer::PRIVATE,
        error::ApiError,
        limits::VisitingWriter,
        params::Params,
        session::{Reader, Visitor},
    },
    services::Clients,
    state::AppState,
};

/// Spans and metrics use the route instead of the address, so that they do not contain the code.
const PATH: &str = "/profiles/oauth-callback";
/// Maximum length of state and code, in bytes; Google's codes have less than 256.
const MAX: usize = 2_000;

pub(crate) fn router() -> Router<AppState> {
    Router::new().route(PATH, get(callback))
}

/// Completes the authorisation that this session started and redirects to its page. Without such an authorisation, only
/// redirects to the front page.
async fn callback(
    State(services): State<Clients>,
    VisitingWriter(visitor): VisitingWriter,
    params: Params,
) -> Result<Response, ApiError> {
    let next = match visitor {
        Visitor::Reader(reader) => complete(&services, &reader, &params).await?,
        Visitor::Guest => None,
    };
    let mut response = Redirect::to(next.as_deref().unwrap_or("/")).into_response();
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    Ok(response)
}

/// Completes the authorisation and returns its page; `None` if this session has not started it.
async fn complete(
    services: &Clients,
    reader: &Reader,
    params: &Params,
) -> Result<Option<String>, ApiError> {
    let text = |name| Ok::<_, ApiError>(params.text(name)?.unwrap_or_default().to_owned());
    let (state, code, error) = (text("state")?, text("code")?, text("error")?);
    if state.len() > MAX || code.len() > MAX || error.len() > MAX {
        return Ok(None);
    }
    let request = reader.call.request(CompleteAuthorizationRequest {
        session_token: reader.secret.clone(),
        state,
        code,
        error,
    });
    match services.calendars().complete_authorization(request).await {
        Ok(completed) => Ok(Some(completed.into_inner().next)),
        Err(status) => match Fault::from(status) {
            fault if fault.code == Code::NotFound => Ok(None),
            fault => Err(fault.into()),
        },
    }
}
