//! The addresses of readers' photos: each is signed for one picture and one size, so that nobody can ask for sizes that are
//! not made, nor guess the address of a photo that is not published.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::keys::Keys;
use pictures::Size;

/// Where photos are served.
pub(crate) const FOLDER: &str = "/media/photos/";
/// Bytes of a code that stand in an address: 128 bits cannot be guessed.
const SHORTENED: usize = 16;

/// Signs and checks the addresses.
#[derive(Debug, Clone)]
pub(crate) struct PictureAddresses {
    keys: Keys,
}

impl PictureAddresses {
    /// The addresses of one system, whose processes share the keys.
    pub(crate) fn new(keys: &Keys) -> Self {
        Self {
            keys: keys.derive("picture addresses"),
        }
    }

    /// The address of a picture in a size.
    pub(crate) fn of(&self, name: &str, size: &Size) -> String {
        let tag = self.keys.tag(&[name, size.name]);
        let signature = BASE64_URL_SAFE_NO_PAD.encode(&tag[..SHORTENED]);
        format!("{FOLDER}{name}/{}/{signature}", size.name)
    }

    /// Whether this is the signature of a picture in a size.
    pub(super) fn allows(&self, name: &str, size: &str, signature: &str) -> bool {
        let Ok(tag) = BASE64_URL_SAFE_NO_PAD.decode(signature) else {
            return false;
        };
        tag.len() == SHORTENED && self.keys.begins_tag_of(&tag, &[name, size])
    }
}

#[cfg(test)]
mod tests {
    use pictures::{DETAIL, THUMBNAIL};

    use super::*;

    #[test]
    fn an_address_is_good_for_its_picture_in_its_size_alone() {
        let addresses = PictureAddresses::new(&Keys::one(&[7; 32]));
        let address = addresses.of("a", &DETAIL);
        let signature = address
            .strip_prefix("/media/photos/a/610x610/")
            .expect("an address");
        assert!(addresses.allows("a", "610x610", signature));
        assert!(!addresses.allows("a", THUMBNAIL.name, signature));
        assert!(!addresses.allows("b", "610x610", signature));
        for wrong in ["", "AAAA", &signature[..20], &format!("{signature}AA")] {
            assert!(!addresses.allows("a", "610x610", wrong), "{wrong}");
        }
        let others = PictureAddresses::new(&Keys::one(&[8; 32]));
        assert!(!others.allows("a", "610x610", signature));
    }
}
