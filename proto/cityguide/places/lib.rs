//! The contracts of the service places, generated from `v1/*.proto`.

cityguide_proto::contract!(places);
