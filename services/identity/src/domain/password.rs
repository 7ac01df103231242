//! Passwords: the rule for new ones, and hashing that is bounded to the machine's cores.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock},
};

use argon2::{
    Argon2, PasswordVerifier,
    password_hash::{PasswordHasher as _, phc::PasswordHash},
};
use chassis::{
    entropy::{Entropy, secret_token},
    error::{Code, Fault},
};
use tokio::sync::Semaphore;

/// The 3,000 most common passwords, most common first; the list of the zxcvbn project (MIT licence).
const COMMON: &str = include_str!("common_passwords.txt");

static COMMON_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.lines().collect());

/// Checks a new password (HTTP API, `email-registration`); the messages are for the reader.
pub(super) fn check_new(password: &str, email: &str) -> Vec<String> {
    let length = password.chars().count();
    if length == 0 {
        return vec!["This field may not be blank.".to_owned()];
    }
    let mut errors = Vec::new();
    if length < 8 {
        errors
            .push("This password is too short. It must contain at least 8 characters.".to_owned());
    }
    if length > 128 {
        errors.push("Ensure this field has no more than 128 characters.".to_owned());
    }
    if COMMON_SET.contains(password.to_lowercase().as_str()) {
        errors.push("This password is too common.".to_owned());
    }
    if password.eq_ignore_ascii_case(email.trim()) {
        errors.push("The password must not be the email address.".to_owned());
    }
    errors
}

/// Hashes and verifies with Argon2id (19 MiB, two passes: OWASP's recommendation), never on more
/// threads than there are cores: a flood of sign-ins waits in line and leaves the rest unharmed.
#[derive(Clone)]
pub(crate) struct PasswordHasher {
    cores: Arc<Semaphore>,
    /// A hash that no password fits, for addresses without an account: the same work, the same time.
    nobody: Arc<str>,
}

impl PasswordHasher {
    pub(crate) fn new(entropy: &dyn Entropy) -> Result<Self, Fault> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let nobody = hash(secret_token(entropy).as_bytes(), &salt(entropy))?;
        Ok(Self {
            cores: Arc::new(Semaphore::new(cores)),
            nobody: nobody.into(),
        })
    }

    /// The PHC string of a password under a fresh salt.
    pub(crate) async fn hash(
        &self,
        password: &str,
        entropy: &dyn Entropy,
    ) -> Result<String, Fault> {
        let (password, salt) = (password.to_owned(), salt(entropy));
        self.bounded(move || hash(password.as_bytes(), &salt)).await
    }

    /// Whether a password fits. Without a stored hash it takes as long, and does not fit.
    pub(crate) async fn fits(&self, password: &str, stored: Option<&str>) -> Result<bool, Fault> {
        let (password, known) = (password.to_owned(), stored.is_some());
        let stored = stored.unwrap_or(&self.nobody).to_owned();
        let fits = self.bounded(move || {
            let hash = PasswordHash::new(&stored)
                .map_err(|error| Fault::new(Code::Internal, format!("a stored hash: {error}")))?;
            Ok(Argon2::default()
                .verify_password(password.as_bytes(), &hash)
                .is_ok())
        });
        Ok(fits.await? && known)
    }

    async fn bounded<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let ended = |what: &str| Fault::new(Code::Internal, format!("password hashing: {what}"));
        let _permit = self.cores.acquire().await.map_err(|_| ended("closed"))?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| ended("panicked"))?
    }
}

fn salt(entropy: &dyn Entropy) -> [u8; 16] {
    let mut salt = [0; 16];
    entropy.fill(&mut salt);
    salt
}

fn hash(password: &[u8], salt: &[u8]) -> Result<String, Fault> {
    Argon2::default()
        .hash_password_with_salt(password, salt)
        .map(|hash| hash.to_string())
        .map_err(|error| Fault::new(Code::Internal, format!("password hashing: {error}")))
}

#[cfg(test)]
mod tests {
    use chassis::entropy::OsEntropy;

    use super::*;

    #[test]
    fn new_passwords_keep_the_rules() {
        assert!(check_new("correct horse", "ada@example.com").is_empty());
        assert!(check_new(&"é".repeat(128), "ada@example.com").is_empty());
        for password in [
            "",
            "short77",
            "password",
            "PASSWORD",
            "Ada@example.com",
            &"a".repeat(129),
        ] {
            assert_eq!(
                check_new(password, "ada@example.com").len(),
                1,
                "{password}"
            );
        }
        assert_eq!(COMMON_SET.len(), 3000);
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_alone() {
        let hasher = PasswordHasher::new(&OsEntropy).expect("hashes");
        let stored = hasher
            .hash("correct horse", &OsEntropy)
            .await
            .expect("hashes");
        assert!(stored.starts_with("$argon2id$"), "{stored}");
        assert!(
            hasher
                .fits("correct horse", Some(&stored))
                .await
                .expect("answers")
        );
        assert!(
            !hasher
                .fits("Correct horse", Some(&stored))
                .await
                .expect("answers")
        );
        assert!(!hasher.fits("correct horse", None).await.expect("answers"));
    }
}
