//! State of the stand-in: its client, readers' grants and calendar events.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;
use serde_json::Value;

use crate::oauth::{Grant, Parameters, back};

/// Id of the registered client.
pub const CLIENT_ID: &str = "guide.apps.test";
/// Secret of the registered client.
pub const CLIENT_SECRET: &str = "a secret of the stand-in";

pub(super) const SCOPE: &str = "https://www.googleapis.com/auth/calendar.events";

/// Required parameters in addition to the parameters of every OAuth provider.
pub(super) const EXPECTED: [(&str, &str); 4] = [
    ("client_id", CLIENT_ID),
    ("scope", SCOPE),
    ("access_type", "offline"),
    ("prompt", "consent"),
];

#[derive(Default)]
pub(super) struct Known {
    /// Counter for generated codes and tokens.
    pub(super) given: u64,
    /// Codes with the scope that the reader has consented to.
    pub(super) codes: HashMap<String, (Grant, String)>,
    pub(super) refresh_tokens: BTreeSet<String>,
    /// Access tokens with their refresh tokens.
    pub(super) access_tokens: HashMap<String, String>,
    pub(super) events: BTreeMap<String, Value>,
    /// Ids of removed events, which Google does not reuse.
    pub(super) removed: BTreeSet<String>,
    /// Number of successful and refused writes.
    pub(super) writes: usize,
    pub(super) refreshes: usize,
    pub(super) revocations: usize,
    /// Status of all responses during an outage.
    pub(super) outage: Option<StatusCode>,
}

pub(super) type Shared = Arc<Mutex<Known>>;

pub(super) fn lock(known: &Shared) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// Consents to a scope; returns the address that Google redirects to.
    pub(super) fn consent(&mut self, parameters: &Parameters, scope: &str) -> String {
        self.given += 1;
        let code = format!("code-{}", self.given);
        let consent = (Grant::of(parameters), scope.to_owned());
        self.codes.insert(code.clone(), consent);
        back(parameters, "code", &code)
    }

    pub(super) fn revoke_everything(&mut self) {
        self.refresh_tokens.clear();
        self.access_tokens.clear();
    }
}
