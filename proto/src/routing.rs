//! The exchanges to which events are published, and the routing keys that identify the kind of event. All exchanges are
//! topic exchanges; a consumer of every key binds `#`.

/// Exchanges.
pub mod exchange {
    /// A reader's saved things of one kind changed; `events.v1.LastUpdated`.
    pub const LAST_UPDATES: &str = "profile.last_updates";
    /// A reader saved an event with the calendar, or removed it; `events.v1.CalendarBookmarkChanged`.
    pub const CALENDAR: &str = "profile.calendar";
    /// A reader's account changed; the key identifies the change.
    pub const LIFECYCLE: &str = "profile.lifecycle";
    /// An operator decided about a photo; the key identifies the decision.
    pub const PHOTOS: &str = "photos";
    /// The catalogue changed; the key identifies the kind of object.
    pub const CATALOG: &str = "catalog";
    /// The plan of ads to serve changed; `events.v1.PlanChanged`.
    pub const ADS: &str = "ads";
    /// A consumer requests a replay of the exchange named by the key; `events.v1.ReplayRequest`. The exchange keeps the
    /// name from the first release, so that releases can run side by side.
    pub const REPLAY: &str = "retell";
}

/// Routing keys.
pub mod key {
    /// `events.v1.LastUpdated`.
    pub const LAST_UPDATED: &str = "last_updated";
    /// `events.v1.CalendarBookmarkChanged`.
    pub const CALENDAR_BOOKMARK_CHANGED: &str = "bookmark.changed";
    /// `events.v1.ListingsChanged`.
    pub const LISTINGS_CHANGED: &str = "listing.changed";
    /// `events.v1.ListingRated`.
    pub const LISTING_RATED: &str = "listing.rated";
    /// `events.v1.PhotosChanged`, on the exchange of the catalogue.
    pub const PHOTOS_CHANGED: &str = "photos.changed";
    /// `events.v1.PhotoRefused`.
    pub const PHOTO_REFUSED: &str = "photo.refused";
    /// `events.v1.ProfileChanged`.
    pub const PROFILE_CHANGED: &str = "profile.changed";
    /// `events.v1.ItemsChanged`.
    pub const ITEMS_CHANGED: &str = "item.changed";
    /// `events.v1.PlanChanged`.
    pub const PLAN_CHANGED: &str = "plan.changed";
}
