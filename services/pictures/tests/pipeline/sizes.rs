//! Exact sizes and cropped parts.

use pictures::{Encoding, Fit, Size, make};

use crate::samples::{decoded, drawn, jpeg, png, scene};

fn named(name: &str) -> &'static Size {
    Size::named(name).expect("a size")
}

fn all() -> Vec<&'static Size> {
    ["whole", "80x80", "720x480", "300x300", "600x400", "610x610"]
        .map(named)
        .to_vec()
}

#[test]
fn every_size_is_exact_whatever_the_picture_and_whole_is_never_enlarged() {
    let pictures = [
        ((2000, 1500), (1600, 1200)),
        ((1500, 4100), (585, 1600)),
        ((5000, 90), (1600, 29)),
        ((640, 480), (640, 480)),
        ((16, 16), (16, 16)),
        ((17, 300), (17, 300)),
        ((1600, 1601), (1599, 1600)),
    ];
    for ((width, height), whole) in pictures {
        let made = make(&jpeg(&scene(width, height)), &all()).expect("made");
        assert_eq!((made.width, made.height), (width, height));
        assert_eq!(made.files.len(), 12);
        let expected = all()
            .into_iter()
            .flat_map(|size| Encoding::ALL.map(|encoding| (size, encoding)));
        for (file, (size, encoding)) in made.files.iter().zip(expected) {
            assert_eq!(
                (file.size, file.encoding),
                (size, encoding),
                "the order of the sizes"
            );
            let wanted = match size.fit {
                Fit::Crop => (size.width, size.height),
                Fit::Within => whole,
            };
            assert_eq!(
                (file.width, file.height),
                wanted,
                "{width}x{height} {}",
                size.name
            );
            decoded(file);
        }
    }
}

#[test]
fn the_subject_is_kept_in_a_cropped_size() {
    // Detail at the right end of a wide picture.
    let picture = drawn(1200, 300, |x, y| {
        let inside = (1000..1180).contains(&x) && (x / 8 + y / 8) % 2 == 0;
        if inside { [240, 20, 20] } else { [90, 120, 90] }
    });
    let made = make(&png(&picture), &[named("300x300")]).expect("made");
    let red = decoded(&made.files[0])
        .pixels
        .chunks(3)
        .filter(|pixel| pixel[0] > 170)
        .count();
    assert!(red > 300 * 180 / 3, "{red}");
}

#[test]
fn resizing_keeps_a_flat_colour_flat_up_to_the_edges() {
    for (width, height) in [(3999, 2999), (6401, 803)] {
        let made = make(&png(&drawn(width, height, |_, _| [180, 90, 30])), &all()).expect("made");
        for file in &made.files {
            for pixel in decoded(file).pixels.chunks(3) {
                crate::samples::assert_alike(
                    [pixel[0], pixel[1], pixel[2]],
                    [180, 90, 30],
                    file.size.name,
                );
            }
        }
    }
}

/// If a factor does not divide a side, the remaining pixels must not stretch the picture.
#[test]
fn a_reduced_picture_shows_everything_where_it_was() {
    const WAVES: f64 = 15.0;
    let wave = |at: f64| 127.0 + 100.0 * (at * WAVES * std::f64::consts::TAU).sin();
    for width in [6007, 2399, 1207, 901] {
        let picture = drawn(width, 240, |x, _| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a byte"
            )]
            let value = wave((f64::from(x) + 0.5) / f64::from(width)) as u8;
            [value; 3]
        });
        let within = Size {
            name: "300",
            width: 300,
            height: 300,
            fit: Fit::Within,
            quality: 95,
        };
        let within: &'static Size = Box::leak(Box::new(within));
        for sizes in [vec![within], vec![named("whole"), named("720x480"), within]] {
            let made = make(&png(&picture), &sizes).expect("made");
            let file = &made.files[made.files.len() - Encoding::ALL.len()];
            let shown = decoded(file);
            for (x, pixel) in (0..300).zip(shown.pixels.as_chunks::<3>().0) {
                let expected = wave((f64::from(x) + 0.5) / 300.0);
                let found = f64::from(pixel[1]);
                let is_near = (found - expected).abs() < 12.0;
                assert!(is_near, "{width}, {x}: {found} for {expected}");
            }
        }
    }
}
