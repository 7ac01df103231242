//! gRPC methods for readers' data in this service.

use super::Api;
use crate::usecases::{erase_reader::erase_reader, export_reader::export_reader};

chassis::readers_api!(places_proto, Api, erase_reader, export_reader);
