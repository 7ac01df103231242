//! Components of a file with their calendars.

use std::io::Read;

use chrono_tz::Tz;

use super::{
    component::{self, Component, Piece},
    event::Calendar,
};

/// Passes every component except time zones to `take`, with its calendar, until it returns false.
pub(super) fn pieces(
    file: impl Read,
    site: Tz,
    mut take: impl FnMut(&Component, &Calendar) -> bool,
) -> Result<(), String> {
    let mut calendar = Calendar::new(site);
    component::each(file, |piece| {
        match piece {
            Piece::Begin => calendar = Calendar::new(site),
            Piece::Property(property) => calendar.take(&property),
            Piece::Component(zone) if zone.name == "VTIMEZONE" => calendar.zones.take(&zone),
            Piece::Component(component) => return take(&component, &calendar),
        }
        true
    })
}
