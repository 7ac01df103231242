//! The terms that several parts of the system share, each with one name and one set of texts: kinds of newsletters, kinds of
//! saved things, and positions on Earth.

pub mod newsletters;
pub mod position;
pub mod saved;
