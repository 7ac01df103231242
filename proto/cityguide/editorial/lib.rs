//! The contracts of the service editorial, generated from `v1/*.proto`.

cityguide_proto::contract!(editorial);
