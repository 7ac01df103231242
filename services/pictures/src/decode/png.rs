//! PNG decoding: row by row, unless the picture is interlaced.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Reader, Transformations};

use crate::{
    Refusal,
    raster::{Raster, over_white},
    reduce::Reducer,
    structure::{Png, Structure},
};

/// The memory limit of the decoder in bytes, excluding its rows.
const LIMIT: usize = 64 * 1024 * 1024;

pub(super) fn decode(
    content: &[u8],
    structure: &Structure<'_>,
    png: Png,
    factor: u32,
) -> Result<Raster, Refusal> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(content), Limits { bytes: LIMIT });
    // The inspection has already verified the checksums of the chunks.
    decoder.ignore_checksums(true);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let reader = decoder.read_info().map_err(|_| Refusal::Damaged)?;
    let mut rows = Rows {
        reducer: Reducer::new(structure.width, structure.height, factor),
        colour: reader.output_color_type().0,
        row: vec![0; structure.width as usize * 3],
    };
    if png.interlaced {
        rows.interlaced(reader, structure.width)?;
    } else {
        rows.in_order(reader)?;
    }
    rows.reducer.finish()
}

struct Rows {
    reducer: Reducer,
    colour: ColorType,
    row: Vec<u8>,
}

impl Rows {
    fn in_order(&mut self, mut reader: Reader<Cursor<&[u8]>>) -> Result<(), Refusal> {
        while let Some(row) = reader.next_row().map_err(|_| Refusal::Damaged)? {
            self.push(row.data());
        }
        Ok(())
    }

    fn interlaced(&mut self, mut reader: Reader<Cursor<&[u8]>>, width: u32) -> Result<(), Refusal> {
        let size = reader.output_buffer_size().ok_or(Refusal::Damaged)?;
        let line = reader.output_line_size(width).ok_or(Refusal::Damaged)?;
        let mut whole = vec![0; size];
        reader
            .next_frame(&mut whole)
            .map_err(|_| Refusal::Damaged)?;
        for row in whole.chunks_exact(line) {
            self.push(row);
        }
        Ok(())
    }

    fn push(&mut self, stored: &[u8]) {
        let pixels = self.row.chunks_exact_mut(3);
        match self.colour {
            ColorType::Rgb => {
                self.reducer.push(stored);
                return;
            }
            ColorType::Rgba => {
                for (rgb, [red, green, blue, alpha]) in pixels.zip(stored.as_chunks().0) {
                    let samples = [*red, *green, *blue];
                    rgb.copy_from_slice(&samples.map(|sample| over_white(sample, *alpha)));
                }
            }
            ColorType::GrayscaleAlpha => {
                for (rgb, [grey, alpha]) in pixels.zip(stored.as_chunks().0) {
                    rgb.fill(over_white(*grey, *alpha));
                }
            }
            // A palette has already been expanded to colours.
            ColorType::Grayscale | ColorType::Indexed => {
                for (rgb, grey) in pixels.zip(stored) {
                    rgb.fill(*grey);
                }
            }
        }
        self.reducer.push(&self.row);
    }
}
