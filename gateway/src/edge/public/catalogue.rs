//! What the bus tells of the catalogue drops the answers that show it.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode, key},
    error::Fault,
};
use cityguide_proto::events::v1::{ItemsChanged, ListingsChanged};

use super::{PublicAnswers, address::Tag};

#[async_trait]
impl Handler for PublicAnswers {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        // It will not come again, and something has changed.
        self.take(message).inspect_err(|_| self.changes.note_gap())
    }

    async fn resumed(&self) {
        self.changes.note_gap();
    }
}

impl PublicAnswers {
    fn take(&self, message: &Message) -> Result<(), Fault> {
        match message.key.as_str() {
            key::LISTINGS_CHANGED => {
                let ListingsChanged { listings } = decode(message)?;
                if listings.is_empty() {
                    self.changed(Tag::Areas);
                }
                for listing in &listings {
                    self.changed(Tag::Listing(listing.id));
                }
                self.changed(Tag::Listings);
            }
            key::ITEMS_CHANGED => {
                let ItemsChanged { items } = decode(message)?;
                for item in &items {
                    self.changed(Tag::Item(item.id));
                }
                self.changed(Tag::Items);
            }
            // Of a newer version of another service; what it means is not for us to guess.
            _ => self.changes.note_gap(),
        }
        Ok(())
    }

    fn changed(&self, tag: Tag) {
        self.changes.note(tag);
    }
}
