//! `profiles/passkeys/`: sign-in and sign-up with passkeys, and a reader's own passkeys.

use axum::{extract::State, response::Response};
use chassis::error::{Code, Fault};
use http::{HeaderMap, StatusCode};
use identity_proto::v1::{
    AddPasskeyRequest, BeginRegistrationRequest, BeginSignInRequest, ListPasskeysRequest,
    Passkey as PasskeyMessage, PasskeyAnswer, PasskeyRegisterRequest, PasskeySignInRequest,
    RemovePasskeyRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{PasswordlessSignIn, SignedIn, email_registration::reveals_no_account};
use crate::{
    edge::{
        answer::{Page, done, personal},
        body::{Body, required},
        browser::{self, Flow},
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{Client, ProvenWriter, REGISTRATION, SIGN_IN, TooMany, VisitingWriter},
        session::{self, Reader, Visitor},
    },
    state::AppState,
    v2::{intent::Intent, time},
};

/// Purpose of a ceremony.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CeremonyKind {
    /// To sign in or to confirm the reader's identity.
    SignIn,
    /// To add a passkey to the reader's account, or to create a guest's account.
    Registration,
}

/// The purpose of a ceremony, and the data for a new account.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Beginning {
    #[serde(default)]
    #[schema(required = true, value_type = CeremonyKind)]
    r#for: Option<CeremonyKind>,
    /// Required for a guest's new account: 1 to 255 characters.
    #[serde(default)]
    full_name: String,
    /// Required for a guest's new account.
    #[serde(default)]
    email: String,
}

/// Options of a ceremony.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ceremony {
    /// For `navigator.credentials.create` or `.get`: `{"publicKey": {…}}` in the JSON format of Web Authentication.
    #[schema(value_type = Object)]
    options: Value,
    /// To be sent by the same browser with its response, within five minutes.
    ceremony: String,
}

/// End of a ceremony.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Ending {
    #[serde(default)]
    #[schema(required = true, value_type = CeremonyKind)]
    r#for: Option<CeremonyKind>,
    #[serde(flatten)]
    answer: CeremonyAnswer,
    /// As at the start of the ceremony.
    #[serde(default)]
    full_name: String,
    /// As at the start of the ceremony.
    #[serde(default)]
    email: String,
    #[serde(flatten)]
    intent: Intent,
}

/// A browser's response in a ceremony.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CeremonyAnswer {
    /// The `ceremony` that was returned with the options.
    #[serde(default)]
    #[schema(required = true)]
    ceremony: String,
    /// The `PublicKeyCredential` in the JSON format of Web Authentication.
    #[serde(default)]
    #[schema(required = true, value_type = Object)]
    credential: Value,
}

impl CeremonyAnswer {
    pub(super) fn message(&self, browser: String) -> PasskeyAnswer {
        PasskeyAnswer {
            token: self.ceremony.clone(),
            credential: self.credential.to_string(),
            browser,
        }
    }
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Passkey {
    id: i64,
    /// The device on which the passkey was created: "Firefox on Linux".
    name: String,
    #[schema(format = DateTime)]
    date_created: Option<String>,
    /// Time of the last sign-in with the passkey; null if unused.
    #[schema(format = DateTime)]
    last_used: Option<String>,
}

/// Result of a registration: a guest's new session, or a reader's new passkey.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum Registered {
    Guest(SignedIn),
    Reader(Passkey),
}

/// Starts a ceremony. 404 if the site's address does not support passkeys. A reader's registration requires a fresh proof
/// of identity.
#[utoipa::path(post, path = "/api/v2/profiles/passkeys/options/", operation_id = "begin_passkey", tag = "profiles",
    request_body = Beginning,
    responses((status = 200, body = Ceremony), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn begin(
    State(state): State<AppState>,
    VisitingWriter(visitor): VisitingWriter,
    headers: HeaderMap,
    Body(body): Body<Beginning>,
) -> Result<Response, ApiError> {
    let secret = browser::secret_or_new(
        Flow::Passkey,
        &headers,
        &state.origin,
        state.entropy.as_ref(),
    );
    let call = visitor.call(&state.services);
    let mut passkeys = state.services.passkeys();
    let begun = match required("for", body.r#for)? {
        CeremonyKind::SignIn => {
            let browser = secret.clone();
            let request = call.request(BeginSignInRequest { browser });
            passkeys.begin_sign_in(request).await?
        }
        CeremonyKind::Registration => {
            if let Visitor::Reader(reader) = &visitor {
                reader.require_proof(&state.services).await?;
            }
            let request = call.request(BeginRegistrationRequest {
                full_name: body.full_name,
                email: body.email,
                browser: secret.clone(),
            });
            passkeys.begin_registration(request).await?
        }
    };
    let begun = begun.into_inner();
    let options = serde_json::from_str(&begun.options).map_err(|error| {
        let message = format!("the options of a passkey are no JSON: {error}");
        Fault::new(Code::Internal, message)
    })?;
    let ceremony = Ceremony {
        options,
        ceremony: begun.token,
    };
    let mut response = personal(StatusCode::OK, &ceremony);
    browser::set(Flow::Passkey, &mut response, &state.origin, &secret);
    Ok(response)
}

/// Completes a ceremony, once: signs in the passkey's owner, creates a guest's account and signs in to it, or adds a
/// passkey to the reader's account, which requires a fresh proof of identity. 404 if the site's address does not support
/// passkeys.
#[utoipa::path(post, path = "/api/v2/profiles/passkeys/", operation_id = "end_passkey", tag = "profiles",
    request_body = Ending,
    responses((status = 200, body = SignedIn), (status = 201, body = Registered), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn end(
    State(state): State<AppState>,
    VisitingWriter(visitor): VisitingWriter,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<Ending>,
) -> Result<Response, ApiError> {
    let signing_in = PasswordlessSignIn {
        state: &state,
        client: &client,
        headers: &headers,
    };
    let answer = body
        .answer
        .message(browser::secret(Flow::Passkey, &headers, &state.origin));
    match (required("for", body.r#for)?, visitor) {
        (CeremonyKind::SignIn, visitor) => {
            sign_in(&signing_in, &visitor, answer, &body.intent).await
        }
        (CeremonyKind::Registration, Visitor::Reader(reader)) => {
            reader.require_proof(&state.services).await?;
            add(&state, &reader, answer, &headers).await
        }
        (CeremonyKind::Registration, guest @ Visitor::Guest) => {
            let request = PasskeyRegisterRequest {
                answer: Some(answer),
                full_name: body.full_name,
                email: body.email,
                device: session::device(&headers),
            };
            register(&signing_in, &guest, request, &body.intent).await
        }
    }
}

async fn sign_in(
    signing_in: &PasswordlessSignIn<'_>,
    visitor: &Visitor,
    answer: PasskeyAnswer,
    intent: &Intent,
) -> Result<Response, ApiError> {
    let state = signing_in.state;
    signing_in.client.pass(&state.limits, SIGN_IN).await?;
    let request = PasskeySignInRequest {
        answer: Some(answer),
        device: session::device(signing_in.headers),
    };
    let request = visitor.call(&state.services).request(request);
    let answer = state.services.passkeys().sign_in(request).await?;
    let answer = answer.into_inner();
    let none = || Fault::new(Code::Internal, "a sign-in without a session");
    let started = answer.session.ok_or_else(none)?;
    let status = StatusCode::OK;
    Ok(signing_in
        .answer(status, &started, &answer.email, intent)
        .await)
}

async fn register(
    signing_in: &PasswordlessSignIn<'_>,
    guest: &Visitor,
    request: PasskeyRegisterRequest,
    intent: &Intent,
) -> Result<Response, ApiError> {
    let (state, client) = (signing_in.state, signing_in.client);
    let email = request.email.clone();
    let request = guest.call(&state.services).request(request);
    let registering = async { Ok(state.services.passkeys().register(request).await?) };
    let started = client
        .count_unless(&state.limits, REGISTRATION, reveals_no_account, registering)
        .await?;
    let (status, started) = (StatusCode::CREATED, started.into_inner());
    Ok(signing_in.answer(status, &started, &email, intent).await)
}

async fn add(
    state: &AppState,
    reader: &Reader,
    answer: PasskeyAnswer,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let request = reader.call.request(AddPasskeyRequest {
        answer: Some(answer),
        device: session::device(headers),
    });
    let added = state.services.passkeys().add_passkey(request).await?;
    Ok(personal(
        StatusCode::CREATED,
        &Passkey::from(added.into_inner()),
    ))
}

/// The reader's passkeys, at most 20, latest first. 404 if the site's address does not support passkeys.
#[utoipa::path(get, path = "/api/v2/profiles/me/passkeys/", operation_id = "list_passkeys", tag = "profiles",
    responses((status = 200, body = Page<Passkey>), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(ListPasskeysRequest {});
    let listed = state.services.passkeys().list_passkeys(request).await?;
    let passkeys = listed.into_inner().passkeys.into_iter();
    let page = Page::whole(passkeys.map(Passkey::from).collect());
    Ok(personal(StatusCode::OK, &page.at(state.clock.now())))
}

/// Deletes one of the reader's passkeys. 400 if it is the only way to sign in. Requires a fresh proof of identity.
#[utoipa::path(delete, path = "/api/v2/profiles/me/passkeys/{id}/", operation_id = "remove_passkey", tag = "profiles",
    params(("id" = i64, Path)),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn remove(
    State(state): State<AppState>,
    ProvenWriter(reader): ProvenWriter,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let request = reader.call.request(RemovePasskeyRequest { id });
    state.services.passkeys().remove_passkey(request).await?;
    Ok(done())
}

impl From<PasskeyMessage> for Passkey {
    fn from(message: PasskeyMessage) -> Self {
        Self {
            id: message.id,
            name: message.name,
            date_created: time::text(message.date_created.as_ref()),
            last_used: time::text(message.last_used.as_ref()),
        }
    }
}
