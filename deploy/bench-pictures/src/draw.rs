//! The photographs: shades as of skin, texture, letters and sky in their quarters, under noise.

use std::{fs, path::Path};

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

/// The noise of a phone's camera, of 255.
const NOISE: f32 = 14.0;

/// Pixels of red, green and blue.
struct Photo {
    width: u16,
    height: u16,
    pixels: Vec<u8>,
}

/// Numbers that look random, the same each time (xorshift64).
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn share(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let [high, low, ..] = self.0.to_be_bytes();
        f32::from(u16::from_be_bytes([high, low])) / f32::from(u16::MAX)
    }
}

/// Draws all of them.
pub(crate) fn all(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let save = |name: &str, content: Vec<u8>| fs::write(folder.join(name), content);
    for (name, width, height) in [
        ("2mp", 1632, 1224),
        ("12mp", 4000, 3000),
        ("24mp", 6000, 4000),
        ("48mp", 8064, 5952),
    ] {
        let photo = Photo::draw(width, height, NOISE);
        save(&format!("{name}.jpg"), photo.jpeg(false)?)?;
        match name {
            "2mp" => save("2mp-16bit.png", photo.png(true)?)?,
            "12mp" => {
                save("12mp-progressive.jpg", photo.jpeg(true)?)?;
                save("12mp-cmyk.jpg", photo.cmyk()?)?;
                save("12mp.png", Photo::draw(width, height, 3.0).png(false)?)?;
            }
            "48mp" => save("48mp-progressive.jpg", photo.jpeg(true)?)?,
            _ => {}
        }
    }
    Ok(())
}

impl Photo {
    fn draw(width: u16, height: u16, noise: f32) -> Self {
        let mut random = Random(88_172_645_463_325_252);
        let mut pixels = Vec::with_capacity(usize::from(width) * usize::from(height) * 3);
        // The same picture at every size.
        let unit = f32::from(width) / 4000.0;
        for y in 0..height {
            for x in 0..width {
                let at = (f32::from(x) / unit, f32::from(y) / unit);
                let colour = match (x < width / 2, y < height / 2) {
                    (true, true) => skin(at),
                    (false, true) => leaves(at),
                    (true, false) => letters(at),
                    (false, false) => sky(at),
                };
                let grain = (random.share() + random.share() - 1.0) * noise;
                pixels.extend(colour.map(|value| byte(value + grain)));
            }
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    fn jpeg(&self, is_progressive: bool) -> anyhow::Result<Vec<u8>> {
        self.encoded(&self.pixels, ColorType::Rgb, is_progressive)
    }

    fn cmyk(&self) -> anyhow::Result<Vec<u8>> {
        let colours = self.pixels.chunks_exact(3);
        let inks: Vec<_> = colours
            .flat_map(|rgb| [255 - rgb[0], 255 - rgb[1], 255 - rgb[2], 0])
            .collect();
        self.encoded(&inks, ColorType::Cmyk, false)
    }

    fn encoded(
        &self,
        samples: &[u8],
        kind: ColorType,
        is_progressive: bool,
    ) -> anyhow::Result<Vec<u8>> {
        let mut content = Vec::new();
        let mut encoder = Encoder::new(&mut content, 90);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_progressive(is_progressive);
        encoder.encode(samples, self.width, self.height, kind)?;
        Ok(content)
    }

    fn png(&self, is_deep: bool) -> anyhow::Result<Vec<u8>> {
        let mut content = Vec::new();
        let (width, height) = (self.width.into(), self.height.into());
        let mut encoder = png::Encoder::new(&mut content, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Fast);
        let mut writer;
        if is_deep {
            encoder.set_depth(png::BitDepth::Sixteen);
            writer = encoder.write_header()?;
            let samples = self.pixels.iter();
            let deep: Vec<_> = samples
                .flat_map(|value| [*value, value.wrapping_mul(7)])
                .collect();
            writer.write_image_data(&deep)?;
        } else {
            writer = encoder.write_header()?;
            writer.write_image_data(&self.pixels)?;
        }
        writer.finish()?;
        Ok(content)
    }
}

fn skin((x, y): (f32, f32)) -> [f32; 3] {
    let away = (x - 1000.0).hypot(y - 750.0) / 1200.0;
    [
        224.0 - 90.0 * away,
        172.0 - 80.0 * away,
        144.0 - 75.0 * away,
    ]
}

fn leaves((x, y): (f32, f32)) -> [f32; 3] {
    let coarse = (x * 0.031 + (y * 0.017).sin() * 3.0).sin();
    let across = (y * 0.043 + (x * 0.011).cos() * 4.0).sin();
    let fine = 0.4 * (x * 0.21).sin() * (y * 0.19).cos();
    let light = coarse * across + fine;
    [
        70.0 + 40.0 * light,
        120.0 + 60.0 * light,
        50.0 + 30.0 * light,
    ]
}

/// Signs of five by six dots, each another one.
fn letters((x, y): (f32, f32)) -> [f32; 3] {
    let (column, row) = (index(x / 30.0), index(y / 46.0));
    let sign = (column.wrapping_mul(7919) + row.wrapping_mul(104_729)) ^ (column * row * 31);
    let (dot, line) = (index(x % 30.0) / 5, index(y % 46.0) / 6);
    let is_ink = dot < 5 && line < 6 && (sign >> ((dot + line * 5) % 29)) & 1 == 1;
    if is_ink {
        [25.0; 3]
    } else {
        [240.0, 238.0, 228.0]
    }
}

fn sky((x, y): (f32, f32)) -> [f32; 3] {
    let light = ((x * 0.004).sin() + (y * 0.006 + x * 0.002).cos()) * 0.5;
    [
        90.0 + 60.0 * light,
        140.0 + 50.0 * light,
        210.0 + 40.0 * light,
    ]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place in the picture"
)]
fn index(place: f32) -> u32 {
    place as u32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped"
)]
fn byte(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}
