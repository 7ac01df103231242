//! The contracts of the service identity, generated from `v1/*.proto`.

cityguide_proto::contract!(identity);
