//! Sizes of slots and creatives.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The maximum width and height of a creative, in CSS pixels.
const MAX: u16 = 2_000;

/// A size in CSS pixels, such as `970x250`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size {
    /// The width, at least 1.
    pub width: u16,
    /// The height, at least 1.
    pub height: u16,
}

impl Size {
    /// Creates a size; `None` unless both sides are from 1 to 2,000.
    #[must_use]
    pub fn new(width: u16, height: u16) -> Option<Self> {
        let fits = (1..=MAX).contains(&width) && (1..=MAX).contains(&height);
        fits.then_some(Self { width, height })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x');
        sides
            .and_then(|(width, height)| Self::new(width.parse().ok()?, height.parse().ok()?))
            .ok_or_else(|| {
                format!("{text:?} is no size: write one as 300x250, each side at most {MAX}")
            })
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}
