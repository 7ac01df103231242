//! Exact sizes, and what is cropped.

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
