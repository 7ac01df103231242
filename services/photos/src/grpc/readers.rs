//! Erasure and export of readers' data.

use super::Api;
use crate::usecases::{erase_reader::erase_reader, export_reader::export_reader};

chassis::readers_api!(photos_proto, Api, erase_reader, export_reader);
