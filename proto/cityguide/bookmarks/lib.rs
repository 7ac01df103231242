//! The contracts of the service bookmarks, generated from `v1/*.proto`.

cityguide_proto::contract!(bookmarks);
