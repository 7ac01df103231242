//! The memory use of pictures, as counted by the allocator.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "samples/mod.rs"]
#[expect(dead_code, reason = "most samples are for the other tests")]
mod samples;

use std::sync::Mutex;

use jpeg_encoder::ColorType;
use peak_alloc::PeakAlloc;
use pictures::{MAX_BYTES, Size, inspect, make};

use crate::samples::{
    Drawn, JpegKind, PNG_MAGIC, deflated, interlaced, jpeg_of, jpeg_of_kind, png, png_chunk,
    png_header, scene, webp, webp_lossless, with_segment,
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The allocator counts for the whole process, so tests take turns.
static TURN: Mutex<()> = Mutex::new(());

const MIB: u64 = 1024 * 1024;
/// Maximum memory for a refused picture, including its file.
const REFUSED: u64 = 64 * MIB;

/// Returns the peak of additionally allocated bytes during a call, and its result.
fn peak<T>(call: impl FnOnce() -> T) -> (u64, T) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = call();
    ((MEMORY.peak_usage() - before) as u64, result)
}

fn sizes(names: &[&str]) -> Vec<&'static Size> {
    names
        .iter()
        .map(|name| Size::named(name).expect("a size"))
        .collect()
}

/// Converts a picture's pixels to CMYK without black.
fn inks(picture: &Drawn) -> Vec<u8> {
    let pixels = picture.pixels.chunks(3);
    pixels
        .flat_map(|rgb| [255 - rgb[0], 255 - rgb[1], 255 - rgb[2], 0])
        .collect()
}

#[test]
fn no_picture_takes_more_memory_than_its_header_says() {
    let _turn = TURN.lock();
    let large = scene(3300, 2500);
    let kind = |progressive, restarts, full_colour| JpegKind {
        progressive,
        restarts,
        full_colour,
    };
    let files = [
        ("JPEG", jpeg_of_kind(&large, kind(false, 0, false))),
        ("progressive", jpeg_of_kind(&large, kind(true, 0, false))),
        (
            "full colour, progressive",
            jpeg_of_kind(&large, kind(true, 0, true)),
        ),
        (
            "progressive with restarts",
            jpeg_of_kind(&large, kind(true, 9, false)),
        ),
        (
            "CMYK",
            jpeg_of(
                &large,
                &inks(&large),
                ColorType::Cmyk,
                kind(false, 0, false),
            ),
        ),
        ("PNG", png(&large)),
        ("interlaced", interlaced(3300, 2500, [9, 9, 9])),
        ("WebP", webp(&scene(1700, 1300))),
        ("lossless WebP", webp_lossless(&scene(1700, 1300))),
        (
            "small",
            jpeg_of_kind(&scene(100, 100), kind(false, 0, false)),
        ),
        (
            "wide",
            jpeg_of_kind(&scene(60_000, 16), kind(false, 0, false)),
        ),
        ("tall", png(&scene(16, 60_000))),
    ];
    drop(large);
    for (name, content) in files {
        let header = inspect(&content).expect("a header");
        let sizes = sizes(&["whole", "720x480", "610x610", "300x300", "80x80"]);
        let (taken, made) = peak(|| make(&content, &sizes));
        assert!(made.is_ok(), "{name}: {:?}", made.err());
        let figures = format!("{name}: {} of {} MiB", taken / MIB, header.memory / MIB);
        // The allocator does not count libwebp's memory for encoding, which is at most 8 bytes per pixel.
        let encoding = (1600 * 1600 * 8).min(header.memory / 4);
        assert!(taken + encoding <= header.memory, "{figures}");
        // A far too high estimate would make pictures wait unnecessarily.
        assert!(header.memory < taken * 5 + 80 * MIB, "{figures}");
    }
}

#[test]
fn a_refused_picture_takes_little_memory() {
    let _turn = TURN.lock();
    let jpeg = jpeg_of_kind(&scene(64, 64), JpegKind::default());
    let mut lying = jpeg.clone();
    let frame = jpeg
        .windows(2)
        .position(|two| two == [0xff, 0xc0])
        .expect("a frame");
    lying[frame + 5..frame + 9].copy_from_slice(&[0x1b, 0x58, 0x1b, 0x58]);
    let mut metadata = jpeg.clone();
    for _ in 0..390 {
        metadata = with_segment(
            &metadata,
            0xe2,
            &[b"ICC_PROFILE\0\x01\x01".as_slice(), &vec![7; 60_000]].concat(),
        );
    }
    let most = usize::try_from(MAX_BYTES).expect("a length");
    assert!(metadata.len() < most);
    let pixels = deflated(&vec![0; 100 << 20]);
    let huge = |width, height, interlace| {
        let header = png_header(width, height, [8, 2, interlace]);
        [
            PNG_MAGIC,
            &header,
            &png_chunk(*b"IDAT", &pixels),
            &png_chunk(*b"IEND", &[]),
        ]
        .concat()
    };
    let files = [
        ("too large a file", vec![0xff; most + 1]),
        ("a lying size", lying),
        (
            "metadata, truncated",
            metadata[..metadata.len() - 1].to_vec(),
        ),
        (
            "metadata and a polyglot",
            [&metadata[..], b"<html>"].concat(),
        ),
        ("20,000 squared", huge(20_000, 20_000, 0)),
        ("rows that are missing", huge(65_000, 700, 0)),
        ("zeros", [PNG_MAGIC, &vec![0; most - 8]].concat()),
        ("text", [b"<svg".as_slice(), &vec![b' '; most - 4]].concat()),
    ];
    for (name, content) in files {
        let sizes = sizes(&["whole"]);
        let (taken, result) = peak(|| make(&content, &sizes));
        let refusal = result.map(|made| made.width).expect_err(name);
        let all = taken + content.len() as u64;
        assert!(all <= REFUSED, "{name}: {refusal}, {} MiB", all / MIB);
    }
}
