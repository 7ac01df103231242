//! Limits failed sign-ins before any password is checked.

use std::time::Duration;

use axum::response::Response;
use http::HeaderMap;
use tonic::Status;

use super::{
    device::KnownDevices,
    error::ApiError,
    limits::{
        Client, FAILED_SIGN_IN, FAILED_SIGN_IN_EVERYWHERE, FAILED_SIGN_IN_OVERALL, Limits,
        TakenToken,
    },
    session::Reader,
};

/// The delay of a sign-in while more of them fail, over all accounts, than their limit allows: many addresses that try
/// many accounts once each meet no other limit.
const DELAY: Duration = Duration::from_secs(2);

/// The field under which identity reports that email and password do not match.
const WRONG_PAIR: &str = "non_field_errors";

/// The field under which identity reports that a reader's own password is another one.
const WRONG_OWN_PASSWORD: &str = "current_password";

/// The form of an email by which identity distinguishes accounts, the same for every spelling. Attempts are
/// counted whether or not the account exists, so that the count does not reveal it.
fn account(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The limits and the known devices that sign-ins are checked against.
#[derive(Clone)]
pub(crate) struct SignInGuard {
    pub(crate) limits: Limits,
    pub(crate) devices: KnownDevices,
}

/// A sign-in attempt within the limits. It holds the tokens that a failure costs, so that parallel
/// attempts cannot exceed a limit; an attempt that does not fail gives them back.
pub(crate) struct Attempt {
    guard: SignInGuard,
    account: String,
    device: Option<String>,
    held: Vec<TakenToken>,
    client: Client,
}

impl Attempt {
    /// Begins an attempt, or answers 429 before any password is checked. Failures of a known device are
    /// counted by device, so that strangers, even behind the same address, do not lock its reader out.
    pub(crate) async fn begin(
        guard: SignInGuard,
        client: Client,
        headers: &HeaderMap,
        email: &str,
    ) -> Result<Self, ApiError> {
        let account = account(email);
        let device = guard.devices.find(headers, &account);
        let mut attempt = Self {
            guard,
            account,
            device,
            held: Vec::new(),
            client,
        };
        // Without an email there is no account to guard, and identity reports what is missing.
        if !attempt.account.is_empty() {
            attempt.hold().await?;
        }
        Ok(attempt)
    }

    async fn hold(&mut self) -> Result<(), ApiError> {
        let (limits, account) = (&self.guard.limits, &self.account);
        let here = if let Some(device) = &self.device {
            let whose = [account.as_str(), "device", device];
            limits.take(FAILED_SIGN_IN, &whose).await?
        } else {
            let whose = [account.as_str(), "client"];
            let client = &self.client;
            limits
                .take_of_client(FAILED_SIGN_IN, &whose, &client.counted)
                .await?
        };
        self.require(&here)?;
        self.held.push(here);
        if self.device.is_none() {
            self.hold_among_strangers().await?;
        }
        Ok(())
    }

    /// Counts the attempt of a device that the account does not know, beside those of all others.
    async fn hold_among_strangers(&mut self) -> Result<(), ApiError> {
        let limits = &self.guard.limits;
        let everywhere = limits
            .take(FAILED_SIGN_IN_EVERYWHERE, &[&self.account])
            .await?;
        if let Err(refused) = self.require(&everywhere) {
            self.give_back().await;
            return Err(refused);
        }
        let overall = limits.take(FAILED_SIGN_IN_OVERALL, &[]).await?;
        self.held.push(everywhere);
        if !overall.is_allowed() {
            tokio::time::sleep(DELAY).await;
        }
        self.held.push(overall);
        Ok(())
    }

    fn require(&self, token: &TakenToken) -> Result<(), ApiError> {
        token.require().inspect_err(|_| self.client.report(token))
    }

    /// Settles the attempt by identity's answer. Only a wrong pair counts as a failure: an empty field or
    /// an unavailable service says nothing about a password.
    pub(crate) async fn settle<T>(&self, answer: Result<T, Status>) -> Result<T, ApiError> {
        let answer = answer.map_err(ApiError::from);
        match &answer {
            // The number of attempts that others have made is private: the limit that counts everywhere is
            // not reported until it refuses.
            Err(error) if error.is_about(WRONG_PAIR) => {
                if let Some(here) = self.held.first() {
                    self.client.report(here);
                }
            }
            _ => self.give_back().await,
        }
        answer
    }

    async fn give_back(&self) {
        for token in &self.held {
            self.guard.limits.give_back(token).await;
        }
    }

    /// Makes the device known to the account.
    pub(crate) fn remember(self, response: &mut Response) {
        let devices = &self.guard.devices;
        devices.remember(response, &self.account, self.device);
    }
}

impl SignInGuard {
    /// Lets a signed-in reader try the account's own password, as often as a sign-in may fail: who has found an open
    /// device must not find out the password there.
    pub(crate) async fn try_own_password<T>(
        &self,
        client: &Client,
        reader: &Reader,
        answer: impl Future<Output = Result<T, Status>>,
    ) -> Result<T, ApiError> {
        let account = reader.profile_id.to_string();
        let whose = ["own", account.as_str()];
        let token = self.limits.take(FAILED_SIGN_IN, &whose).await?;
        client.report(&token);
        token.require()?;
        let answer = answer.await.map_err(ApiError::from);
        if !matches!(&answer, Err(error) if error.is_about(WRONG_OWN_PASSWORD)) {
            self.limits.give_back(&token).await;
        }
        answer
    }

    /// Makes the device known to an account to which it has signed in without a password, or which it has just made.
    pub(crate) fn remember(&self, response: &mut Response, headers: &HeaderMap, email: &str) {
        let account = account(email);
        let known = self.devices.find(headers, &account);
        self.devices.remember(response, &account, known);
    }
}
