//! Drawn scenes as photographs: rasterised, framed, and encoded as JPEG.

use anyhow::Context;
use jpeg_encoder::{ColorType, Encoder};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

use super::plan::Planned;
use crate::{
    demo::random::Random,
    pictures::{HEIGHT, WIDTH, draw_scene},
};

/// JPEG quality, as in a phone.
const QUALITY: u8 = 88;

/// The camera's frame within a scene.
struct Frame {
    /// Width and height in pixels.
    width: i16,
    height: i16,
    /// The scale factor of the scene, and its shift in pixels.
    scale: f32,
    left: f32,
    top: f32,
}

impl Frame {
    /// A frame within the scene: wide, square or tall, near or far.
    fn any(random: &mut Random) -> Self {
        let (width, height) = random.pick(&[(1200, 800), (1200, 900), (1080, 1080), (900, 1200)]);
        let zoom = random.pick(&[1.0, 1.15, 1.4]);
        Self::at(random, width, height, zoom)
    }

    fn at(random: &mut Random, width: i16, height: i16, zoom: f32) -> Self {
        let (whole_width, whole_height) = scene_size();
        let (frame_width, frame_height) = (f32::from(width), f32::from(height));
        let covering = (frame_width / whole_width).max(frame_height / whole_height);
        let scale = covering * zoom;
        let mut within = |room: f32| {
            let share = random.pick(&[0.2, 0.35, 0.5, 0.65, 0.8]);
            -room * share
        };
        Self {
            width,
            height,
            scale,
            left: within(whole_width * scale - frame_width),
            top: within(whole_height * scale - frame_height),
        }
    }
}

/// The width and height of scenes, in pixels.
fn scene_size() -> (f32, f32) {
    let [width, height] = [WIDTH, HEIGHT].map(i16::try_from);
    (
        f32::from(width.unwrap_or(i16::MAX)),
        f32::from(height.unwrap_or(i16::MAX)),
    )
}

/// A photo as a JPEG.
pub(crate) fn photo(planned: &Planned) -> anyhow::Result<Vec<u8>> {
    let mut random = Random::seeded(&format!("{} frame", planned.name));
    let frame = Frame::any(&mut random);
    develop(&planned.name, &planned.scene, planned.light, &frame)
}

/// A reader's own picture as a JPEG.
pub(crate) fn avatar(reader: usize) -> anyhow::Result<Vec<u8>> {
    let name = format!("reader {reader}");
    let mut random = Random::seeded(&name);
    let scene = random.pick(&[
        "beach",
        "park",
        "skyline",
        "records",
        "ice-cream",
        "streetcar",
    ]);
    let frame = Frame::at(&mut random, 400, 400, 1.6);
    develop(&name, scene, reader, &frame)
}

fn develop(name: &str, scene: &str, light: usize, frame: &Frame) -> anyhow::Result<Vec<u8>> {
    let drawing = draw_scene(name, scene, light)?;
    let tree = Tree::from_str(&drawing, &Options::default())?;
    let [width, height] = [frame.width, frame.height].map(i16::unsigned_abs);
    let pixels = Pixmap::new(width.into(), height.into());
    let mut pixels = pixels.context("an empty frame")?;
    let transform = Transform::from_row(frame.scale, 0.0, 0.0, frame.scale, frame.left, frame.top);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    let mut jpeg = Vec::new();
    Encoder::new(&mut jpeg, QUALITY).encode(pixels.data(), width, height, ColorType::Rgba)?;
    Ok(jpeg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_lies_within_its_scene_and_is_the_same_each_time() {
        for number in 0..200 {
            let mut random = Random::seeded(&number.to_string());
            let frame = Frame::any(&mut random);
            let (width, height) = scene_size();
            let right = frame.left + width * frame.scale;
            let bottom = frame.top + height * frame.scale;
            assert!(frame.left <= 0.0 && frame.top <= 0.0);
            assert!(right >= f32::from(frame.width) - 0.5);
            assert!(bottom >= f32::from(frame.height) - 0.5);
        }
        let first = avatar(1).unwrap();
        assert_eq!(first[..2], [0xFF, 0xD8]);
        assert_eq!(avatar(1).unwrap(), first);
        assert_ne!(avatar(2).unwrap(), first);
    }
}
