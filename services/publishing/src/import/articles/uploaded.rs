//! Paths of uploaded pictures, by their addresses on a former site.

use percent_encoding::percent_decode_str;

/// Address prefixes of uploads.
const ROOTS: [&str; 3] = ["/wp-content/uploads/", "/content/images/", "/"];

/// Returns the possible paths of an address in an uploads folder, most likely first.
pub(super) fn below(path: &str) -> Vec<String> {
    let Ok(path) = percent_decode_str(path).decode_utf8() else {
        return Vec::new();
    };
    let below = ROOTS.iter().filter_map(|root| path.split_once(root));
    below.map(|(_, below)| below.to_owned()).collect()
}

/// Removes WordPress's size suffix: "2013/03/tram-300x200.jpg" becomes "2013/03/tram.jpg".
pub(super) fn without_size(path: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.')?;
    let (original, size) = stem.rsplit_once('-')?;
    let (width, height) = size.split_once('x')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(width) && is_number(height)).then(|| format!("{original}.{extension}"))
}
