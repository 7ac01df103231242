//! Texts in responses, generated here so that the page templates and the application show the same: Canadian English,
//! regardless of the reader's language.

pub(crate) mod duration;
pub(crate) mod numbers;
pub(crate) mod occasion;
pub(crate) mod opening_hours;
pub(crate) mod sentences;
pub(crate) mod this_year;
pub(crate) mod web_address;

pub(crate) use chassis::dates;
