//! Invalidates cached answers after changes reported by the bus.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
};
use cityguide_proto::{
    events::v1::{ItemsChanged, ListingRated, ListingsChanged, PhotosChanged},
    key,
};

use super::{cache::PublicCache, key::Tag};

#[async_trait]
impl Handler for PublicCache {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        // The message is not sent again, so an unknown change is recorded.
        self.invalidate(message)
            .inspect_err(|_| self.changes.note_gap())
    }

    async fn resumed(&self) {
        self.changes.note_gap();
    }
}

impl PublicCache {
    fn invalidate(&self, message: &Message) -> Result<(), Fault> {
        match message.key.as_str() {
            key::LISTINGS_CHANGED => {
                let ListingsChanged { listings } = decode(message)?;
                if listings.is_empty() {
                    self.changes.note(Tag::Areas);
                }
                for listing in &listings {
                    self.changes.note(Tag::Listing(listing.id));
                }
                self.changes.note(Tag::Listings);
            }
            // Lists show the new mean when they are next computed.
            key::LISTING_RATED => {
                let ListingRated { listing_id } = decode(message)?;
                self.changes.note(Tag::Listing(listing_id));
            }
            key::PHOTOS_CHANGED => {
                let PhotosChanged { listing_ids } = decode(message)?;
                for listing_id in listing_ids {
                    self.changes.note(Tag::PhotosOf(listing_id));
                }
                self.changes.note(Tag::Photos);
            }
            key::ITEMS_CHANGED => {
                let ItemsChanged { items } = decode(message)?;
                for item in &items {
                    self.changes.note(Tag::Item(item.id));
                }
                self.changes.note(Tag::Items);
            }
            // Sent by a newer version of a service; its meaning is unknown here.
            _ => self.changes.note_gap(),
        }
        Ok(())
    }
}
