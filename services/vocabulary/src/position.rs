//! Positions on Earth, and the distances between them.

/// The Earth's mean radius, in metres (IUGG's R₁).
pub const EARTH_RADIUS: f64 = 6_371_008.8;

/// A position on Earth in degrees (WGS 84).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates {
    /// Degrees north of the equator.
    pub latitude: f64,
    /// Degrees east of Greenwich.
    pub longitude: f64,
}

impl Coordinates {
    /// Validates degrees and creates a position; the error describes an invalid value.
    pub fn parse(latitude: f64, longitude: f64) -> Result<Self, String> {
        if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
            return Err(format!(
                "{latitude}, {longitude} is no position: expected degrees"
            ));
        }
        Ok(Self {
            latitude,
            longitude,
        })
    }

    /// Returns the point on the unit sphere.
    #[must_use]
    pub fn on_unit_sphere(self) -> [f64; 3] {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        [
            latitude.cos() * longitude.cos(),
            latitude.cos() * longitude.sin(),
            latitude.sin(),
        ]
    }

    /// Returns the distance in metres along the surface of a sphere with the Earth's mean radius.
    #[must_use]
    pub fn metres_to(self, other: Self) -> f64 {
        let (here, there) = (self.on_unit_sphere(), other.on_unit_sphere());
        let squares = here.iter().zip(there).map(|(a, b)| (a - b).powi(2));
        let chord = squares.sum::<f64>().sqrt();
        2.0 * EARTH_RADIUS * (chord / 2.0).min(1.0).asin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_measured_along_the_ground() {
        let at = |latitude, longitude| Coordinates::parse(latitude, longitude).expect("degrees");
        // Union Station and Casa Loma, 4.2 km apart on the city's own map.
        let metres = at(43.645_3, -79.380_6).metres_to(at(43.678_0, -79.409_4));
        assert!((4_200.0..4_400.0).contains(&metres), "{metres}");
        let half_way_round = at(0.0, 0.0).metres_to(at(0.0, 180.0));
        assert!(
            (half_way_round - 20_015_114.0).abs() < 1.0,
            "{half_way_round}"
        );
        assert!(at(43.0, -79.0).metres_to(at(43.0, -79.0)) < 0.001);
    }
}
