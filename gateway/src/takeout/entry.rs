//! What a file says of a place.

/// Degrees, WGS 84.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Position {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    /// Whether it may be some kilometres from the real one.
    pub(crate) is_approximate: bool,
}

impl Position {
    /// `None` if it is on no map, or where Google has none: at 0, 0.
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

/// What a file says of a place, before it is cleaned.
#[derive(Debug, Default)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) address: &'a str,
    pub(super) note: &'a str,
    pub(super) url: &'a str,
    pub(super) position: Option<Position>,
}
