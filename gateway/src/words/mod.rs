//! Wordings in answers, made here so that the pages' templates and the application show the same: Canadian
//! English, whatever the reader's own language.

pub(crate) mod duration;
pub(crate) mod numbers;
pub(crate) mod occasion;
pub(crate) mod opening_hours;
pub(crate) mod sentences;
pub(crate) mod web_address;

pub(crate) use chassis::dates;
