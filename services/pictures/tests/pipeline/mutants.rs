//! Real files with random faults: never a panic, and every error a refusal. `CITYGUIDE_MUTANTS` sets the number of
//! mutants of each file.

use pictures::{Size, inspect, make};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use crate::samples::{
    JpegKind, exif, interlaced, jpeg_of, jpeg_of_kind, png, png_of, scene, webp, webp_lossless,
    webp_of, with_exif,
};

const USUAL: u64 = 400;

fn files() -> Vec<Vec<u8>> {
    let picture = scene(160, 120);
    let inks = vec![40; 160 * 120 * 4];
    let see_through: Vec<u8> = picture
        .pixels
        .chunks(3)
        .flat_map(|rgb| [rgb[0], rgb[1], rgb[2], rgb[0]])
        .collect();
    let kinds = [(false, 0), (true, 0), (true, 5), (false, 5)];
    let jpegs = kinds.map(|(progressive, restarts)| {
        let kind = JpegKind {
            progressive,
            restarts,
            full_colour: false,
        };
        with_exif(&jpeg_of_kind(&picture, kind), &exif(6, "maker"))
    });
    let sixteen = vec![9; 160 * 120 * 6];
    let mut files = jpegs.to_vec();
    files.extend([
        jpeg_of(
            &picture,
            &inks,
            jpeg_encoder::ColorType::CmykAsYcck,
            JpegKind::default(),
        ),
        png(&picture),
        interlaced(160, 120, [9, 90, 200]),
        png_of(
            160,
            120,
            &see_through,
            png::ColorType::Rgba,
            png::BitDepth::Eight,
        ),
        png_of(
            160,
            120,
            &sixteen,
            png::ColorType::Rgb,
            png::BitDepth::Sixteen,
        ),
        webp(&picture),
        webp_lossless(&picture),
        webp_of(160, 120, &see_through, false),
    ]);
    files
}

/// Changes a few bytes, or duplicates or removes a part. Checksums of PNG chunks are corrected, so that the faults
/// reach the decoder.
fn mutate(file: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut mutant = file.to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(2..mutant.len());
        let end = (at + random.random_range(1..40)).min(mutant.len());
        match random.random_range(0..8) {
            0 => mutant[at] ^= 1 << random.random_range(0..8),
            1 => mutant[at] = random.random(),
            2 => mutant[at] = *[0, 0xff, 0x7f, 0x80].choose(random).unwrap_or(&0),
            3 => mutant[at..end].fill(0xff),
            4 => drop(mutant.drain(at..end)),
            5 => {
                let part = mutant[at..end].to_vec();
                mutant.splice(at..at, part);
            }
            // Changes a byte near the beginning, because most decisions depend on headers.
            6 => {
                let at = random.random_range(2..mutant.len().min(700));
                mutant[at] = random.random();
            }
            _ => mutant[at..end].fill_with(|| random.random()),
        }
        if mutant.len() < 64 {
            break;
        }
    }
    with_checksums(mutant)
}

fn with_checksums(mut png: Vec<u8>) -> Vec<u8> {
    if !png.starts_with(crate::samples::PNG_MAGIC) {
        return png;
    }
    let mut at = 8;
    while let Some(length) = png.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        let end = at + 8 + u32::from_be_bytes(*length) as usize;
        let Some(checked) = png.get(at + 4..end) else {
            break;
        };
        let sum = crc32fast::hash(checked).to_be_bytes();
        let Some(stored) = png.get_mut(end..end + 4) else {
            break;
        };
        stored.copy_from_slice(&sum);
        at = end + 4;
    }
    png
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures of a long run")]
fn no_mutant_does_harm() {
    let each = std::env::var("CITYGUIDE_MUTANTS")
        .ok()
        .and_then(|number| number.parse().ok());
    let each = each.unwrap_or(USUAL);
    let sizes = ["80x80"].map(|name| Size::named(name).expect("a size"));
    let (mut made, mut refused, mut panics) = (0u64, 0u64, 0u64);
    let seen = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counter = seen.clone();
    // Panics of decoders are caught and counted, not printed.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |_| {
        counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }));
    let mut slow = std::time::Duration::ZERO;
    for (number, file) in (0..).zip(files()) {
        let mut random = StdRng::seed_from_u64(number);
        for _ in 0..each {
            let mutant = mutate(&file, &mut random);
            let begun = std::time::Instant::now();
            let result = std::panic::catch_unwind(|| (inspect(&mutant), make(&mutant, &sizes)));
            slow = slow.max(begun.elapsed());
            match result {
                Ok((Err(inspected), Err(refusal))) => {
                    refused += 1;
                    assert_eq!(inspected, refusal);
                }
                Ok((Ok(_), Err(_))) => refused += 1,
                Ok((_, Ok(_))) => made += 1,
                Err(_) => panics += 1,
            }
        }
    }
    std::panic::set_hook(hook);
    let caught = seen.load(std::sync::atomic::Ordering::Relaxed);
    println!(
        "{made} made, {refused} refused, {caught} panics of decoders caught, slowest {slow:?}"
    );
    assert_eq!(panics, 0);
    assert!(made > 0 && refused > 0);
}
