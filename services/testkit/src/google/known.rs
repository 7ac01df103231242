//! What Google knows: its client, the grants of its readers, and the events of a calendar.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;
use serde_json::Value;

use crate::oauth::{Grant, Parameters, back};

/// The client that it knows.
pub const CLIENT_ID: &str = "guide.apps.test";
/// The secret of that client.
pub const CLIENT_SECRET: &str = "a secret of the stand-in";

pub(super) const SCOPE: &str = "https://www.googleapis.com/auth/calendar.events";

/// What Google asks a site for, besides what every provider does.
pub(super) const EXPECTED: [(&str, &str); 4] = [
    ("client_id", CLIENT_ID),
    ("scope", SCOPE),
    ("access_type", "offline"),
    ("prompt", "consent"),
];

#[derive(Default)]
pub(super) struct Known {
    /// Numbers what it gives out.
    pub(super) given: u64,
    /// Codes, each with the scope that its reader consents to.
    pub(super) codes: HashMap<String, (Grant, String)>,
    pub(super) refresh_tokens: BTreeSet<String>,
    /// Access tokens, each with its refresh token.
    pub(super) access_tokens: HashMap<String, String>,
    pub(super) events: BTreeMap<String, Value>,
    /// The ids of events that were removed; Google does not give them again.
    pub(super) removed: BTreeSet<String>,
    /// Successful and refused writes.
    pub(super) writes: usize,
    pub(super) refreshes: usize,
    pub(super) revocations: usize,
    /// Its answer to everything, if it is out of order.
    pub(super) outage: Option<StatusCode>,
}

pub(super) type Shared = Arc<Mutex<Known>>;

pub(super) fn lock(known: &Shared) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// The reader consents to a scope: the address that Google sends the browser to.
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
