//! The photographs: a quarter each of skin tones, texture, letters and sky, with noise.

use std::{fs, path::Path};

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

/// The noise of a phone's camera, on a scale of 255.
const NOISE: f32 = 14.0;

/// Pixels of red, green and blue.
struct Photo {
    width: u16,
    height: u16,
    pixels: Vec<u8>,
}

/// Reproducible pseudo-random numbers (xorshift64).
struct Random(u64);

impl Random {
    /// A random number from 0 to 1.
    fn share(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let [high, low, ..] = self.0.to_be_bytes();
        f32::from(u16::from_be_bytes([high, low])) / f32::from(u16::MAX)
    }
}

/// Draws all photographs.
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
        if name == "12mp" {
            save("12mp.png", Photo::draw(width, height, 3.0).png()?)?;
        }
        if matches!(name, "12mp" | "48mp") {
            save(&format!("{name}-progressive.jpg"), photo.jpeg(true)?)?;
        }
    }
    Ok(())
}

impl Photo {
    fn draw(width: u16, height: u16, noise: f32) -> Self {
        let mut random = Random(88_172_645_463_325_252);
        let mut pixels = Vec::with_capacity(usize::from(width) * usize::from(height) * 3);
        // Positions are scaled, so that the picture looks the same at every size.
        let unit = f32::from(width) / 4000.0;
        for y in 0..height {
            for x in 0..width {
                let quarter = (x < width / 2, y < height / 2);
                let colour = colour(f32::from(x) / unit, f32::from(y) / unit, quarter);
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
        let mut content = Vec::new();
        let mut encoder = Encoder::new(&mut content, 90);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_progressive(is_progressive);
        encoder.encode(&self.pixels, self.width, self.height, ColorType::Rgb)?;
        Ok(content)
    }

    fn png(&self) -> anyhow::Result<Vec<u8>> {
        let mut content = Vec::new();
        let (width, height) = (self.width.into(), self.height.into());
        let mut encoder = png::Encoder::new(&mut content, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(content)
    }
}

/// Skin, leaves, letters and sky, a quarter each.
fn colour(x: f32, y: f32, (is_left, is_upper): (bool, bool)) -> [f32; 3] {
    let shade = |base: [f32; 3], slope: [f32; 3], light: f32| {
        [0, 1, 2].map(|one| base[one] + slope[one] * light)
    };
    match (is_left, is_upper) {
        (true, true) => {
            let away = (x - 1000.0).hypot(y - 750.0) / 1200.0;
            shade([224.0, 172.0, 144.0], [-90.0, -80.0, -75.0], away)
        }
        (false, true) => {
            let coarse = (x * 0.031 + (y * 0.017).sin() * 3.0).sin();
            let across = (y * 0.043 + (x * 0.011).cos() * 4.0).sin();
            let light = coarse * across + 0.4 * (x * 0.21).sin() * (y * 0.19).cos();
            shade([70.0, 120.0, 50.0], [40.0, 60.0, 30.0], light)
        }
        (true, false) => {
            // Signs of five by six dots, each different.
            let (column, row) = (index(x / 30.0), index(y / 46.0));
            let sign =
                (column.wrapping_mul(7919) + row.wrapping_mul(104_729)) ^ (column * row * 31);
            let (dot, line) = (index(x % 30.0) / 5, index(y % 46.0) / 6);
            let is_ink = dot < 5 && line < 6 && (sign >> ((dot + line * 5) % 29)) & 1 == 1;
            if is_ink {
                [25.0; 3]
            } else {
                [240.0, 238.0, 228.0]
            }
        }
        (false, false) => {
            let light = ((x * 0.004).sin() + (y * 0.006 + x * 0.002).cos()) * 0.5;
            shade([90.0, 140.0, 210.0], [60.0, 50.0, 40.0], light)
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places in the picture, and clamped values"
)]
fn index(value: f32) -> u32 {
    value as u32
}

fn byte(value: f32) -> u8 {
    u8::try_from(index(value.clamp(0.0, 255.0))).unwrap_or(u8::MAX)
}
