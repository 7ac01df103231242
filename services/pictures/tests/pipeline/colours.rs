//! Colour profiles.

use std::io::Cursor;

use jpeg_encoder::ColorType as Jpeg;
use moxcms::{ColorProfile, ProfileText};
use pictures::{Encoding, File, Size, make};

use crate::samples::{
    JpegKind, assert_alike, decoded, deflated, drawn, holds, jpeg, jpeg_of, png, riff, riff_chunk,
    webp, webp_header, with_chunk, with_segment,
};

fn made(content: &[u8]) -> Vec<File> {
    make(content, &[Size::named("whole").expect("a size")])
        .expect("made")
        .files
}

fn segment(profile: &[u8], number: u8, count: u8) -> Vec<u8> {
    [b"ICC_PROFILE\0", &[number, count][..], profile].concat()
}

/// The profile that a file embeds.
fn embedded(file: &File) -> Option<Vec<u8>> {
    match file.encoding {
        Encoding::Jpeg => {
            let mut decoder = jpeg_decoder::Decoder::new(file.content.as_slice());
            decoder.decode().expect("a JPEG");
            decoder.icc_profile()
        }
        Encoding::WebP => {
            let decoder = image_webp::WebPDecoder::new(Cursor::new(file.content.as_slice()));
            decoder.expect("a WebP").icc_profile().expect("read")
        }
    }
}

fn wide() -> Vec<u8> {
    let mut profile = ColorProfile::new_display_p3();
    profile.description = Some(ProfileText::PlainString("SECRET".to_owned()));
    profile.encode().expect("encoded")
}

#[test]
fn a_wide_gamut_is_kept_in_both_encodings_without_its_texts() {
    let (picture, profile) = (drawn(64, 64, |_, _| [250, 30, 40]), wide());
    let (one, other) = profile.split_at(200);
    let mut in_two = with_segment(&jpeg(&picture), 0xe2, &segment(other, 2, 2));
    in_two = with_segment(&in_two, 0xe2, &segment(one, 1, 2));
    let chunk = [b"wide\0\0".as_slice(), &deflated(&profile)].concat();
    let chunks = [
        webp_header(64, 64, 0x20),
        riff_chunk(*b"ICCP", &profile),
        webp(&picture)[12..].to_vec(),
    ];
    for content in [
        in_two,
        with_chunk(&png(&picture), *b"iCCP", &chunk),
        riff(&chunks),
    ] {
        for file in made(&content) {
            let kept = embedded(&file).expect("a profile");
            let kept = ColorProfile::new_from_slice(&kept).expect("valid");
            let p3 = ColorProfile::new_display_p3();
            assert!((kept.red_colorant.x - p3.red_colorant.x).abs() < 1e-3);
            assert!((kept.green_colorant.y - p3.green_colorant.y).abs() < 1e-3);
            assert!(kept.red_trc.is_some());
            assert!(!holds(&file.content, "SECRET"));
            // The samples are unchanged, because the profile defines their meaning.
            assert_alike(decoded(&file).at(500, 500), [250, 30, 40], "P3");
        }
    }
}

#[test]
fn srgb_damaged_and_foreign_profiles_are_dropped() {
    let picture = jpeg(&drawn(64, 64, |_, _| [120, 30, 40]));
    let srgb = ColorProfile::new_srgb().encode().expect("encoded");
    let grey = ColorProfile::new_gray_with_gamma(2.2)
        .encode()
        .expect("encoded");
    let truncated = wide()[..150].to_vec();
    for profile in [srgb, grey, truncated, b"nonsense".to_vec(), Vec::new()] {
        for file in made(&with_segment(&picture, 0xe2, &segment(&profile, 1, 1))) {
            assert_eq!(embedded(&file), None);
            assert_alike(decoded(&file).at(500, 500), [120, 30, 40], "dropped");
        }
    }
    // A profile whose second part is missing.
    for file in made(&with_segment(&picture, 0xe2, &segment(&wide(), 1, 2))) {
        assert_eq!(embedded(&file), None);
    }
}

#[test]
fn grey_with_a_profile_becomes_srgb() {
    let picture = drawn(64, 64, |_, _| [0; 3]);
    let content = jpeg_of(&picture, &[128; 64 * 64], Jpeg::Luma, JpegKind::default());
    let linear = ColorProfile::new_gray_with_gamma(1.0)
        .encode()
        .expect("encoded");
    for file in made(&with_segment(&content, 0xe2, &segment(&linear, 1, 1))) {
        assert_eq!(embedded(&file), None);
        // Half of the maximum light is 188 in sRGB.
        assert_alike(decoded(&file).at(500, 500), [188; 3], "linear grey");
    }
}
