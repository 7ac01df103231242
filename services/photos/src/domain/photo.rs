//! Readers' photos.

use chassis::error::{Fault, FieldError};
use chrono::{DateTime, Utc};
use pictures::{DETAIL, LISTING, NAV, Size, THUMBNAIL, WHOLE};
use uuid::Uuid;

use super::text;

/// The sizes of each photo.
pub(crate) static SIZES: [&Size; 5] = [&LISTING, &NAV, &DETAIL, &THUMBNAIL, &WHOLE];

/// Defines an enum whose values have names in the API and in the table. `read` adds the conversion from a name.
macro_rules! named {
    (read $(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        named! { $(#[$doc])* $type { $($(#[$variant_doc])* $variant = $name,)* } }

        impl $type {
            /// The value with this name.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $type {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $type {
            /// The value's name in the API and in the table.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}
pub(super) use named;

named! {
    read
    /// The status of a photo.
    Status {
        /// The sizes are being made.
        Processing = "processing",
        /// Awaits an operator's review.
        Waiting = "waiting",
        /// Visible to everyone.
        Published = "published",
        /// Refused; will not be published.
        Refused = "refused",
    }
}

named! {
    read
    /// The licence of a photo, by its SPDX name.
    Licence {
        /// No use outside of this site.
        AllRightsReserved = "all-rights-reserved",
        /// Any use, with the credit.
        By = "CC-BY-4.0",
        /// Any use, with the credit and under the same licence.
        BySa = "CC-BY-SA-4.0",
        /// Any use.
        Zero = "CC0-1.0",
    }
}

/// The data that a reader sends with the file.
#[derive(Debug, Clone)]
pub(crate) struct NewPhoto {
    pub(crate) listing_id: i64,
    pub(crate) description: String,
    pub(crate) credit: String,
    pub(crate) licence: Licence,
    /// The reader's name.
    pub(crate) full_name: String,
}

impl NewPhoto {
    /// Validates the texts; [`chassis::error::Code::Invalid`] names the fields.
    pub(crate) fn parse(
        listing_id: i64,
        [description, credit, licence]: [&str; 3],
        full_name: &str,
    ) -> Result<Self, Fault> {
        let mut errors = Vec::new();
        let mut checked = |field: &str, text: Result<String, String>| {
            text.unwrap_or_else(|message| {
                errors.push(FieldError::new(field, message));
                String::new()
            })
        };
        let description = checked("description", text::description(description));
        let credit = checked("credit", text::credit(credit));
        let licence = match licence {
            "" => Licence::AllRightsReserved,
            name => Licence::named(name).unwrap_or_else(|| {
                let message = format!("\"{name}\" is not a valid choice.");
                errors.push(FieldError::new("licence", message));
                Licence::AllRightsReserved
            }),
        };
        if !errors.is_empty() {
            return Err(Fault::invalid(errors));
        }
        Ok(Self {
            listing_id,
            description,
            credit,
            licence,
            full_name: full_name.to_owned(),
        })
    }
}

/// A stored photo.
#[derive(Debug, Clone)]
pub(crate) struct Photo {
    pub(crate) id: i64,
    pub(crate) profile_id: i64,
    pub(crate) listing_id: i64,
    pub(crate) status: Status,
    /// The reason that the photo awaits review; empty if nothing is suspicious.
    pub(crate) suspicion: String,
    /// The reason for the refusal; empty if the photo was not refused.
    pub(crate) reason: String,
    pub(crate) description: String,
    pub(crate) credit: String,
    pub(crate) licence: String,
    /// The folder of the photo's files.
    pub(crate) name: Uuid,
    /// The id of the received file, until the sizes are made.
    pub(crate) incoming: Option<Uuid>,
    /// `None` until the sizes are made.
    pub(crate) picture: Option<Picture>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) published_at: Option<DateTime<Utc>>,
    /// The uploader's name.
    pub(crate) full_name: String,
    /// The folder of the uploader's avatar.
    pub(crate) avatar: Option<Uuid>,
}

impl Photo {
    /// A photo that was deleted, in the state in which it was created.
    pub(crate) fn deleted(
        id: i64,
        profile_id: i64,
        new: &NewPhoto,
        created_at: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            profile_id,
            listing_id: new.listing_id,
            status: Status::Processing,
            suspicion: String::new(),
            reason: String::new(),
            description: new.description.clone(),
            credit: new.credit.clone(),
            licence: new.licence.as_str().to_owned(),
            name: Uuid::nil(),
            incoming: None,
            picture: None,
            created_at,
            published_at: None,
            full_name: new.full_name.clone(),
            avatar: None,
        }
    }
}

/// The properties of a picture whose sizes are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    /// The width of the whole picture, in pixels.
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) thumbhash: Vec<u8>,
}

impl Photo {
    /// Whether a caller may see the photo.
    pub(crate) fn is_for(&self, reader: Option<i64>) -> bool {
        self.status == Status::Published || reader == Some(self.profile_id)
    }
}
