//! Signatures with a shared secret.

use chassis::error::Fault;
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::event::forged;

/// Maximum age of a report, and maximum time in the future, which limits replay attacks.
const FRESH: TimeDelta = TimeDelta::minutes(15);

fn mac(secret: &str, parts: &[&[u8]]) -> Result<Hmac<Sha256>, Fault> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    let mut mac = mac.map_err(|_| forged())?;
    for part in parts {
        mac.update(part);
    }
    Ok(mac)
}

pub(super) fn tag(secret: &str, parts: &[&[u8]]) -> Result<Vec<u8>, Fault> {
    Ok(mac(secret, parts)?.finalize().into_bytes().to_vec())
}

/// Compares signatures in constant time.
pub(super) fn verify(secret: &str, parts: &[&[u8]], signature: &str) -> Result<(), Fault> {
    let bytes = signature.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    let bytes: Option<Vec<u8>> = bytes.collect();
    let bytes = bytes.ok_or_else(forged)?;
    mac(secret, parts)?
        .verify_slice(&bytes)
        .map_err(|_| forged())
}

/// Checks that a time, in seconds since 1970, is recent.
pub(super) fn is_fresh(at: &str, now: DateTime<Utc>) -> Result<(), Fault> {
    let at = at
        .parse()
        .ok()
        .and_then(|at| DateTime::from_timestamp(at, 0));
    match at {
        Some(at) if (now - at).abs() <= FRESH => Ok(()),
        _ => Err(forged()),
    }
}
