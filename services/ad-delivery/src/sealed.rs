//! Signed bytes, encoded as text for addresses and pages.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::keys::Keys;

/// The length of a signature: 128 bits, which cannot be guessed while the signed data is valid.
const TAG: usize = 16;

/// Signs and encodes bytes.
pub(crate) fn seal(keys: &Keys, mut bytes: Vec<u8>) -> String {
    let tag = keys.tag(&[&BASE64_URL_SAFE_NO_PAD.encode(&bytes)]);
    bytes.extend(&tag[..TAG]);
    BASE64_URL_SAFE_NO_PAD.encode(&bytes)
}

/// Decodes and verifies a text with at most `longest` bytes; `None` if it was not signed with these keys.
pub(crate) fn open(keys: &Keys, text: &str, longest: usize) -> Option<Vec<u8>> {
    let longest = (longest + TAG) * 2;
    let whole = (text.len() <= longest).then(|| BASE64_URL_SAFE_NO_PAD.decode(text).ok())??;
    let (bytes, tag) = whole.split_last_chunk::<TAG>()?;
    let content = BASE64_URL_SAFE_NO_PAD.encode(bytes);
    keys.begins_tag_of(tag, &[&content]).then(|| bytes.to_vec())
}
