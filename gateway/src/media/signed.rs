//! Signed addresses of readers' photos. Each is valid for one picture and one size, so that clients can neither request
//! other sizes nor guess the address of an unpublished photo.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::keys::Keys;
use pictures::Size;

/// Path prefix of photos.
pub(crate) const FOLDER: &str = "/media/photos/";
/// Number of signature bytes in an address: 128 bits cannot be guessed.
const SHORTENED: usize = 16;

/// Signs and verifies addresses.
#[derive(Debug, Clone)]
pub(crate) struct PictureAddresses {
    keys: Keys,
}

impl PictureAddresses {
    /// Creates an instance with this system's keys, which all its processes share.
    pub(crate) fn new(keys: &Keys) -> Self {
        Self {
            keys: keys.derive("picture addresses"),
        }
    }

    /// Returns the address of a picture in a size.
    pub(crate) fn of(&self, name: &str, size: &Size) -> String {
        let tag = self.keys.tag(&[name, size.name]);
        let signature = BASE64_URL_SAFE_NO_PAD.encode(&tag[..SHORTENED]);
        format!("{FOLDER}{name}/{}/{signature}", size.name)
    }

    /// Whether the signature is valid for this picture and size.
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
