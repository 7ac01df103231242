//! The colours of the pictures: one small set per light and mood.

/// Colours by their role in a scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    name: &'static str,
    /// The top of the sky, or a wall.
    pub(super) sky: &'static str,
    /// The sky above the horizon, or a lighter wall.
    pub(super) haze: &'static str,
    pub(super) far: &'static str,
    pub(super) mid: &'static str,
    pub(super) dark: &'static str,
    /// The only strong colour.
    pub(super) accent: &'static str,
    /// Lamps, sun and lit windows.
    pub(super) glow: &'static str,
    /// Cloth, plates, paper.
    pub(super) cream: &'static str,
}

const fn palette(name: &'static str, c: [&'static str; 8]) -> Palette {
    let [sky, haze, far, mid, dark, accent, glow, cream] = c;
    Palette {
        name,
        sky,
        haze,
        far,
        mid,
        dark,
        accent,
        glow,
        cream,
    }
}

#[rustfmt::skip]
const PALETTES: [Palette; 12] = [
    palette("dawn",    ["#f7dcc4", "#f2b998", "#c98b8b", "#8a5a6e", "#3a2a3f", "#d8412f", "#ffd27a", "#fff4e3"]),
    palette("noon",    ["#bfdde4", "#e9f1ea", "#8fb8b8", "#4c8285", "#1f3d47", "#e2552f", "#f7c548", "#fdf6e8"]),
    palette("lake",    ["#a9cde0", "#e5eef0", "#7aa7c4", "#3f6f97", "#1d2f4f", "#ef7b45", "#ffd98a", "#f8f3e6"]),
    palette("dusk",    ["#4a3b66", "#c26a78", "#8a5478", "#563a68", "#221a38", "#f2694c", "#ffc46b", "#ffe9cf"]),
    palette("night",   ["#18213f", "#34457a", "#2f3d70", "#1f2a52", "#0d1226", "#e8503a", "#ffd36e", "#f2e6cf"]),
    palette("moss",    ["#dfe3bd", "#f3eed6", "#a9b983", "#5f7f52", "#273b2e", "#c8502e", "#f0c34f", "#fbf6e4"]),
    palette("brick",   ["#f0d5c2", "#f8e8d8", "#cf8b6d", "#a5472f", "#43201c", "#1f5d63", "#f6c667", "#fff3e2"]),
    palette("mint",    ["#c3e4d6", "#f1f6ea", "#8cc5ae", "#3d8572", "#153f3c", "#e4572e", "#f9d26a", "#fff8ea"]),
    palette("plum",    ["#e3c5d6", "#f6e6e6", "#b887a8", "#7b3f6e", "#33163a", "#ee7f3b", "#fbc85f", "#fff1e6"]),
    palette("mustard", ["#f6d98a", "#fbeec5", "#d8a23c", "#9c6a22", "#3b2a1a", "#b6352b", "#fff0b0", "#fff8e2"]),
    palette("slate",   ["#bcc6d0", "#e8e9e6", "#97a4b3", "#566679", "#232d3b", "#d2452f", "#f2c26b", "#f7f2e7"]),
    palette("rose",    ["#f6c9c2", "#fbe6dc", "#e08e88", "#b04a55", "#47182b", "#28707a", "#ffd58c", "#fff3ea"]),
];

impl Palette {
    pub(super) fn named(name: &str) -> Option<Self> {
        PALETTES.into_iter().find(|palette| palette.name == name)
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn all() -> [Self; 12] {
        PALETTES
    }

    /// Colours for small things that should differ from each other.
    pub(super) fn mixed(&self) -> [&'static str; 5] {
        [self.accent, self.mid, self.glow, self.far, self.cream]
    }
}
