//! Photos imported by editors.

use chassis::error::Fault;
use chrono::{DateTime, Utc};

use super::NewPhoto;

/// The maximum length of an Instagram name, in characters.
const MAX_NAME: usize = 30;

/// A photo by an Instagram user.
#[derive(Debug, Clone)]
pub(crate) struct ImportedPhoto {
    /// The user's Instagram name, in lower case.
    pub(crate) instagram_user: String,
    /// The SHA-256 digest of the file.
    pub(crate) digest: [u8; 32],
    /// The place, the texts, and the name shown with the photo.
    pub(crate) photo: NewPhoto,
    /// When the photo was taken, if known.
    pub(crate) created_at: Option<DateTime<Utc>>,
}

impl ImportedPhoto {
    /// Validates the name and the texts; [`chassis::error::Code::Invalid`] names the fields.
    pub(crate) fn parse(
        listing_id: i64,
        digest: &[u8],
        [instagram_user, description, licence]: [&str; 3],
        created_at: Option<DateTime<Utc>>,
    ) -> Result<Self, Fault> {
        let digest = digest
            .try_into()
            .map_err(|_| Fault::invalid_field("digest", "Not a SHA-256."))?;
        let name = instagram_user.trim_start_matches('@').to_lowercase();
        let shown = format!("@{name}");
        let photo = NewPhoto::parse(listing_id, [description, "", licence], &shown);
        if !is_name(&name) {
            let message = "Not a name on Instagram: letters, digits, periods and underscores.";
            return Err(Fault::invalid_field("instagram_user", message));
        }
        Ok(Self {
            instagram_user: name,
            digest,
            photo: photo?,
            created_at,
        })
    }
}

/// Whether an uploader is an Instagram user, who has no profile.
pub(crate) const fn is_on_instagram(uploader: i64) -> bool {
    uploader < 0
}

fn is_name(name: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
    (1..=MAX_NAME).contains(&name.len()) && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_with_and_without_its_sign_and_in_any_case() {
        for name in ["hungry.in_parkdale", "@Hungry.In_Parkdale"] {
            let photo = ImportedPhoto::parse(7, &[1; 32], [name, "Soup", ""], None);
            let photo = photo.expect("valid");
            assert_eq!(photo.instagram_user, "hungry.in_parkdale");
            assert_eq!(photo.photo.full_name, "@hungry.in_parkdale");
        }
    }

    #[test]
    fn what_cannot_be_a_name_or_a_text_is_refused_by_field() {
        let long = "a".repeat(31);
        for name in ["", "@", "two words", "é", "a/b", &long] {
            let refused = ImportedPhoto::parse(7, &[1; 32], [name, "", ""], None);
            let fault = refused.expect_err("refused");
            assert_eq!(fault.fields[0].field, "instagram_user", "{name}");
        }
        let refused = ImportedPhoto::parse(7, &[1; 32], ["ada", "", "mine"], None);
        assert_eq!(refused.expect_err("refused").fields[0].field, "licence");
        let refused = ImportedPhoto::parse(7, &[1; 31], ["ada", "", ""], None);
        assert_eq!(refused.expect_err("refused").fields[0].field, "digest");
    }
}
