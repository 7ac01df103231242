//! Pictures for tests: drawn, encoded and put together byte by byte.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

/// A picture in RGB, with one byte for each colour of a pixel.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<u8>,
}

/// A picture whose pixels are a function of their position.
pub(crate) fn drawn(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 3]) -> Drawn {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Drawn {
        width,
        height,
        pixels: places.flat_map(|(x, y)| colour(x, y)).collect(),
    }
}

/// A picture with shades, edges and texture.
pub(crate) fn scene(width: u32, height: u32) -> Drawn {
    drawn(width, height, |x, y| {
        let shade = byte(x * 255 / width);
        let edge = if (x / 40 + y / 30) % 2 == 0 { 200 } else { 60 };
        let texture = byte((x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)) >> 26);
        [shade, edge, texture.saturating_add(byte(y * 190 / height))]
    })
}

fn byte(value: u32) -> u8 {
    value.to_le_bytes()[0]
}

/// Options for writing a JPEG.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JpegKind {
    pub(crate) progressive: bool,
    pub(crate) restarts: u16,
    pub(crate) full_colour: bool,
}

pub(crate) fn jpeg(picture: &Drawn) -> Vec<u8> {
    jpeg_of_kind(picture, JpegKind::default())
}

pub(crate) fn jpeg_of_kind(picture: &Drawn, kind: JpegKind) -> Vec<u8> {
    jpeg_of(picture, &picture.pixels, ColorType::Rgb, kind)
}

/// A JPEG of samples of any kind.
pub(crate) fn jpeg_of(
    picture: &Drawn,
    samples: &[u8],
    colour: ColorType,
    kind: JpegKind,
) -> Vec<u8> {
    let mut content = Vec::new();
    let mut encoder = Encoder::new(&mut content, 90);
    encoder.set_progressive(kind.progressive);
    encoder.set_sampling_factor(if kind.full_colour {
        SamplingFactor::F_1_1
    } else {
        SamplingFactor::F_2_2
    });
    if kind.restarts > 0 {
        encoder.set_restart_interval(kind.restarts);
    }
    let side = |pixels| u16::try_from(pixels).expect("a side");
    let done = encoder.encode(samples, side(picture.width), side(picture.height), colour);
    done.expect("encoded");
    content
}

/// A JPEG with a segment after its beginning.
pub(crate) fn with_segment(jpeg: &[u8], code: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 2).expect("a segment");
    let length = length.to_be_bytes();
    [&jpeg[..2], &[0xff, code], &length, body, &jpeg[2..]].concat()
}

/// EXIF data with an orientation, and a manufacturer's text that must not appear in generated files.
pub(crate) fn exif(orientation: u8, text: &str) -> Vec<u8> {
    let mut exif = b"MM\0*\0\0\0\x08\0\x02".to_vec();
    let length = u32::try_from(text.len()).expect("a length");
    exif.extend_from_slice(&[1, 0x0f, 0, 2]);
    exif.extend_from_slice(&length.to_be_bytes());
    exif.extend_from_slice(&38u32.to_be_bytes());
    exif.extend_from_slice(&[1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    exif.extend_from_slice(&[0; 4]);
    exif.extend_from_slice(text.as_bytes());
    exif
}

pub(crate) fn with_exif(jpeg: &[u8], exif: &[u8]) -> Vec<u8> {
    with_segment(jpeg, 0xe1, &[b"Exif\0\0", exif].concat())
}

pub(crate) fn png(picture: &Drawn) -> Vec<u8> {
    let (colour, depth) = (png::ColorType::Rgb, png::BitDepth::Eight);
    png_of(
        picture.width,
        picture.height,
        &picture.pixels,
        colour,
        depth,
    )
}

pub(crate) fn png_of(
    width: u32,
    height: u32,
    samples: &[u8],
    colour: png::ColorType,
    depth: png::BitDepth,
) -> Vec<u8> {
    let mut content = Vec::new();
    let mut encoder = png::Encoder::new(&mut content, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(samples).expect("samples");
    writer.finish().expect("an end");
    content
}

pub(crate) const PNG_MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(crate) fn png_chunk(kind: [u8; 4], body: &[u8]) -> Vec<u8> {
    let checked = [&kind[..], body].concat();
    let length = u32::try_from(body.len()).expect("a length");
    let sum = crc32fast::hash(&checked);
    [&length.to_be_bytes()[..], &checked, &sum.to_be_bytes()].concat()
}

/// A PNG's header: size, depth, colour, interlacing.
pub(crate) fn png_header(width: u32, height: u32, [depth, colour, interlace]: [u8; 3]) -> Vec<u8> {
    let mut body = [width.to_be_bytes(), height.to_be_bytes()].concat();
    body.extend_from_slice(&[depth, colour, 0, 0, interlace]);
    png_chunk(*b"IHDR", &body)
}

/// A PNG with a chunk after its header.
pub(crate) fn with_chunk(png: &[u8], kind: [u8; 4], body: &[u8]) -> Vec<u8> {
    let header = PNG_MAGIC.len() + 25;
    [&png[..header], &png_chunk(kind, body), &png[header..]].concat()
}

pub(crate) fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("deflated");
    encoder.finish().expect("deflated")
}

/// An interlaced PNG of one colour.
pub(crate) fn interlaced(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let mut rows = Vec::new();
    for (x, y, across, down) in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ] {
        let (count, lines) = ((width - x).div_ceil(across), (height - y).div_ceil(down));
        for _ in 0..lines {
            rows.push(0);
            rows.extend((0..count).flat_map(|_| colour));
        }
    }
    let parts = [
        PNG_MAGIC,
        &png_header(width, height, [8, 2, 1]),
        &png_chunk(*b"IDAT", &deflated(&rows)),
        &png_chunk(*b"IEND", &[]),
    ];
    parts.concat()
}

pub(crate) fn webp(picture: &Drawn) -> Vec<u8> {
    webp::Encoder::from_rgb(&picture.pixels, picture.width, picture.height)
        .encode(85.0)
        .to_vec()
}

pub(crate) fn webp_lossless(picture: &Drawn) -> Vec<u8> {
    let encoder = webp::Encoder::from_rgb(&picture.pixels, picture.width, picture.height);
    encoder.encode_lossless().to_vec()
}

/// A WebP of red, green, blue and opacity.
pub(crate) fn webp_of(width: u32, height: u32, samples: &[u8], lossless: bool) -> Vec<u8> {
    let encoder = webp::Encoder::from_rgba(samples, width, height);
    let content = if lossless {
        encoder.encode_lossless()
    } else {
        encoder.encode(90.0)
    };
    content.to_vec()
}

pub(crate) fn riff_chunk(kind: [u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a length");
    let padding = &[0][..body.len() % 2];
    [&kind[..], &length.to_le_bytes(), body, padding].concat()
}

pub(crate) fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    riff_chunk(*b"RIFF", &[b"WEBP", &chunks.concat()[..]].concat())
}

pub(crate) fn webp_header(width: u32, height: u32, flags: u8) -> Vec<u8> {
    let mut body = vec![flags, 0, 0, 0];
    body.extend_from_slice(&(width - 1).to_le_bytes()[..3]);
    body.extend_from_slice(&(height - 1).to_le_bytes()[..3]);
    riff_chunk(*b"VP8X", &body)
}

/// Pixels of one of the files that the pipeline has made.
pub(crate) fn decoded(file: &pictures::File) -> Drawn {
    let content = file.content.as_slice();
    let pixels = match file.encoding {
        pictures::Encoding::Jpeg => jpeg_decoder::Decoder::new(content)
            .decode()
            .expect("a JPEG"),
        pictures::Encoding::WebP => {
            let cursor = std::io::Cursor::new(content);
            let mut decoder = image_webp::WebPDecoder::new(cursor).expect("a WebP");
            let mut pixels = vec![0; decoder.output_buffer_size().expect("a size")];
            decoder.read_image(&mut pixels).expect("pixels");
            pixels
        }
    };
    let drawn = Drawn {
        width: file.width,
        height: file.height,
        pixels,
    };
    assert_eq!(
        drawn.pixels.len() as u64,
        u64::from(file.width) * u64::from(file.height) * 3
    );
    drawn
}

impl Drawn {
    /// The colour at a position, in thousandths of the sides.
    pub(crate) fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let (x, y) = (self.width * x / 1000, self.height * y / 1000);
        let at = ((y * self.width + x) * 3) as usize;
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }
}

/// Asserts that two colours are alike.
pub(crate) fn assert_alike(found: [u8; 3], expected: [u8; 3], context: &str) {
    let far = found
        .iter()
        .zip(&expected)
        .any(|(one, other)| one.abs_diff(*other) > 24);
    assert!(!far, "{context}: {found:?} instead of {expected:?}");
}

/// Whether a file contains a text.
pub(crate) fn holds(content: &[u8], text: &str) -> bool {
    content
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}
