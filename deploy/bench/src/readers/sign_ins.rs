//! Sign-ins with the right password, beside hashing alone.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use async_trait::async_trait;

use crate::{
    case::{Case, Sides},
    cpu,
    database::{CAST, Database},
    figures::{Figures, Measure, Target},
    load::{self, CONNECTIONS},
    plan::Plan,
};

/// The password of all acting readers.
const PASSWORD: &str = "correct horse battery";
/// Bytes of one hash.
const HASH: u64 = 19_456 << 10;
/// Passwords that may be at the threads or wait for them, for each thread.
const PLACES: usize = 17;
const MEASURES: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.7),
}];

struct SignIns {
    plan: Plan,
    requests: Vec<Vec<u8>>,
    threads: usize,
    hash: String,
}

/// Gives acting readers their password.
pub(super) async fn give_password(database: &mut Database) -> anyhow::Result<()> {
    database.give_password(&hash()?).await
}

pub(super) fn case(plan: &Plan, name: String) -> anyhow::Result<Case> {
    let requests = (1..=CAST).map(|reader| {
        let body = format!(r#"{{"email":"bench-{reader}@example.com","password":"{PASSWORD}"}}"#);
        load::request("POST", "/api/v2/profiles/email-login/", None, &body)
    });
    Ok(Case {
        name,
        measures: MEASURES,
        sides: Box::new(SignIns {
            plan: plan.clone(),
            requests: requests.collect(),
            threads: threads(&plan.checkout)?,
            hash: hash()?,
        }),
    })
}

/// With the parameters of the service, which are the library's own.
fn hash() -> anyhow::Result<String> {
    let hash = Argon2::default().hash_password_with_salt(PASSWORD.as_bytes(), &[7; 16]);
    let hash = hash.map_err(|error| anyhow!("hashing: {error}"))?;
    Ok(hash.to_string())
}

/// The threads that the service hashes on: as many as there are cores, within its settings.
fn threads(checkout: &Path) -> anyhow::Result<usize> {
    let settings = fs::read_to_string(checkout.join("deploy/server/defaults.toml"))?;
    let (_, passwords) = settings
        .split_once("[passwords]")
        .context("the settings have no passwords any more")?;
    let number = |name: &str| {
        let line = passwords.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.trim_start_matches(" = ").parse::<u64>().ok());
        number.with_context(|| format!("the settings of passwords have no {name} any more"))
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let wanted = match usize::try_from(number("max_threads")?)? {
        0 => cores,
        set => set,
    };
    let fit = usize::try_from(number("max_memory_bytes")? / HASH)?;
    Ok(wanted.min(fit).max(1))
}

/// Verifies one password again and again on one thread; returns how often.
fn verify_for(turn: Duration, hash: &str) -> anyhow::Result<u64> {
    let hash = PasswordHash::new(hash).map_err(|error| anyhow!("a hash: {error}"))?;
    let begun = Instant::now();
    let mut done = 0;
    while begun.elapsed() < turn {
        Argon2::default()
            .verify_password(PASSWORD.as_bytes(), &hash)
            .map_err(|error| anyhow!("verifying: {error}"))?;
        done += 1;
    }
    Ok(done)
}

#[async_trait]
impl Sides for SignIns {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let (site, turn) = (&self.plan.site, self.plan.turn());
        // More would find the queue full.
        let connections = CONNECTIONS.min(PLACES * self.threads);
        let (done, seconds) = load::read_on(connections, site, &self.requests, 200, turn).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        let me = std::process::id();
        let before = cpu::of_process(me);
        let begun = Instant::now();
        let threads = (0..self.threads).map(|_| {
            let (turn, hash) = (self.plan.turn(), self.hash.clone());
            tokio::task::spawn_blocking(move || verify_for(turn, &hash))
        });
        let mut done = 0;
        for thread in futures::future::join_all(threads).await {
            done += thread??;
        }
        let seconds = begun.elapsed().as_secs_f64();
        let used = cpu::since(&before, &cpu::of_process(me), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    fn reference_name(&self) -> String {
        format!("hashing alone on {} threads", self.threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_services_and_its_threads_are_known() {
        let hash = hash().expect("hashes");
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert!(threads(&checkout).expect("the settings say so") >= 1);
    }
}
