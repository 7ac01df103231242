//! Limits failed sign-ins before a password is checked.

use std::time::Duration;

use axum::response::Response;
use chassis::email::Email;
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

/// Delay of every sign-in while failures over all accounts exceed their limit. This slows down attacks that try many
/// accounts from many addresses once each and reach no other limit.
const DELAY: Duration = Duration::from_secs(2);

/// Field of the identity service's error for a wrong email or password.
const WRONG_PAIR: &str = "non_field_errors";

/// Field of the identity service's error for a wrong current password.
const WRONG_OWN_PASSWORD: &str = "current_password";

/// Normalises an email like the identity service, which treats different spellings as the same account. Attempts are
/// counted whether or not the account exists, so that the count does not reveal it.
fn account(email: &str) -> String {
    Email::parse(email).map_or_else(|_| email.trim().to_lowercase(), |email| email.key())
}

/// The limits and known devices that sign-ins are checked against.
#[derive(Clone)]
pub(crate) struct SignInGuard {
    pub(crate) limits: Limits,
    pub(crate) devices: KnownDevices,
}

/// A sign-in attempt within the limits. It reserves the tokens that a failure costs, so that parallel attempts cannot
/// exceed a limit, and returns them if it does not fail.
pub(crate) struct Attempt {
    guard: SignInGuard,
    account: String,
    device: Option<String>,
    held: Vec<TakenToken>,
    client: Client,
}

impl Attempt {
    /// Begins an attempt, or responds 429 before a password is checked. Failures on a known device are counted for that
    /// device, so that strangers, even behind the same address, cannot lock out the device's reader.
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
        // Without an email there is no account to protect, and the identity service reports the missing field.
        if !attempt.account.is_empty()
            && let Err(error) = attempt.hold().await
        {
            attempt.give_back().await;
            return Err(error);
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

    /// Reserves the tokens of the limits shared by all clients, for an attempt on an unknown device.
    async fn hold_among_strangers(&mut self) -> Result<(), ApiError> {
        let limits = &self.guard.limits;
        let everywhere = limits
            .take(FAILED_SIGN_IN_EVERYWHERE, &[&self.account])
            .await?;
        self.require(&everywhere)?;
        self.held.push(everywhere);
        let overall = limits.take(FAILED_SIGN_IN_OVERALL, &[]).await?;
        if !overall.is_allowed() {
            tokio::time::sleep(DELAY).await;
        }
        self.held.push(overall);
        Ok(())
    }

    fn require(&self, token: &TakenToken) -> Result<(), ApiError> {
        token.require().inspect_err(|_| self.client.report(token))
    }

    /// Settles the attempt by the identity service's response. Only a wrong email or password counts as a failure, not
    /// an empty field or an unavailable service.
    pub(crate) async fn settle<T>(&self, answer: Result<T, Status>) -> Result<T, ApiError> {
        let answer = answer.map_err(ApiError::from);
        match &answer {
            // The number of other clients' attempts is private: a shared limit is not reported until it is exceeded.
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
    /// Lets a signed-in reader try the account's password as often as a sign-in may fail, so that the password cannot
    /// be guessed on an unlocked device.
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

    /// Makes the device known to an account after a sign-in without a password or after a registration.
    pub(crate) fn remember(&self, response: &mut Response, headers: &HeaderMap, email: &str) {
        let account = account(email);
        let known = self.devices.find(headers, &account);
        self.devices.remember(response, &account, known);
    }
}
