//! Positions on the ground.

/// A position in degrees (WGS 84).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Position {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
}

/// The earth's mean radius, in metres (IUGG).
const RADIUS: f64 = 6_371_008.8;

impl Position {
    /// Metres along the ground to another position.
    pub(crate) fn distance(self, other: Self) -> f64 {
        let half = |one: f64, other: f64| ((other - one).to_radians() / 2.0).sin().powi(2);
        let across = self.latitude.to_radians().cos() * other.latitude.to_radians().cos();
        let chord =
            half(self.latitude, other.latitude) + across * half(self.longitude, other.longitude);
        2.0 * RADIUS * chord.sqrt().min(1.0).asin()
    }
}
