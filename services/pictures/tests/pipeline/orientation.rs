//! Pictures are turned upright.

use pictures::{Size, make};

use crate::samples::{
    Drawn, assert_alike, decoded, drawn, exif, jpeg, png, riff, riff_chunk, webp, webp_header,
    with_chunk, with_exif,
};

const COLOURS: [[u8; 3]; 4] = [[200, 40, 30], [40, 160, 60], [30, 60, 190], [220, 210, 190]];

/// A picture as stored by a camera in an orientation. The quarters of the upright picture are `COLOURS`, row by row.
fn stored(orientation: u8) -> Drawn {
    // The upright quarter that each stored quarter shows (Exif 3.0, 4.6.5.1).
    let quarters: [usize; 4] = match orientation {
        2 => [1, 0, 3, 2],
        3 => [3, 2, 1, 0],
        4 => [2, 3, 0, 1],
        5 => [0, 2, 1, 3],
        6 => [1, 3, 0, 2],
        7 => [3, 1, 2, 0],
        8 => [2, 0, 3, 1],
        _ => [0, 1, 2, 3],
    };
    let (width, height) = if orientation >= 5 {
        (300, 500)
    } else {
        (500, 300)
    };
    drawn(width, height, |x, y| {
        COLOURS[quarters[usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2)]]
    })
}

fn assert_upright(name: &str, content: &[u8]) {
    let sizes = ["whole", "720x480"].map(|name| Size::named(name).expect("a size"));
    let made = make(content, &sizes).expect("made");
    assert_eq!((made.width, made.height), (500, 300), "{name}");
    let header = pictures::inspect(content).expect("a header");
    assert_eq!((header.width, header.height), (500, 300), "{name}");
    for file in &made.files {
        let found = decoded(file);
        let places = [(250, 250), (750, 250), (250, 750), (750, 750)];
        for ((x, y), colour) in places.into_iter().zip(COLOURS) {
            assert_alike(
                found.at(x, y),
                colour,
                &format!("{name} {}", file.size.name),
            );
        }
    }
}

#[test]
fn all_eight_orientations_become_upright_in_every_format() {
    for orientation in 1..=8 {
        let (picture, exif) = (stored(orientation), exif(orientation, "maker"));
        assert_upright(
            &format!("JPEG {orientation}"),
            &with_exif(&jpeg(&picture), &exif),
        );
        assert_upright(
            &format!("PNG {orientation}"),
            &with_chunk(&png(&picture), *b"eXIf", &exif),
        );
        let simple = webp(&picture);
        let chunks = [
            webp_header(picture.width, picture.height, 8),
            simple[12..].to_vec(),
            riff_chunk(*b"EXIF", &exif),
        ];
        assert_upright(&format!("WebP {orientation}"), &riff(&chunks));
    }
}

#[test]
fn an_unknown_orientation_changes_nothing() {
    for orientation in [0, 9, 255] {
        assert_upright(
            "unknown",
            &with_exif(&jpeg(&stored(1)), &exif(orientation, "maker")),
        );
    }
}
