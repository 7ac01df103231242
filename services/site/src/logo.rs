//! `[logo]` of a site's file: the brand's logo, in the same folder.

use std::{fs, path::Path};

use bytes::Bytes;
use chassis::digest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum file size in bytes, as every page loads the logo.
const MAX_SIZE: u64 = 64 * 1024;
/// Maximum width or height, in CSS pixels.
const MAX_EXTENT: u16 = 2000;
/// Path prefix of logos. The name is a digest of the content, so the content of an address never changes.
pub const FOLDER: &str = "/media/logo/";

struct Format {
    ending: &'static str,
    media_type: &'static str,
    is_type_of: fn(&[u8]) -> bool,
}

const FORMATS: [Format; 3] = [
    Format {
        ending: "svg",
        media_type: "image/svg+xml",
        is_type_of: is_svg,
    },
    Format {
        ending: "png",
        media_type: "image/png",
        is_type_of: |content| content.starts_with(b"\x89PNG\r\n\x1a\n"),
    },
    Format {
        ending: "webp",
        media_type: "image/webp",
        is_type_of: |content| content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP"),
    },
];

/// The brand's logo, shown instead of the site's name, which is the text alternative.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Logo {
    /// Name of a file in the folder of the site's file.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub file: String,
    /// Address, generated from the content and not from the site's file.
    #[serde(default)]
    #[schema(required = true)]
    pub url: String,
    /// Width in CSS pixels. Pages reserve space with this aspect ratio until the logo is loaded.
    pub width: u16,
    /// Height in CSS pixels.
    pub height: u16,
    /// Content of the file.
    #[serde(skip)]
    #[schema(ignore)]
    pub content: Bytes,
    /// Media type.
    #[serde(skip)]
    #[schema(ignore)]
    pub content_type: &'static str,
}

impl Logo {
    /// Rejects an invalid file name or size.
    pub fn check(&self) -> Result<(), String> {
        let Self { file, .. } = self;
        if file.is_empty() || file.starts_with('.') || file.contains(['/', '\\']) {
            return Err(format!(
                "logo.file: {file:?} is no name of a file beside it"
            ));
        }
        if ![self.width, self.height]
            .iter()
            .all(|extent| (1..=MAX_EXTENT).contains(extent))
        {
            return Err(format!(
                "logo: width and height are 1 to {MAX_EXTENT} pixels"
            ));
        }
        Ok(())
    }

    /// Reads the file and rejects formats that browsers cannot show.
    pub fn load(&mut self, folder: &Path) -> Result<(), String> {
        let refuse = |why: &str| format!("logo.file: {:?} {why}", self.file);
        let path = folder.join(&self.file);
        let size = fs::metadata(&path).map_err(|error| refuse(&error.to_string()))?;
        if size.len() > MAX_SIZE {
            return Err(refuse(&format!("has more than {MAX_SIZE} bytes")));
        }
        let content = fs::read(&path).map_err(|error| refuse(&error.to_string()))?;
        let ending = self.file.rsplit_once('.').map_or("", |(_, ending)| ending);
        let Format {
            ending,
            media_type,
            is_type_of,
        } = FORMATS
            .into_iter()
            .find(|known| known.ending.eq_ignore_ascii_case(ending))
            .ok_or_else(|| refuse("is neither .svg, .png nor .webp"))?;
        if !is_type_of(&content) {
            return Err(refuse(&format!("is not what its ending says: {ending}")));
        }
        let digest = digest::hex(&content, 16);
        self.url = format!("{FOLDER}{digest}.{ending}");
        self.content_type = media_type;
        self.content = content.into();
        Ok(())
    }
}

/// Whether the root element of an XML text is `svg`.
fn is_svg(content: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(content) else {
        return false;
    };
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some((end, skipped)) = [("<?", "?>"), ("<!--", "-->")]
        .into_iter()
        .find_map(|(begin, end)| Some((end, rest.strip_prefix(begin)?)))
    {
        let Some((_, after)) = skipped.split_once(end) else {
            return false;
        };
        rest = after.trim_start();
    }
    rest.strip_prefix("<svg")
        .is_some_and(|after| after.starts_with(|c: char| c.is_ascii_whitespace() || c == '>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str =
        "<?xml version=\"1.0\"?>\n<!-- ours -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    fn logo(file: &str, width: u16) -> Logo {
        let text = format!("file = {file:?}\nwidth = {width}\nheight = 40");
        toml::from_str(&text).expect("a logo")
    }

    fn loaded(file: &str, content: &[u8]) -> Result<Logo, String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(file), content).expect("writes");
        let mut logo = logo(file, 160);
        logo.load(folder.path()).map(|()| logo)
    }

    #[test]
    fn an_address_changes_with_the_content_and_pages_get_no_more_than_the_form() {
        let one = loaded("logo.svg", SVG.as_bytes()).expect("a logo");
        assert_eq!(
            (one.content_type, one.content.len()),
            ("image/svg+xml", SVG.len())
        );
        let other = loaded("logo.svg", SVG.replace("ours", "other").as_bytes()).expect("a logo");
        assert_ne!(one.url, other.url);
        let page = serde_json::to_value(&one).expect("JSON");
        assert_eq!(
            page,
            serde_json::json!({"url": one.url, "width": 160, "height": 40})
        );
        let ending = one
            .url
            .strip_prefix(FOLDER)
            .and_then(|name| name.split_once('.'));
        assert_eq!(ending.map(|(_, ending)| ending), Some("svg"));
        assert!(loaded("A.PNG", b"\x89PNG\r\n\x1a\n...").is_ok());
        assert!(loaded("a.webp", b"RIFF\0\0\0\0WEBPVP8 ").is_ok());
    }

    #[test]
    fn a_file_that_browsers_could_not_show_is_refused() {
        let long = format!("{SVG}{}", " ".repeat(64 * 1024));
        for (file, content, reason) in [
            ("logo.gif", "GIF89a", "neither .svg, .png nor .webp"),
            ("logo", SVG, "neither .svg, .png nor .webp"),
            ("logo.png", SVG, "not what its ending says"),
            ("logo.webp", "RIFF", "not what its ending says"),
            (
                "logo.svg",
                "<html><svg></svg></html>",
                "not what its ending says",
            ),
            ("logo.svg", "<svgs>", "not what its ending says"),
            ("logo.svg", "<!-- <svg>", "not what its ending says"),
            ("logo.svg", "", "not what its ending says"),
            ("logo.svg", &long, "more than 65536 bytes"),
        ] {
            let refused = loaded(file, content.as_bytes()).expect_err("refused");
            assert!(refused.contains(reason), "{file}: {refused}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let absent = logo("absent.svg", 160).load(folder.path());
        assert!(absent.expect_err("refused").contains("absent.svg"));
    }

    #[test]
    fn a_name_that_leads_elsewhere_or_a_form_without_extent_is_refused() {
        for file in ["", "../logo.svg", "/etc/logo.svg", "a\\b.svg", ".svg"] {
            assert!(logo(file, 160).check().is_err(), "{file}");
        }
        for width in [0, 2001] {
            assert!(logo("logo.svg", width).check().is_err(), "{width}");
        }
        assert_eq!(logo("logo.svg", 2000).check(), Ok(()));
    }
}
