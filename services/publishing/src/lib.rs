//! What publishers hand in, read and passed on to the services that store it: folders of content and of campaigns, files of
//! other systems, and the feeds and calendars that are polled.

pub mod ads;
pub mod content;
mod file_names;
pub mod import;
pub mod sources;
mod text_files;
