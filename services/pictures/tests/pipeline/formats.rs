//! Every input format.

use jpeg_encoder::ColorType as Jpeg;
use pictures::{Format, LISTING, Refusal, Size, inspect, make};
use png::{BitDepth, ColorType};

use crate::samples::{
    Drawn, JpegKind, PNG_MAGIC, assert_alike, decoded, drawn, interlaced, jpeg, jpeg_of,
    jpeg_of_kind, png, png_chunk, png_header, png_of, scene, webp, webp_lossless, webp_of,
};

static WITHIN: Size = Size {
    fit: pictures::Fit::Within,
    ..LISTING
};

/// Four colours, one in each quarter.
fn quarters() -> Drawn {
    drawn(640, 480, |x, y| {
        COLOURS[usize::from(x >= 320) + 2 * usize::from(y >= 240)]
    })
}

const COLOURS: [[u8; 3]; 4] = [[200, 40, 30], [40, 160, 60], [30, 60, 190], [220, 210, 190]];

fn assert_quarters(name: &str, content: &[u8], format: Format, colours: [[u8; 3]; 4]) {
    let header = inspect(content).unwrap_or_else(|refusal| unreachable!("{name}: {refusal}"));
    assert_eq!(
        (header.format, header.width, header.height),
        (format, 640, 480),
        "{name}"
    );
    let made =
        make(content, &[&WITHIN]).unwrap_or_else(|refusal| unreachable!("{name}: {refusal}"));
    assert_eq!((made.width, made.height), (640, 480));
    for file in &made.files {
        let found = decoded(file);
        for (at, colour) in [(250, 250), (750, 250), (250, 750), (750, 750)]
            .into_iter()
            .zip(colours)
        {
            assert_alike(
                found.at(at.0, at.1),
                colour,
                &format!("{name} {:?}", file.encoding),
            );
        }
    }
}

#[test]
fn every_kind_of_jpeg_is_read() {
    let picture = quarters();
    for progressive in [false, true] {
        for restarts in [0, 7] {
            for full_colour in [false, true] {
                let kind = JpegKind {
                    progressive,
                    restarts,
                    full_colour,
                };
                let content = jpeg_of_kind(&picture, kind);
                assert_quarters(&format!("{kind:?}"), &content, Format::Jpeg, COLOURS);
            }
        }
    }
    let grey: Vec<u8> = picture.pixels.chunks(3).map(|pixel| pixel[0]).collect();
    let content = jpeg_of(&picture, &grey, Jpeg::Luma, JpegKind::default());
    assert_quarters(
        "grey",
        &content,
        Format::Jpeg,
        COLOURS.map(|[red, ..]| [red; 3]),
    );
    let inks: Vec<u8> = picture
        .pixels
        .chunks(3)
        .flat_map(|pixel| [255 - pixel[0], 255 - pixel[1], 255 - pixel[2], 0])
        .collect();
    for (colour, name) in [(Jpeg::Cmyk, "CMYK"), (Jpeg::CmykAsYcck, "YCCK")] {
        for progressive in [false, true] {
            let kind = JpegKind {
                progressive,
                ..JpegKind::default()
            };
            assert_quarters(
                name,
                &jpeg_of(&picture, &inks, colour, kind),
                Format::Jpeg,
                COLOURS,
            );
        }
    }
}

#[test]
fn every_kind_of_png_is_read() {
    let picture = quarters();
    assert_quarters("RGB", &png(&picture), Format::Png, COLOURS);
    let wide: Vec<u8> = picture
        .pixels
        .iter()
        .flat_map(|sample| [*sample, 77])
        .collect();
    let content = png_of(640, 480, &wide, ColorType::Rgb, BitDepth::Sixteen);
    assert_quarters("16 bits", &content, Format::Png, COLOURS);
    let grey: Vec<u8> = picture.pixels.chunks(3).map(|pixel| pixel[0]).collect();
    let content = png_of(640, 480, &grey, ColorType::Grayscale, BitDepth::Eight);
    let expected = COLOURS.map(|[red, ..]| [red; 3]);
    assert_quarters("grey", &content, Format::Png, expected);
    let half: Vec<u8> = grey.iter().flat_map(|grey| [*grey, 128]).collect();
    let content = png_of(640, 480, &half, ColorType::GrayscaleAlpha, BitDepth::Eight);
    let over_white = expected.map(|pixel| pixel.map(|grey| 127 + grey / 2));
    assert_quarters("grey, half opaque", &content, Format::Png, over_white);
    let content = interlaced(640, 480, COLOURS[0]);
    assert_quarters("interlaced", &content, Format::Png, [COLOURS[0]; 4]);
    let mut rows = Vec::new();
    for y in 0..480 {
        rows.push(0);
        rows.extend((0..640).map(|x| u8::from(x >= 320) + 2 * u8::from(y >= 240)));
    }
    let parts = [
        PNG_MAGIC,
        &png_header(640, 480, [8, 3, 0]),
        &png_chunk(*b"PLTE", COLOURS.as_flattened()),
        &png_chunk(*b"tRNS", &[0]),
        &png_chunk(*b"IDAT", &crate::samples::deflated(&rows)),
        &png_chunk(*b"IEND", &[]),
    ];
    let expected = [[255; 3], COLOURS[1], COLOURS[2], COLOURS[3]];
    assert_quarters("palette", &parts.concat(), Format::Png, expected);
}

#[test]
fn every_kind_of_webp_is_read() {
    let picture = quarters();
    assert_quarters("lossy", &webp(&picture), Format::WebP, COLOURS);
    assert_quarters("lossless", &webp_lossless(&picture), Format::WebP, COLOURS);
    let half: Vec<u8> = picture
        .pixels
        .chunks(3)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 128])
        .collect();
    let expected = COLOURS.map(|pixel| pixel.map(|sample| 127 + sample / 2));
    for lossless in [false, true] {
        let content = webp_of(640, 480, &half, lossless);
        assert_quarters("half opaque", &content, Format::WebP, expected);
    }
}

#[test]
fn the_same_file_makes_the_same_files() {
    let content = jpeg(&scene(900, 700));
    let once = make(&content, &[&LISTING_SIZE, &WITHIN]).expect("made");
    assert_eq!(
        make(&content, &[&LISTING_SIZE, &WITHIN]).expect("made"),
        once
    );
    assert!(
        (5..=30).contains(&once.thumbhash.len()),
        "{}",
        once.thumbhash.len()
    );
}

static LISTING_SIZE: Size = LISTING;

#[test]
fn other_files_are_refused_by_their_kind() {
    let refused = [
        (
            &b"<svg onload='alert(1)' xmlns='http://www.w3.org/2000/svg'/>"[..],
            Refusal::Svg,
        ),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", Refusal::Heic),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", Refusal::Avif),
        (b"GIF89a\x10\0\x10\0", Refusal::OtherFormat),
        (b"%PDF-1.7", Refusal::NotAPicture),
        (b"", Refusal::NotAPicture),
    ];
    for (content, refusal) in refused {
        assert_eq!(inspect(content), Err(refusal));
        assert_eq!(make(content, &[&WITHIN]), Err(refusal));
    }
}
