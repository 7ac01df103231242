//! Background work.

pub(crate) mod delete_files;
pub(crate) mod make_pictures;
