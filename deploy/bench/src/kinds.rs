//! The kinds of saved things, as the API and the services' tables name them.

/// A kind of saved thing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// In paths, and in the column `kind`.
    pub(crate) name: &'static str,
    /// The kind of thing that is saved.
    pub(crate) target: &'static str,
    /// The field that names the thing in a POST.
    pub(crate) field: &'static str,
    /// The schema of the service that keeps them.
    pub(crate) schema: &'static str,
}

pub(crate) const FAVOURITES: Kind = Kind {
    name: "favourites",
    target: "listing",
    field: "listing",
    schema: "bookmarks",
};

pub(crate) const TODOS: Kind = Kind {
    name: "todos",
    ..FAVOURITES
};

pub(crate) const ARTICLES: Kind = Kind {
    name: "article-bookmarks",
    target: "article",
    field: "object_id",
    schema: "bookmarks",
};

pub(crate) const EVENTS: Kind = Kind {
    name: "event-bookmarks",
    target: "event",
    ..ARTICLES
};

pub(crate) const VIDEOS: Kind = Kind {
    name: "video-bookmarks",
    target: "video",
    field: "video",
    schema: "bookmarks",
};

pub(crate) const RATINGS: Kind = Kind {
    name: "ratings",
    schema: "places",
    ..FAVOURITES
};

pub(crate) const ALL: [Kind; 6] = [FAVOURITES, TODOS, ARTICLES, EVENTS, VIDEOS, RATINGS];
