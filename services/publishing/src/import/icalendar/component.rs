//! Reads the components of calendars one at a time: an event, a time zone or another component.

use std::io::Read;

use super::lines::{Line, Lines, Property};

/// Maximum nesting depth of components; RFC 5545 needs three.
const MAX_DEPTH: usize = 8;
/// Maximum number of stored properties of a component.
const MAX_PROPERTIES: usize = 4_000;
/// Maximum stored bytes of a component.
const MAX_BYTES: usize = 1 << 20;
/// Maximum number of parts of a time zone.
const MAX_PARTS: usize = 200;
/// Maximum number of components in a file.
const MAX_COMPONENTS: usize = 1_000_000;

/// Stored properties; all others are ignored.
const KEPT: [&str; 26] = [
    "CATEGORIES",
    "CLASS",
    "DESCRIPTION",
    "DTEND",
    "DTSTAMP",
    "DTSTART",
    "DURATION",
    "EXDATE",
    "EXRULE",
    "LOCATION",
    "METHOD",
    "RDATE",
    "RECURRENCE-ID",
    "RRULE",
    "SEQUENCE",
    "STATUS",
    "SUMMARY",
    "TZID",
    "TZOFFSETFROM",
    "TZOFFSETTO",
    "UID",
    "URL",
    "X-ALT-DESC",
    "X-LIC-LOCATION",
    "X-MICROSOFT-CDO-ALLDAYEVENT",
    "X-WR-TIMEZONE",
];

/// A piece of a calendar.
#[derive(Debug)]
pub(super) enum Piece {
    /// The beginning of a calendar.
    Begin,
    /// A property of the calendar.
    Property(Property),
    /// A component of the calendar.
    Component(Component),
}

/// A component with its stored properties.
#[derive(Debug, Default)]
pub(super) struct Component {
    /// Number of the component's first line.
    pub(super) line: usize,
    /// Name in capitals.
    pub(super) name: String,
    properties: Vec<Property>,
    bytes: usize,
    /// The first reason why the component cannot be read.
    pub(super) fault: Option<String>,
    /// Observances of a time zone.
    pub(super) parts: Vec<Component>,
}

impl Component {
    fn new(line: usize, name: String) -> Self {
        Self {
            line,
            name,
            ..Self::default()
        }
    }

    /// Returns the first property with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }

    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Property> {
        self.properties
            .iter()
            .filter(move |property| property.name == name)
    }

    /// Returns the text of a property; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> String {
        self.get(name).map(Property::text).unwrap_or_default()
    }

    /// Adds a line; an unreadable line becomes the component's fault.
    fn take(&mut self, line: &Line) {
        if self.fault.is_some() {
            return;
        }
        let kept = match kept(line) {
            Ok(None) => return,
            Ok(Some(property)) => property,
            Err(fault) => {
                self.fault = Some(fault);
                return;
            }
        };
        self.bytes += kept.value.len();
        self.properties.push(kept);
        if self.properties.len() > MAX_PROPERTIES || self.bytes > MAX_BYTES {
            self.fault = Some(format!(
                "line {}: it has more than {MAX_PROPERTIES} properties or {MAX_BYTES} bytes",
                line.number
            ));
            self.properties = Vec::new();
        }
    }
}

/// Returns the property of a line, if it is to be stored.
fn kept(line: &Line) -> Result<Option<Property>, String> {
    if KEPT.contains(&line.name()?.as_str()) {
        line.property().map(Some)
    } else {
        Ok(None)
    }
}

/// Unfinished components.
#[derive(Default)]
struct Open {
    /// Name and first line of each component.
    begun: Vec<(String, usize)>,
    /// The outermost component within a calendar.
    component: Option<Component>,
    /// Number of components so far.
    count: usize,
}

impl Open {
    fn begin(&mut self, number: usize, name: String) -> Result<(), String> {
        if self.begun.is_empty() && name != "VCALENDAR" {
            return Err(format!("broken at line {number}: expected BEGIN:VCALENDAR"));
        }
        if self.begun.len() >= MAX_DEPTH {
            return Err(format!(
                "broken at line {number}: components are nested deeper than {MAX_DEPTH}"
            ));
        }
        self.begun.push((name.clone(), number));
        match (self.begun.len(), &mut self.component) {
            (2, _) => {
                self.count += 1;
                if self.count > MAX_COMPONENTS {
                    return Err(format!(
                        "line {number}: there are more than {MAX_COMPONENTS} components; import them in parts"
                    ));
                }
                self.component = Some(Component::new(number, name));
            }
            (3, Some(zone)) if zone.name == "VTIMEZONE" && zone.parts.len() < MAX_PARTS => {
                zone.parts.push(Component::new(number, name));
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends a component; returns it if it belongs directly to a calendar.
    fn end(&mut self, number: usize, name: &str) -> Result<Option<Component>, String> {
        match self.begun.pop() {
            Some((begun, _)) if begun == name => {}
            Some((begun, at)) => {
                return Err(format!(
                    "broken at line {number}: END:{name} within {begun}, which begins at line {at}"
                ));
            }
            None => return Err(format!("broken at line {number}: expected BEGIN:VCALENDAR")),
        }
        Ok(if self.begun.len() == 1 {
            self.component.take()
        } else {
            None
        })
    }

    /// Adds a property; returns it if it belongs to the calendar.
    fn property(&mut self, line: &Line) -> Result<Option<Property>, String> {
        match (self.begun.len(), &mut self.component) {
            (0, _) => {
                return Err(format!(
                    "broken at line {}: expected BEGIN:VCALENDAR",
                    line.number
                ));
            }
            // Unreadable properties of a calendar are not needed.
            (1, _) => return Ok(kept(line).ok().flatten()),
            (2, Some(component)) => component.take(line),
            (3, Some(zone)) if zone.name == "VTIMEZONE" => {
                if let Some(part) = zone.parts.last_mut() {
                    part.take(line);
                }
            }
            _ => {}
        }
        Ok(None)
    }
}

/// Passes every piece of a file to `take` until it returns false. An error contains the position at which the file is
/// broken.
pub(super) fn each(file: impl Read, mut take: impl FnMut(Piece) -> bool) -> Result<(), String> {
    let mut lines = Lines::new(file);
    let mut open = Open::default();
    let mut has_calendar = false;
    while let Some(line) = lines.next()? {
        let number = line.number;
        let name = line.name().unwrap_or_default();
        let piece = match name.as_str() {
            "BEGIN" => {
                open.begin(number, line.component())?;
                has_calendar = true;
                (open.begun.len() == 1).then_some(Piece::Begin)
            }
            "END" => open.end(number, &line.component())?.map(Piece::Component),
            _ => open.property(&line)?.map(Piece::Property),
        };
        if piece.is_some_and(|piece| !take(piece)) {
            return Ok(());
        }
    }
    if let Some((name, at)) = open.begun.last() {
        let end = lines.number();
        return Err(format!(
            "broken at line {end}: it ends within {name}, which begins at line {at}"
        ));
    }
    if has_calendar {
        Ok(())
    } else {
        Err("broken at line 1: expected BEGIN:VCALENDAR".to_owned())
    }
}
