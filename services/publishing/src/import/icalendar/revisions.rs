//! Revisions of events: a file can contain several revisions of an event, in any order.

use std::{
    collections::HashMap,
    io::{BufRead, Seek},
};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sha2::{Digest as _, Sha256};

use super::{
    component::Component,
    event::{Calendar, Identity},
    pieces::pieces,
    times::{Moment, only},
};

/// The revision of an event (RFC 5546, 2.1.4). The current revision has the highest `SEQUENCE`, or the latest `DTSTAMP`
/// if these are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Revision {
    sequence: u32,
    stamp: Option<DateTime<Utc>>,
}

/// The current revision of each event in a file, by a digest of its source id.
#[derive(Debug, Default)]
pub(super) struct Revisions(HashMap<[u8; 16], Revision>);

impl Revisions {
    /// Reads a file for the first time and rewinds it.
    pub(super) fn read(file: &mut (impl BufRead + Seek), site: Tz) -> Result<Self, String> {
        let unreadable = |error| format!("it cannot be read: {error}");
        let begin = file.stream_position().map_err(unreadable)?;
        let mut read = Self::default();
        pieces(&mut *file, site, |component, calendar| {
            if let Some((key, revision)) = revision(component, calendar) {
                let current = read.0.entry(key).or_insert(revision);
                *current = revision.max(*current);
            }
            true
        })?;
        file.seek(std::io::SeekFrom::Start(begin))
            .map_err(unreadable)?;
        Ok(read)
    }

    /// Whether the file contains a later revision of an event.
    pub(super) fn supersede(&self, component: &Component, calendar: &Calendar) -> bool {
        revision(component, calendar).is_some_and(|(key, revision)| {
            let current = self.0.get(&key);
            current.is_some_and(|current| *current > revision)
        })
    }
}

fn revision(event: &Component, calendar: &Calendar) -> Option<([u8; 16], Revision)> {
    if event.fault.is_some() || event.name != "VEVENT" {
        return None;
    }
    let zones = &calendar.zones;
    let identity = Identity::read(event, zones).ok()?;
    let digest = Sha256::digest(identity.source_id);
    let stamp = event.get("DTSTAMP").and_then(|at| only(at, zones).ok());
    let revision = Revision {
        sequence: event.text("SEQUENCE").trim().parse().unwrap_or_default(),
        stamp: stamp.and_then(|at| match at {
            Moment::Time(time) => Some(time.instant()),
            Moment::Day(_) => None,
        }),
    };
    Some((digest.first_chunk().copied()?, revision))
}
