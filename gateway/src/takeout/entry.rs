//! Data of a saved place in a file.

/// A position in degrees (WGS 84).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Position {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    /// Whether the position may be several kilometres off.
    pub(crate) is_approximate: bool,
}

impl Position {
    /// Returns `None` for an invalid position and for 0, 0, which means that Google has no position.
    pub(super) fn exact(latitude: f64, longitude: f64) -> Option<Self> {
        let is_real = (-90.0..=90.0).contains(&latitude)
            && (-180.0..=180.0).contains(&longitude)
            && (latitude != 0.0 || longitude != 0.0);
        is_real.then_some(Self {
            latitude,
            longitude,
            is_approximate: false,
        })
    }
}

/// A place in a file before its texts are cleaned.
#[derive(Debug, Default)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) address: &'a str,
    pub(super) note: &'a str,
    pub(super) url: &'a str,
    pub(super) position: Option<Position>,
}
