//! Reads publishers' content and sends it to the services that store it: content folders, campaign folders, files of
//! other systems, and polled feeds and calendars.

pub mod ads;
pub mod content;
mod file_names;
mod guide_places;
pub mod import;
pub mod sources;
mod text_files;
