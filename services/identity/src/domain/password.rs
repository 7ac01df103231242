//! Passwords: the rules for new passwords, and hashing with bounded resources.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock},
};

use argon2::{
    Algorithm, Argon2, Params, PasswordVerifier, Version,
    password_hash::{PasswordHasher as _, phc::PasswordHash},
};
use chassis::{
    bulkhead::{Bulkhead, Place},
    computing::computed,
    entropy::{Entropy, secret_token},
    error::{Code, Fault},
};
use unicode_normalization::UnicodeNormalization;
use zxcvbn::{Score, zxcvbn};

use crate::settings::PasswordSettings;

/// The 3,000 most common passwords, most common first, from the zxcvbn project (MIT licence).
const COMMON: &str = include_str!("common_passwords.txt");

/// The minimum strength of a password, as estimated by zxcvbn: at least a million guesses, so that rate limits on
/// sign-ins protect it.
const WEAKEST: Score = Score::Two;

/// The number of leading characters that are estimated. The time grows faster than the square of their number, up to
/// seconds for the longest password, and further characters only make a password stronger.
const ESTIMATED: usize = 24;

static COMMON_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.lines().collect());

/// The normalised form of a password, which is hashed: devices encode the same letters differently (RFC 8265, section
/// 4.2, with NFKC).
fn normalised(password: &str) -> String {
    password.nfkc().collect()
}

/// Checks a new password of a reader with this email and name; the messages are for the reader.
pub(crate) fn check_new(password: &str, email: &str, full_name: &str) -> Vec<String> {
    let password = normalised(password);
    let password = password.as_str();
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
    if errors.is_empty() && is_easy_to_guess(password, email, full_name) {
        errors.push("This password is too easy to guess. Add a word or two.".to_owned());
    }
    errors
}

/// Whether zxcvbn rates a password below [`WEAKEST`]; words of the reader's email and name are treated as known.
fn is_easy_to_guess(password: &str, email: &str, full_name: &str) -> bool {
    let beginning: String = password.chars().take(ESTIMATED).collect();
    let words = [email, full_name].map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let known: Vec<&str> = words.into_iter().flatten().collect();
    zxcvbn(&beginning, &known).score() < WEAKEST
}

/// The maximum number of queued passwords per thread. A longer queue would outlast readers' patience and use capacity
/// that other calls need.
const LINE: usize = 16;

/// Hashes and verifies with Argon2id (19 MiB, two passes, as OWASP recommends), on no more threads than configured: a
/// flood of sign-ins is refused once a short queue is full, so that other calls are not affected.
#[derive(Clone)]
pub(crate) struct PasswordHasher {
    bulkhead: Bulkhead,
    /// A hash that no password matches, for addresses without an account, so that verification takes the same time. It
    /// was made from an unknown random secret.
    nobody: Arc<str>,
}

impl PasswordHasher {
    pub(crate) fn new(settings: &PasswordSettings, entropy: &dyn Entropy) -> Result<Self, Fault> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::on(settings.threads(cores), entropy)
    }

    fn on(threads: usize, entropy: &dyn Entropy) -> Result<Self, Fault> {
        let nobody = hash(secret_token(entropy).as_bytes(), &salt(entropy))?;
        Ok(Self {
            bulkhead: Bulkhead::new("passwords", threads, threads * LINE),
            nobody: nobody.into(),
        })
    }

    /// A hash that no password matches, for accounts without a password.
    pub(crate) fn nobody(&self) -> &str {
        &self.nobody
    }

    /// Reserves a place in the queue. [`Code::Unavailable`] if the queue is full.
    pub(crate) fn place(&self) -> Result<Place, Fault> {
        self.bulkhead.place()
    }

    /// Hashes a password with a new salt; returns the PHC string.
    pub(crate) async fn hash(
        &self,
        place: Place,
        password: &str,
        entropy: &dyn Entropy,
    ) -> Result<String, Fault> {
        let (password, salt) = (normalised(password), salt(entropy));
        self.bounded(place, move || hash(password.as_bytes(), &salt))
            .await
    }

    /// Whether a stored hash was made with outdated parameters and should be replaced.
    pub(crate) fn is_outdated(stored: &str) -> bool {
        let Ok(stored) = PasswordHash::new(stored) else {
            return false;
        };
        let costs = |of: &Params| (of.m_cost(), of.t_cost(), of.p_cost());
        let is_as_new = stored.algorithm.as_str() == Algorithm::default().as_str()
            && stored.version == Some(Version::default().into())
            && Params::try_from(&stored).is_ok_and(|of| costs(&of) == costs(&Params::DEFAULT));
        !is_as_new
    }

    /// Whether a password matches. Without a stored hash, the answer is no, after the same time.
    pub(crate) async fn fits(
        &self,
        place: Place,
        password: &str,
        stored: Option<&str>,
    ) -> Result<Fit, Fault> {
        let (written, known) = (password.to_owned(), stored.is_some());
        let stored = stored.unwrap_or(&self.nobody).to_owned();
        let fits = self.bounded(place, move || {
            let hash = PasswordHash::new(&stored)
                .map_err(|error| Fault::new(Code::Internal, format!("a stored hash: {error}")))?;
            let fits = |password: &str| {
                let verified = Argon2::default().verify_password(password.as_bytes(), &hash);
                verified.is_ok()
            };
            let normalised = normalised(&written);
            Ok(if fits(&normalised) {
                Fit::Normalised
            } else if normalised != written && fits(&written) {
                Fit::AsWritten
            } else {
                Fit::No
            })
        });
        let fit = fits.await?;
        Ok(if known { fit } else { Fit::No })
    }

    async fn bounded<T: Send + 'static>(
        &self,
        place: Place,
        work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let turn = place.turn().await?;
        computed("password hashing", move || {
            // The closure owns the turn and the place, because the work continues even if its caller stops waiting.
            let _held = (turn, place);
            work()
        })
        .await?
    }
}

/// Whether a password matches a stored hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    No,
    /// The hash was made from the password without normalisation, as in earlier versions, and should be replaced.
    AsWritten,
    Normalised,
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
        let faults = |password: &str| check_new(password, "ada@example.com", "Ada King").len();
        let of_kin = |name: &str| check_new("McGillicuddy1", "ada@example.com", name).len();
        assert_eq!((of_kin("Ada McGillicuddy"), of_kin("Ada King")), (1, 0));
        let letters: Vec<char> = ('!'..='~').chain('à'..='ý').collect();
        let long: String = (0..128).map(|n| letters[n * 37 % letters.len()]).collect();
        for password in ["correct horse", "tracks and wire", &long] {
            assert_eq!(faults(password), 0, "{password}");
        }
        for password in [
            "",
            "short77",
            "password",
            "PASSWORD",
            "Ada@example.com",
            &format!("{long}a"),
            // Not in the list of common passwords, but as easy to guess.
            "qwertyuiop12",
            "aaaaaaaaaaaaaaa",
        ] {
            assert_eq!(faults(password), 1, "{password}");
        }
        assert_eq!(COMMON_SET.len(), 3000);
    }

    #[tokio::test]
    async fn a_flood_is_told_to_come_back_instead_of_waiting_for_ever() {
        let hasher = PasswordHasher::on(1, &OsEntropy).expect("hashes");
        let try_one = async || hasher.fits(hasher.place()?, "wrong", None).await;
        let flood = (0..3 * LINE).map(|_| try_one());
        let (answered, refused): (Vec<_>, Vec<_>) = futures::future::join_all(flood)
            .await
            .into_iter()
            .partition(Result::is_ok);
        assert_eq!((answered.len(), refused.len()), (1 + LINE, 2 * LINE - 1));
        for fault in refused {
            assert_eq!(fault.expect_err("refused").code, Code::Unavailable);
        }
        try_one().await.expect("there is room again");
    }

    #[tokio::test]
    async fn a_password_fits_however_its_letters_are_composed() {
        const COMPOSED: &str = "ma\u{f1}ana ma\u{f1}ana";
        const DECOMPOSED: &str = "man\u{303}ana man\u{303}ana";
        let hasher = PasswordHasher::on(1, &OsEntropy).expect("hashes");
        let place = || hasher.place().expect("room");
        let stored = hasher.hash(place(), DECOMPOSED, &OsEntropy).await;
        let stored = stored.expect("hashes");
        // The hash as earlier versions stored it.
        let earlier = hash(DECOMPOSED.as_bytes(), &[7; 16]).expect("hashes");
        for (password, stored, expected) in [
            (COMPOSED, &stored, Fit::Normalised),
            (DECOMPOSED, &stored, Fit::Normalised),
            (DECOMPOSED, &earlier, Fit::AsWritten),
            (COMPOSED, &earlier, Fit::No),
        ] {
            let fits = hasher.fits(place(), password, Some(stored)).await;
            assert_eq!(fits.expect("answers"), expected, "{password}");
        }
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_alone() {
        let hasher = PasswordHasher::on(1, &OsEntropy).expect("hashes");
        let place = || hasher.place().expect("room");
        let stored = hasher.hash(place(), "correct horse", &OsEntropy).await;
        let stored = stored.expect("hashes");
        // The Helm chart's memory limits are derived from these 19 MiB (helm/tests/test_chart.py).
        assert!(
            stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{stored}"
        );
        for (password, stored, expected) in [
            ("correct horse", Some(stored.as_str()), Fit::Normalised),
            ("correct\u{a0}horse", Some(&stored), Fit::Normalised),
            ("Correct horse", Some(&stored), Fit::No),
            ("correct horse", None, Fit::No),
        ] {
            let fits = hasher.fits(place(), password, stored).await;
            assert_eq!(fits.expect("answers"), expected, "{password}");
        }
    }
}
