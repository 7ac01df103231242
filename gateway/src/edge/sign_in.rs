//! The guard before passwords: how often one may be wrong.

use axum::response::Response;
use http::HeaderMap;
use tonic::Status;

use super::{
    device,
    error::ApiError,
    limits::{Asked, Client, FAILED_SIGN_IN, FAILED_SIGN_IN_EVERYWHERE},
};
use crate::state::Edge;

/// How identity tells that the address and the password do not belong together.
const WRONG_PAIR: &str = "non_field_errors";

/// One form for every spelling of an address, as identity tells accounts apart. There need not be an
/// account: tries are counted alike, so the count tells nobody.
fn account_of(email: &str) -> String {
    email.trim().to_lowercase()
}

/// A try that was let through. It holds tokens of the failures that it may turn out to be, so that no
/// number of tries at the same time is more than is allowed; what did not fail gives them back.
#[derive(Debug)]
pub(crate) struct Attempt {
    account: String,
    device: Option<String>,
    held: Vec<Asked>,
    client: Client,
}

impl Attempt {
    /// Lets a try through, or answers 429 before any password is looked at. From a device that knows
    /// the account, failures are counted by device: what strangers do elsewhere, or behind the same
    /// address, does not keep its reader out.
    pub(crate) async fn begin(
        edge: &Edge,
        client: Client,
        headers: &HeaderMap,
        email: &str,
    ) -> Result<Self, ApiError> {
        let account = account_of(email);
        let device = device::known(edge, headers, &account);
        let mut attempt = Self {
            account,
            device,
            held: Vec::new(),
            client,
        };
        // Without an address there is no account to guard, and identity says what is missing.
        if !attempt.account.is_empty() {
            attempt.hold(edge).await?;
        }
        Ok(attempt)
    }

    async fn hold(&mut self, edge: &Edge) -> Result<(), ApiError> {
        let limits = &edge.limits;
        let (kind, whose) = match &self.device {
            Some(device) => ("device", device),
            None => ("client", &self.client.bucket),
        };
        let here = limits
            .take(FAILED_SIGN_IN, &[&self.account, kind, whose])
            .await?;
        self.require(&here)?;
        self.held.push(here);
        if self.device.is_none() {
            let everywhere = limits
                .take(FAILED_SIGN_IN_EVERYWHERE, &[&self.account])
                .await?;
            if let Err(refused) = self.require(&everywhere) {
                self.give_back(edge).await;
                return Err(refused);
            }
            self.held.push(everywhere);
        }
        Ok(())
    }

    fn require(&self, asked: &Asked) -> Result<(), ApiError> {
        asked.require().inspect_err(|_| self.client.tell(asked))
    }

    /// What identity answered. Only a wrong pair counts as a failure: a field left empty says nothing
    /// of a password, nor does an identity that is away.
    pub(crate) async fn settle<T>(
        &self,
        edge: &Edge,
        answer: Result<T, Status>,
    ) -> Result<T, ApiError> {
        let answer = answer.map_err(ApiError::from);
        match &answer {
            // How many tries others have made on the account is nobody's business: of what is
            // counted everywhere nothing is told until it refuses.
            Err(error) if error.is_about(WRONG_PAIR) => {
                if let Some(here) = self.held.first() {
                    self.client.tell(here);
                }
            }
            _ => self.give_back(edge).await,
        }
        answer
    }

    async fn give_back(&self, edge: &Edge) {
        for asked in &self.held {
            edge.limits.give_back(asked).await;
        }
    }

    /// Makes the device known to the account.
    pub(crate) fn remember(self, edge: &Edge, response: &mut Response) {
        device::remember(response, edge, &self.account, self.device);
    }
}

/// Makes the device known to an account that was just made.
pub(crate) fn remember_new(edge: &Edge, response: &mut Response, email: &str) {
    device::remember(response, edge, &account_of(email), None);
}
