//! Cells of the Earth's surface, numbered as in the S2 geometry library
//! (<https://s2geometry.io/devguide/s2cell_hierarchy>): three bits for a face of the cube around the Earth, and two for
//! each step of a Hilbert curve on that face.

use super::entry::Position;

/// The quarter that the curve enters at each step, as two bits of i and j, by orientation.
const QUARTERS: [[u64; 4]; 4] = [[0, 1, 3, 2], [0, 2, 3, 1], [3, 2, 0, 1], [3, 1, 0, 2]];
/// Change of orientation at each step.
const TURNS: [usize; 4] = [1, 0, 0, 3];
const STEPS: u32 = 30;

/// Returns the position of a cell, which approximates the position of a place; `None` if the cell does not exist.
#[expect(clippy::cast_precision_loss, reason = "numbers below 2^30")]
#[expect(
    clippy::many_single_char_names,
    reason = "as in the library's own description"
)]
pub(super) fn position(id: u64) -> Option<Position> {
    let face = id >> 61;
    if id == 0 || face > 5 {
        return None;
    }
    // The lowest set bit marks the end of the steps.
    let steps = STEPS.checked_sub(id.trailing_zeros() / 2)?;
    let mut orientation = usize::from(face % 2 == 1);
    let (mut i, mut j) = (0_u64, 0_u64);
    for step in 0..steps {
        let way = usize::try_from((id >> (59 - 2 * step)) & 3).unwrap_or_default();
        let quarter = QUARTERS[orientation][way];
        i = (i << 1) | (quarter >> 1);
        j = (j << 1) | (quarter & 1);
        orientation ^= TURNS[way];
    }
    let whole = (1_u64 << steps) as f64;
    let (u, v) = (
        projected((i as f64 + 0.5) / whole),
        projected((j as f64 + 0.5) / whole),
    );
    let (x, y, z) = match face {
        0 => (1.0, u, v),
        1 => (-u, 1.0, v),
        2 => (-u, -v, 1.0),
        3 => (-1.0, -v, -u),
        4 => (v, -1.0, -u),
        _ => (v, u, -1.0),
    };
    let latitude = f64::atan2(z, f64::hypot(x, y)).to_degrees();
    let longitude = f64::atan2(y, x).to_degrees();
    let position = Position::exact(latitude, longitude)?;
    Some(Position {
        is_approximate: true,
        ..position
    })
}

/// Maps a face's even grid to its plane, so that cells of one level have about the same area on the sphere.
fn projected(at: f64) -> f64 {
    if at >= 0.5 {
        (4.0 * at * at - 1.0) / 3.0
    } else {
        (1.0 - 4.0 * (1.0 - at) * (1.0 - at)) / 3.0
    }
}
