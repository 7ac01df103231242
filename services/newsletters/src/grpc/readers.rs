//! The calls about what this service keeps of readers.

use crate::{
    context::Context,
    usecases::{erase_reader::erase_reader, export_reader::export_reader},
};

chassis::readers_api!(newsletters, Context, erase_reader, export_reader);
