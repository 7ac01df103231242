//! Extracts place data from Google Maps links. Links have many undocumented forms.

use percent_encoding::percent_decode_str;

use super::{cell, entry::Position};

/// The name and the position in a link.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Link {
    /// Empty if the link has no name.
    pub(super) name: String,
    pub(super) position: Option<Position>,
}

/// Reads a link; missing parts remain empty.
pub(super) fn read(url: &str) -> Link {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let parts: Vec<&str> = address.split('/').collect();
    let after = |word: &str| {
        let at = parts.iter().position(|part| *part == word)?;
        parts.get(at + 1).map(|part| decoded(part))
    };
    let asked = form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == "q")
        .map(|(_, value)| value.into_owned());
    let searched = after("search").or(asked);
    let searched_at = searched.as_deref().and_then(pair);
    let name = after("place").or_else(|| searched.filter(|_| searched_at.is_none()));
    let name = name.filter(|name| pair(name).is_none()).unwrap_or_default();
    let position = marked(url)
        .or(searched_at)
        .or_else(|| centre(&parts))
        .or_else(|| feature(url));
    Link { name, position }
}

fn decoded(part: &str) -> String {
    let part = part.replace('+', " ");
    percent_decode_str(&part).decode_utf8_lossy().into_owned()
}

/// Parses a pair of coordinates: "43.65,-79.38".
fn pair(text: &str) -> Option<Position> {
    let (latitude, longitude) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse::<f64>().ok();
    Position::exact(number(latitude)?, number(longitude)?)
}

/// The position of the place in a link's data: `!3d43.65!4d-79.38`.
fn marked(url: &str) -> Option<Position> {
    let (_, rest) = url.split_once("!3d")?;
    let (latitude, rest) = rest.split_once("!4d")?;
    let longitude = rest.split(['!', '?', '&', '/']).next()?;
    Position::exact(latitude.parse().ok()?, longitude.parse().ok()?)
}

/// The centre of the linked map: `@43.65,-79.38,17z`.
fn centre(parts: &[&str]) -> Option<Position> {
    let at = parts.iter().find_map(|part| part.strip_prefix('@'))?;
    let mut numbers = at.splitn(3, ',');
    let (latitude, longitude) = (numbers.next()?, numbers.next()?);
    let position = Position::exact(latitude.parse().ok()?, longitude.parse().ok()?)?;
    Some(Position {
        is_approximate: true,
        ..position
    })
}

/// The position in a place id of Google Maps, `0x882b34d68bf33a9b:0x15edd8c4de1c7581`. The first half is a cell of the
/// Earth's surface, at or near the place.
fn feature(url: &str) -> Option<Position> {
    let (before, _) = url.split_once(":0x").or_else(|| url.split_once("%3A0x"))?;
    let (_, digits) = before.rsplit_once("0x")?;
    let id = u64::from_str_radix(digits, 16).ok()?;
    cell::position(id)
}
