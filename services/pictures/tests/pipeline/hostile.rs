//! Malicious files.

use pictures::{MAX_BYTES, Refusal, Size, inspect, make};

use crate::samples::{
    JpegKind, PNG_MAGIC, deflated, jpeg, jpeg_of_kind, png, png_chunk, png_header, riff,
    riff_chunk, scene, webp, webp_header, with_chunk, with_segment,
};

fn refusal(content: &[u8]) -> Refusal {
    let sizes = [Size::named("whole").expect("a size")];
    let refusal = make(content, &sizes)
        .map(|made| made.files.len())
        .expect_err("a refusal");
    if let Err(inspected) = inspect(content) {
        assert_eq!(inspected, refusal);
    }
    assert!(refusal.to_string().ends_with('.') && !refusal.code().contains(' '));
    refusal
}

#[test]
fn every_truncated_file_is_refused() {
    let picture = scene(64, 48);
    let progressive = JpegKind {
        progressive: true,
        restarts: 3,
        ..JpegKind::default()
    };
    let files = [
        jpeg(&picture),
        jpeg_of_kind(&picture, progressive),
        png(&picture),
        webp(&picture),
    ];
    for file in files {
        for length in 16..file.len() {
            let refusal = inspect(&file[..length]).expect_err("a refusal");
            assert_eq!(refusal, Refusal::Truncated, "{length} of {}", file.len());
        }
    }
    // A file with an end marker but without scan data.
    for restarts in [0, 7] {
        let kind = JpegKind {
            restarts,
            ..JpegKind::default()
        };
        let mut file = jpeg_of_kind(&scene(256, 256), kind);
        file.truncate(file.len() / 2);
        file.extend_from_slice(&[0xff, 0xd9]);
        assert_eq!(refusal(&file), Refusal::Damaged, "{kind:?}");
    }
}

#[test]
fn polyglots_are_refused() {
    let archive = [b"PK\x03\x04".as_slice(), &[7; 40], b"PK\x05\x06", &[0; 18]].concat();
    let picture = scene(64, 48);
    for file in [jpeg(&picture), png(&picture), webp(&picture)] {
        for tail in [
            &archive[..],
            b"<html><script>alert(1)</script>",
            b"%PDF-1.4",
            b"GIF89a",
            b"\x01",
        ] {
            let both = [&file, tail].concat();
            assert_eq!(refusal(&both), Refusal::Polyglot, "{}", tail.escape_ascii());
        }
    }
    let file = jpeg(&picture);
    for comment in [&b"%PDF-1.4"[..], b"<?php system($_GET[0]);", b"<HTML>"] {
        assert_eq!(
            refusal(&with_segment(&file, 0xfe, comment)),
            Refusal::Polyglot
        );
    }
    // An archive within the picture, whose last record's comment is the rest of the picture.
    let mut inside = archive.clone();
    let rest = u16::try_from(file.len() - 2).expect("short");
    let at = inside.len() - 2;
    inside[at..].copy_from_slice(&rest.to_le_bytes());
    assert_eq!(
        refusal(&with_segment(&file, 0xfe, &inside)),
        Refusal::Polyglot
    );
    assert_eq!(
        refusal(&[b"GIF89a\x2f\x2a", &file[..]].concat()),
        Refusal::OtherFormat
    );
    assert_eq!(refusal(b"<?xml version='1.0'?><svg/>"), Refusal::Svg);
}

#[test]
fn too_many_pixels_are_refused_before_they_are_decoded() {
    let bomb = [
        PNG_MAGIC,
        &png_header(20_000, 20_000, [1, 0, 0]),
        &png_chunk(*b"IDAT", &deflated(&vec![0; 1_000_000])),
        &png_chunk(*b"IEND", &[]),
    ];
    assert_eq!(refusal(&bomb.concat()), Refusal::TooManyPixels);
    for (width, height) in [(u32::MAX, 1), (i32::MAX.cast_unsigned(), 16), (70_000, 16)] {
        let header = png_header(width, height, [8, 6, 0]);
        assert_eq!(
            refusal(&[PNG_MAGIC, &header].concat()),
            Refusal::TooManyPixels
        );
    }
    for (width, height) in [(0, 0), (0, 9), (9, 0), (15, 900)] {
        let header = png_header(width, height, [8, 6, 0]);
        assert_eq!(refusal(&[PNG_MAGIC, &header].concat()), Refusal::TooSmall);
    }
    let mut huge = jpeg(&scene(64, 48));
    let frame = huge
        .windows(2)
        .position(|two| two == [0xff, 0xc0])
        .expect("a frame");
    huge[frame + 5..frame + 9].fill(0xff);
    assert_eq!(refusal(&huge), Refusal::TooManyPixels);
    huge[frame + 5..frame + 7].fill(0);
    assert_eq!(refusal(&huge), Refusal::RareJpeg);
    huge[frame + 7..frame + 9].fill(0);
    assert_eq!(refusal(&huge), Refusal::TooSmall);
    let extended = webp_header(1 << 24, 1 << 24, 0);
    assert_eq!(refusal(&riff(&[extended])), Refusal::TooManyPixels);
    let file = vec![0xff; usize::try_from(MAX_BYTES).expect("a length") + 1];
    assert_eq!(refusal(&file), Refusal::TooManyBytes);
}

#[test]
fn a_size_that_lies_is_refused() {
    let mut taller = jpeg(&scene(64, 48));
    let frame = taller
        .windows(2)
        .position(|two| two == [0xff, 0xc0])
        .expect("a frame");
    taller[frame + 5..frame + 9].copy_from_slice(&[0x17, 0x70, 0x17, 0x70]);
    assert_eq!(refusal(&taller), Refusal::Truncated);
    for interlace in [0, 1] {
        let lying = [
            PNG_MAGIC,
            &png_header(6000, 6000, [16, 6, interlace]),
            &png_chunk(*b"IDAT", &deflated(&[0; 64])),
            &png_chunk(*b"IEND", &[]),
        ];
        assert_eq!(refusal(&lying.concat()), Refusal::Damaged);
    }
    let simple = webp(&scene(64, 48));
    let chunks = [webp_header(640, 480, 0), simple[12..].to_vec()];
    assert_eq!(refusal(&riff(&chunks)), Refusal::Damaged);
}

#[test]
fn a_jpeg_of_a_thousand_scans_is_refused() {
    let progressive = JpegKind {
        progressive: true,
        ..JpegKind::default()
    };
    let file = jpeg_of_kind(&scene(64, 48), progressive);
    let at = file
        .windows(2)
        .rposition(|two| two == [0xff, 0xda])
        .expect("a scan");
    let (begin, scan) = (&file[..at], &file[at..file.len() - 2]);
    let many = [begin, &scan.repeat(1000), &[0xff, 0xd9]].concat();
    assert_eq!(refusal(&many), Refusal::TooManyScans);
}

#[test]
fn animations_are_refused() {
    let simple = webp(&scene(64, 48));
    let frame = [
        &[0; 6],
        &[63, 0, 0, 47, 0, 0, 1, 0, 0, 0][..],
        &simple[12..],
    ]
    .concat();
    let mut chunks = vec![webp_header(64, 48, 2), riff_chunk(*b"ANIM", &[0; 6])];
    chunks.extend((0..10_000).map(|_| riff_chunk(*b"ANMF", &frame[..40])));
    assert_eq!(refusal(&riff(&chunks)), Refusal::Animated);
    // The same file, with the animation flag cleared.
    chunks[0] = webp_header(64, 48, 0);
    assert_eq!(refusal(&riff(&chunks)), Refusal::Animated);
    let control = [0, 0, 0, 2, 0, 0, 0, 0];
    assert_eq!(
        refusal(&with_chunk(&png(&scene(64, 48)), *b"acTL", &control)),
        Refusal::Animated
    );
}

#[test]
fn bombs_in_metadata_cost_nothing() {
    let zeros = deflated(&vec![0; 200 << 20]);
    let picture = png(&scene(64, 48));
    let sizes = [Size::named("80x80").expect("a size")];
    for (kind, name) in [
        (*b"iCCP", &b"bomb\0\0"[..]),
        (*b"zTXt", b"bomb\0\0"),
        (*b"iTXt", b"bomb\0\x01\0\0\0"),
    ] {
        let bomb = with_chunk(&picture, kind, &[name, &zeros].concat());
        assert!(make(&bomb, &sizes).is_ok(), "the picture is what counts");
    }
}

#[test]
fn chunks_and_segments_that_lie_about_their_length_are_refused() {
    let picture = scene(64, 48);
    let mut file = png(&picture);
    file[8..12].copy_from_slice(&u32::MAX.to_be_bytes());
    assert_eq!(refusal(&file), Refusal::Damaged);
    let mut file = png(&picture);
    file[33..37].copy_from_slice(&0x7fff_ffffu32.to_be_bytes());
    assert_eq!(refusal(&file), Refusal::Truncated);
    let mut file = png(&picture);
    let last = file.len() - 20;
    file[last] ^= 1;
    assert_eq!(refusal(&file), Refusal::Damaged);
    let mut file = webp(&picture);
    file[16..20].fill(0xff);
    assert_eq!(refusal(&file), Refusal::Truncated);
    let file = jpeg(&picture);
    let short = [&file[..2], &[0xff, 0xe1, 0, 1], &file[2..]].concat();
    assert_eq!(refusal(&short), Refusal::Damaged);
    // Two million empty chunks.
    let many = png_chunk(*b"teXt", &[]).repeat(2_000_000);
    let head = PNG_MAGIC.len() + 25;
    let file = png(&picture);
    let many = [&file[..head], &many, &file[head..]].concat();
    assert!(matches!(inspect(&many), Ok(_) | Err(Refusal::Damaged)));
}

#[test]
fn rare_kinds_of_jpeg_are_named() {
    let file = jpeg(&scene(64, 48));
    let frame = file
        .windows(2)
        .position(|two| two == [0xff, 0xc0])
        .expect("a frame");
    for code in [0xc3, 0xc5, 0xc9, 0xca, 0xcf] {
        let mut rare = file.clone();
        rare[frame + 1] = code;
        assert_eq!(refusal(&rare), Refusal::RareJpeg);
    }
    let mut rare = file;
    rare[frame + 4] = 12;
    assert_eq!(refusal(&rare), Refusal::RareJpeg);
}
