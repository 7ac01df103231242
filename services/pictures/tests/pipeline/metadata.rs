//! Generated files contain only the pixels and colours of the original file.

use pictures::{Size, make};

use crate::samples::{
    deflated, exif, holds, jpeg, png, riff, riff_chunk, scene, webp, webp_header, with_chunk,
    with_exif, with_segment,
};

const SECRET: &str = "43.6532N 79.3832W SECRET";

fn assert_clean(name: &str, content: &[u8]) {
    let sizes = ["whole", "80x80"].map(|name| Size::named(name).expect("a size"));
    let made = make(content, &sizes).unwrap_or_else(|refusal| unreachable!("{name}: {refusal}"));
    for file in &made.files {
        for text in ["SECRET", "Exif", "http://ns.adobe.com", "EXIF", "XMP "] {
            assert!(
                !holds(&file.content, text),
                "{name}: {text} in {:?}",
                file.encoding
            );
        }
    }
}

#[test]
fn gps_xmp_comments_and_texts_are_dropped() {
    let picture = scene(320, 240);
    let exif = exif(1, SECRET);
    let xmp = format!("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>{SECRET}</x:xmpmeta>");
    let mut content = with_exif(&jpeg(&picture), &exif);
    content = with_segment(&content, 0xe1, xmp.as_bytes());
    content = with_segment(
        &content,
        0xed,
        format!("Photoshop 3.0\0{SECRET}").as_bytes(),
    );
    content = with_segment(&content, 0xfe, SECRET.as_bytes());
    assert_clean("JPEG", &content);

    let mut content = with_chunk(&png(&picture), *b"eXIf", &exif);
    let text = [b"Comment\0".as_slice(), SECRET.as_bytes()].concat();
    content = with_chunk(&content, *b"tEXt", &text);
    let text = [b"Comment\0\0".as_slice(), &deflated(SECRET.as_bytes())].concat();
    content = with_chunk(&content, *b"zTXt", &text);
    assert_clean("PNG", &content);

    let chunks = [
        webp_header(320, 240, 0x0c),
        webp(&picture)[12..].to_vec(),
        riff_chunk(*b"EXIF", &exif),
        riff_chunk(*b"XMP ", xmp.as_bytes()),
    ];
    assert_clean("WebP", &riff(&chunks));
}

#[test]
fn what_phones_write_behind_a_picture_is_accepted_and_dropped() {
    let content = jpeg(&scene(320, 240));
    // A gain map for bright screens, which follows the picture after some padding.
    assert_clean(
        "gain map",
        &[&content[..], &[0; 6], &jpeg(&scene(160, 120))].concat(),
    );
    // A short film.
    let film = [
        b"\0\0\0\x10ftypmp42\0\0\0\0\0\0\0\x0cmdat".as_slice(),
        b"SECR",
    ]
    .concat();
    assert_clean("film", &[&content[..], &film].concat());
    // Samsung's notes: a single note of 24 bytes before the directory.
    let mut notes = SECRET.as_bytes().to_vec();
    let length = u32::try_from(notes.len()).expect("a length");
    notes.extend_from_slice(b"SEFH");
    for number in [106, 1, 0x0a01_0000, length, length] {
        notes.extend_from_slice(&number.to_le_bytes());
    }
    notes.extend_from_slice(&24u32.to_le_bytes());
    notes.extend_from_slice(b"SEFT");
    assert_clean("Samsung", &[&content[..], &notes].concat());
}
