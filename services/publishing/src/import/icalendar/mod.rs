//! Reads iCalendar files (RFC 5545) of Google, Outlook, Apple and `WordPress` plug-ins, one component at a time.

mod component;
mod event;
mod lines;
mod pieces;
mod recurrence;
mod revisions;
mod times;
mod values;
mod windows;
mod zones;

use std::io::{BufRead, Seek};

use chrono_tz::Tz;
use editorial_proto::v1::ImportItem;

use self::{component::Component, event::Calendar, pieces::pieces, revisions::Revisions};

/// Beginning of every calendar file.
const BEGIN: &[u8] = b"BEGIN:VCALENDAR";

/// Whether a file with this beginning is a calendar.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    head.get(..BEGIN.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(BEGIN))
}

/// Passes the current revision of every event with its position to `take` until it returns false; an invalid event is
/// passed with the reason. `site` is the zone of times without a time zone. An error contains the position at which the
/// file is broken.
pub(super) fn each(
    mut file: impl BufRead + Seek,
    site: Tz,
    mut take: impl FnMut(String, Result<ImportItem, String>) -> bool,
) -> Result<(), String> {
    let revisions = Revisions::read(&mut file, site)?;
    pieces(file, site, |component, calendar| {
        if revisions.supersede(component, calendar) {
            return true;
        }
        let position = format!("line {}", component.line);
        let item = proposal(&position, component, calendar);
        take(position, item)
    })
}

fn proposal(
    position: &str,
    component: &Component,
    calendar: &Calendar,
) -> Result<ImportItem, String> {
    if component.name != "VEVENT" {
        return Err(format!("it is no event, but {}", component.name));
    }
    match &component.fault {
        Some(fault) => Err(fault.clone()),
        None => event::proposal(position, component, calendar),
    }
}

#[cfg(test)]
mod tests;
