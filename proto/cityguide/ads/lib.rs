//! The contracts of the service ads, generated from `v1/*.proto`.

cityguide_proto::contract!(ads);
