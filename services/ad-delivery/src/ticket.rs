//! Tickets: a page receives a ticket with each creative and sends it back with each event. Tickets are signed and
//! expire. They identify an opportunity, which can be counted once, but do not identify a reader.

use chassis::keys::Keys;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::sealed;

/// How long events are accepted after the page was served.
const GOOD_FOR: TimeDelta = TimeDelta::hours(1);
/// The number of bytes before the position: the version, the opportunity, two ids and the time.
const FIXED: usize = 1 + 16 + 3 * 8;
/// The version of the ticket format.
const FORM: u8 = 1;
/// The maximum length of a slot's name, in bytes.
const MAX_POSITION: usize = 64;

/// An opportunity given to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The opportunity's id.
    pub opportunity: Uuid,
    /// The line item that was chosen.
    pub line_item_id: i64,
    /// The creative shown.
    pub creative_id: i64,
    /// When the page was served.
    pub served_at: DateTime<Utc>,
    /// The name of the slot.
    pub position: String,
}

/// The reason that a ticket is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invalid {
    /// The ticket was not signed by this site, or was changed.
    Forged,
    /// The ticket has expired.
    Expired,
}

/// Signs and verifies tickets.
#[derive(Debug, Clone)]
pub struct Tickets(Keys);

impl Tickets {
    /// Creates tickets with the system's keys.
    #[must_use]
    pub fn new(keys: &Keys) -> Self {
        Self(keys.derive("ad tickets"))
    }

    /// The signed text of a ticket.
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

    /// Verifies a ticket's text at an instant.
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
            // The last base64 character has unused bits, which must be zero.
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
