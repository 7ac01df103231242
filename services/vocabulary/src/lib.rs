//! Terms shared by several parts of the system, with their names and texts: kinds of newsletters, kinds of saved
//! objects, and positions on Earth.

pub mod newsletters;
pub mod position;
pub mod saved;
