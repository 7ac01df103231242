//! Tickets: what a page is given with a creative, and sends back with each event. They are signed, expire, and name an
//! opportunity that can be counted once; they name no reader.

use chassis::keys::Keys;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::sealed;

/// How long after a page was answered its events are accepted.
const GOOD_FOR: TimeDelta = TimeDelta::hours(1);
/// Bytes of a ticket before the position: its form, the opportunity, two ids and an instant.
const FIXED: usize = 1 + 16 + 3 * 8;
/// The form of tickets.
const FORM: u8 = 1;
/// The longest name of a slot, in bytes.
const MAX_POSITION: usize = 64;

/// An opportunity that a page was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Its id.
    pub opportunity: Uuid,
    /// The line item that it was given to.
    pub line_item_id: i64,
    /// The creative that is shown.
    pub creative_id: i64,
    /// When.
    pub served_at: DateTime<Utc>,
    /// The slot.
    pub position: String,
}

/// Why a ticket is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invalid {
    /// It was not made by this site, or was changed.
    Forged,
    /// Its time is over.
    Expired,
}

/// Signs tickets and checks them.
#[derive(Debug, Clone)]
pub struct Tickets(Keys);

impl Tickets {
    /// Tickets under the system's keys.
    #[must_use]
    pub fn new(keys: &Keys) -> Self {
        Self(keys.derive("ad tickets"))
    }

    /// The text of a ticket.
    #[must_use]
    pub fn sign(&self, ticket: &Ticket) -> String {
        let mut bytes = Vec::with_capacity(FIXED + ticket.position.len());
        bytes.push(FORM);
        bytes.extend(ticket.opportunity.as_bytes());
        for number in [
            ticket.line_item_id,
            ticket.creative_id,
            ticket.served_at.timestamp_millis(),
        ] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend(ticket.position.as_bytes());
        sealed::seal(&self.0, bytes)
    }

    /// The ticket of a text at an instant.
    pub fn verify(&self, text: &str, now: DateTime<Utc>) -> Result<Ticket, Invalid> {
        let ticket = self.read(text).ok_or(Invalid::Forged)?;
        let age = now - ticket.served_at;
        if age > GOOD_FOR || age < -TimeDelta::minutes(1) {
            return Err(Invalid::Expired);
        }
        Ok(ticket)
    }

    fn read(&self, text: &str) -> Option<Ticket> {
        let bytes = sealed::open(&self.0, text, FIXED + MAX_POSITION)?;
        let (form, rest) = bytes.split_first()?;
        let (opportunity, rest) = rest.split_first_chunk::<16>()?;
        let (line_item, rest) = rest.split_first_chunk::<8>()?;
        let (creative, rest) = rest.split_first_chunk::<8>()?;
        let (at, position) = rest.split_first_chunk::<8>()?;
        (*form == FORM).then_some(())?;
        Some(Ticket {
            opportunity: Uuid::from_bytes(*opportunity),
            line_item_id: i64::from_be_bytes(*line_item),
            creative_id: i64::from_be_bytes(*creative),
            served_at: DateTime::from_timestamp_millis(i64::from_be_bytes(*at))?,
            position: String::from_utf8(position.to_vec()).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket() -> Ticket {
        Ticket {
            opportunity: Uuid::from_u128(7),
            line_item_id: 3,
            creative_id: i64::MAX,
            served_at: "2026-12-01T12:00:00.123Z".parse().expect("an instant"),
            position: "lead".to_owned(),
        }
    }

    fn tickets() -> Tickets {
        Tickets::new(&Keys::one(b"a secret of a test, long enough."))
    }

    #[test]
    fn a_ticket_is_read_as_it_was_signed_until_its_time_is_over() {
        let text = tickets().sign(&ticket());
        let after = |time| tickets().verify(&text, ticket().served_at + time);
        assert_eq!(after(TimeDelta::zero()), Ok(ticket()));
        assert_eq!(after(GOOD_FOR), Ok(ticket()));
        assert_eq!(
            after(GOOD_FOR + TimeDelta::seconds(1)),
            Err(Invalid::Expired)
        );
        assert_eq!(after(-TimeDelta::hours(1)), Err(Invalid::Expired));
    }

    #[test]
    fn whatever_is_changed_in_a_ticket_makes_it_a_forgery() {
        let text = tickets().sign(&ticket());
        let now = ticket().served_at;
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).expect("ASCII");
            // The last letter of base64 has bits that say nothing, and must be zero.
            assert_eq!(
                tickets().verify(&changed, now),
                Err(Invalid::Forged),
                "{at}"
            );
        }
        let other = Tickets::new(&Keys::one(b"a secret of another site, longer"));
        assert_eq!(other.verify(&text, now), Err(Invalid::Forged));
        for text in [
            "",
            ".",
            "a.b",
            &text[..text.len() - 1],
            &"a".repeat(1 << 20),
        ] {
            assert_eq!(tickets().verify(text, now), Err(Invalid::Forged));
        }
    }
}
