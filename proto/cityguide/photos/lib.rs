//! The contracts of the service photos, generated from `v1/*.proto`.

cityguide_proto::contract!(photos);
