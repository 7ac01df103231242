//! Reduces pictures by an integer factor: each pixel is the mean of a square of pixels.

use crate::{Refusal, raster::Raster};

/// The maximum factor: sums over its squares fit into 16 bits.
pub(crate) const MAX_FACTOR: u32 = 16;

/// Reduces a picture row by row. The last square of a row or column may be partial.
#[derive(Debug)]
pub(crate) struct Reducer {
    factor: usize,
    /// The number of remaining rows of the whole picture.
    to_come: u32,
    /// The width of a row's last square, in pixels.
    last: usize,
    width: u32,
    height: u32,
    sums: Vec<u16>,
    summed: usize,
    pixels: Vec<u8>,
}

impl Reducer {
    /// Creates a reducer for a picture of this size.
    pub(crate) fn new(width: u32, height: u32, factor: u32) -> Self {
        let factor = factor.clamp(1, MAX_FACTOR);
        let last = match width % factor {
            0 => factor,
            part => part,
        };
        let to_come = height;
        let (width, height) = (width.div_ceil(factor), height.div_ceil(factor));
        let row = width as usize * 3;
        Self {
            factor: factor as usize,
            to_come,
            last: last as usize,
            width,
            height,
            sums: vec![0; if factor == 1 { 0 } else { row }],
            summed: 0,
            pixels: Vec::with_capacity(row * height as usize),
        }
    }

    /// Adds the next row of RGB pixels.
    pub(crate) fn push(&mut self, row: &[u8]) {
        if self.to_come == 0 {
            return;
        }
        self.to_come -= 1;
        match self.factor {
            1 => {
                let length = self.width as usize * 3;
                return self.pixels.extend_from_slice(&row[..length]);
            }
            2 => add::<2>(&mut self.sums, row),
            3 => add::<3>(&mut self.sums, row),
            4 => add::<4>(&mut self.sums, row),
            factor => add_any(&mut self.sums, row, factor),
        }
        self.summed += 1;
        if self.summed == self.factor || self.to_come == 0 {
            self.write();
            self.summed = 0;
        }
    }

    /// Writes the means of the accumulated sums.
    fn write(&mut self) {
        let (wide, narrow) = (
            mean_of(self.factor * self.summed),
            mean_of(self.last * self.summed),
        );
        let (last, whole) = match self.sums.split_last_chunk_mut::<3>() {
            Some((whole, last)) => (last.as_mut_slice(), whole),
            None => (&mut [][..], &mut [][..]),
        };
        let means = whole.iter_mut().map(|sum| wide(std::mem::take(sum)));
        self.pixels.extend(means);
        let means = last.iter_mut().map(|sum| narrow(std::mem::take(sum)));
        self.pixels.extend(means);
    }

    /// Returns the reduced picture, or `Refusal::Damaged` if rows are missing.
    pub(crate) fn finish(self) -> Result<Raster, Refusal> {
        if self.to_come > 0 {
            return Err(Refusal::Damaged);
        }
        Ok(Raster {
            width: self.width,
            height: self.height,
            pixels: self.pixels,
        })
    }
}

/// Returns a function that computes the mean of a number of samples from their sum.
fn mean_of(samples: usize) -> impl Fn(u16) -> u8 {
    // There are at most 16 by 16 samples, and 255 times 2^24 fits into 32 bits.
    let samples = u32::try_from(samples).unwrap_or(1).max(1);
    let (half, inverse) = (samples / 2, (1 << 24) / samples);
    move |sum| (((u32::from(sum) + half) * inverse) >> 24).to_le_bytes()[0]
}

/// Adds a row to the sums; the factor is a constant, which makes the code faster.
fn add<const FACTOR: usize>(sums: &mut [u16], row: &[u8]) {
    let squares = row.chunks_exact(FACTOR * 3);
    let part = squares.remainder();
    for (sums, pixels) in sums.chunks_exact_mut(3).zip(squares) {
        for at in 0..FACTOR {
            for (sum, sample) in sums.iter_mut().zip(&pixels[at * 3..at * 3 + 3]) {
                *sum += u16::from(*sample);
            }
        }
    }
    if !part.is_empty() {
        let at = sums.len().saturating_sub(3);
        add_any(&mut sums[at..], part, FACTOR);
    }
}

fn add_any(sums: &mut [u16], row: &[u8], factor: usize) {
    for (sums, pixels) in sums.chunks_exact_mut(3).zip(row.chunks(factor * 3)) {
        for pixel in pixels.chunks_exact(3) {
            for (sum, sample) in sums.iter_mut().zip(pixel) {
                *sum += u16::from(*sample);
            }
        }
    }
}

pub(crate) fn reduced(whole: Raster, factor: u32) -> Raster {
    if factor <= 1 {
        return whole;
    }
    let mut reducer = Reducer::new(whole.width, whole.height, factor);
    for row in whole.pixels.chunks_exact(whole.width as usize * 3) {
        reducer.push(row);
    }
    Raster {
        width: reducer.width,
        height: reducer.height,
        pixels: reducer.pixels,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_pixel_is_the_mean_of_its_square_at_every_factor() {
        for factor in 1..=MAX_FACTOR {
            let (width, height) = (factor * 3 - factor / 2, factor * 2 - factor / 3);
            let mut reducer = Reducer::new(width, height, factor);
            for y in 0..height {
                let row: Vec<u8> = (0..width)
                    .flat_map(|x| {
                        let dark = (x + y) % 2 == 0;
                        [if dark { 0 } else { 200 }, 255, 7]
                    })
                    .collect();
                reducer.push(&row);
            }
            let found = reducer.finish().expect("all rows");
            assert_eq!(
                (found.width, found.height),
                (width.div_ceil(factor), height.div_ceil(factor))
            );
            let square = |at: u32, side: u32| at * factor..((at + 1) * factor).min(side);
            for (at, [red, green, blue]) in (0..).zip(found.pixels.as_chunks::<3>().0) {
                assert_eq!((*green, *blue), (255, 7), "{factor}");
                let (x, y) = (at % found.width, at / found.width);
                let light = square(x, width)
                    .flat_map(|x| square(y, height).map(move |y| (x + y) % 2 * 200));
                let light: Vec<u32> = light.collect();
                let mean = light.iter().sum::<u32>() / u32::try_from(light.len()).expect("few");
                assert!(
                    u32::from(*red).abs_diff(mean) <= 1,
                    "{factor}: {red} for {mean}"
                );
            }
        }
    }

    #[test]
    fn a_picture_without_its_last_row_is_damaged() {
        let mut reducer = Reducer::new(2, 2, 1);
        reducer.push(&[0; 6]);
        assert_eq!(reducer.finish(), Err(Refusal::Damaged));
    }
}
