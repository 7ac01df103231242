//! The paths of uploaded pictures, by their addresses on a former site.

use percent_encoding::percent_decode_str;

/// Where uploads are in a folder, by the part of their address in front of them.
const ROOTS: [&str; 3] = ["/wp-content/uploads/", "/content/images/", "/"];

/// The paths in a folder of uploads that the path of an address may stand for, the likeliest first.
pub(super) fn below(path: &str) -> Vec<String> {
    let Ok(path) = percent_decode_str(path).decode_utf8() else {
        return Vec::new();
    };
    let below = ROOTS.iter().filter_map(|root| path.split_once(root));
    below.map(|(_, below)| below.to_owned()).collect()
}

/// "2013/03/tram.jpg" of "2013/03/tram-300x200.jpg", a size that WordPress has made.
pub(super) fn without_size(path: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.')?;
    let (original, size) = stem.rsplit_once('-')?;
    let (width, height) = size.split_once('x')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(width) && is_number(height)).then(|| format!("{original}.{extension}"))
}
