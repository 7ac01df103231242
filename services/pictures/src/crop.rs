//! Finds the crop with the most detail, which is likely to contain the subject.

use crate::raster::{Raster, Window};

/// The longer side of the picture that is analysed.
pub(crate) const SEARCHED: u32 = 128;
/// Windows count as equally good as the best if they have less detail by at most this share of all detail. Their mean
/// position is used, which keeps the subject in the middle and a symmetrical picture centred.
const AS_GOOD: f64 = 0.02;
/// The weight of detail in skin colours.
const SKIN: f64 = 2.0;

/// The amount of detail in each column and row of a picture.
#[derive(Debug)]
pub(crate) struct Detail {
    columns: Vec<f64>,
    rows: Vec<f64>,
}

impl Detail {
    /// Measures the detail of a small picture.
    pub(crate) fn of(small: &Raster) -> Self {
        let (width, height) = (small.width as usize, small.height as usize);
        let mut found = Self {
            columns: vec![0.0; width],
            rows: vec![0.0; height],
        };
        let at = |x: usize, y: usize| {
            let at = (y * width + x) * 3;
            [small.pixels[at], small.pixels[at + 1], small.pixels[at + 2]].map(f64::from)
        };
        for y in 1..height.saturating_sub(1) {
            for x in 1..width.saturating_sub(1) {
                let across = grey(at(x + 1, y)) - grey(at(x - 1, y));
                let down = grey(at(x, y + 1)) - grey(at(x, y - 1));
                let mut detail = across.hypot(down);
                if is_skin(at(x, y)) {
                    detail *= SKIN;
                }
                found.columns[x] += detail;
                found.rows[y] += detail;
            }
        }
        found
    }

    /// The window with the most detail that has the proportions of a size, in an upright picture.
    pub(crate) fn window(&self, picture: (u32, u32), size: (u32, u32)) -> Window {
        let proportion = |(width, height): (u32, u32)| f64::from(width) / f64::from(height);
        let share = proportion(size) / proportion(picture);
        if share < 1.0 {
            let left = best(&self.columns, share);
            Window {
                left,
                width: share,
                ..Window::WHOLE
            }
        } else {
            let share = share.recip();
            let top = best(&self.rows, share);
            Window {
                top,
                height: share,
                ..Window::WHOLE
            }
        }
    }
}

/// The brightness of a pixel (BT.601).
fn grey([red, green, blue]: [f64; 3]) -> f64 {
    0.299 * red + 0.587 * green + 0.114 * blue
}

/// Whether a colour may be a skin tone, light or dark: the hues are a narrow range between red and yellow.
fn is_skin([red, green, blue]: [f64; 3]) -> bool {
    let chroma = red - blue;
    let hue = (green - blue) / chroma;
    red > green && green > blue && chroma > 0.15 * red && red > 40.0 && (0.2..0.7).contains(&hue)
}

/// The start of the best range that covers this share, as a fraction of the whole.
fn best(detail: &[f64], share: f64) -> f64 {
    let (count, all) = (detail.len(), detail.iter().sum::<f64>());
    let free = 1.0 - share;
    // Without any detail, the range is centred.
    let (Ok(lines), true) = (u32::try_from(count), all > 0.0) else {
        return free / 2.0;
    };
    let covered = (1..=lines).take_while(|it| f64::from(*it) <= f64::from(lines) * share + 0.5);
    let covered = covered.count().max(1);
    let sums: Vec<f64> = detail
        .windows(covered)
        .map(|part| part.iter().sum())
        .collect();
    let most = sums.iter().copied().fold(0.0, f64::max);
    let good = (0u32..)
        .zip(&sums)
        .filter(|(_, sum)| **sum >= most - all * AS_GOOD);
    let (total, number) = good.fold((0.0, 0.0), |(total, number), (at, _)| {
        (total + f64::from(at), number + 1.0)
    });
    let last = u32::try_from(count - covered).map_or(0.0, f64::from);
    if last == 0.0 || number == 0.0 {
        return free / 2.0;
    }
    (total / number / last * free).clamp(0.0, free)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grey picture with a checked square around a position.
    fn checked(width: u32, height: u32, (x, y): (u32, u32)) -> Raster {
        let pixels = (0..height)
            .flat_map(|row| (0..width).map(move |column| (column, row)))
            .flat_map(|(column, row)| {
                let inside = column.abs_diff(x) < 10 && row.abs_diff(y) < 10;
                let bright = inside && (column / 2 + row / 2) % 2 == 0;
                [if bright { 250 } else { 120 }; 3]
            })
            .collect();
        Raster {
            width,
            height,
            pixels,
        }
    }

    fn window(subject: (u32, u32)) -> Window {
        Detail::of(&checked(120, 60, subject)).window((120, 60), (60, 60))
    }

    #[test]
    fn the_subject_is_kept_whichever_side_it_is_on() {
        for x in [12, 40, 60, 80, 108] {
            let found = window((x, 30));
            let (from, to) = (found.left * 120.0, (found.left + found.width) * 120.0);
            assert!(
                from <= f64::from(x - 9) && f64::from(x + 9) <= to,
                "{x}: {from} to {to}"
            );
        }
        let tall = Detail::of(&checked(60, 120, (30, 100))).window((60, 120), (60, 60));
        assert!(
            tall.top > 0.4 && (tall.height - 0.5).abs() < 1e-9,
            "{tall:?}"
        );
    }

    #[test]
    fn a_symmetrical_or_plain_picture_stays_centred() {
        let plain = checked(120, 60, (1000, 1000));
        for left in [
            window((60, 30)).left,
            Detail::of(&plain).window((120, 60), (60, 60)).left,
        ] {
            assert!((left - 0.25).abs() < 0.02, "{left}");
        }
    }

    #[test]
    fn the_same_proportions_are_taken_whole() {
        assert_eq!(
            Detail::of(&checked(120, 60, (20, 20))).window((120, 60), (60, 30)),
            Window::WHOLE
        );
    }
}
