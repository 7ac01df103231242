//! The contracts of the service newsletters, generated from `v1/*.proto`.

cityguide_proto::contract!(newsletters);
