//! The content of pages without scripts. Elements and classes are the application's own (`web/src`, whose
//! build names a class after its style sheet), so that nothing moves when the application takes over.

pub(super) mod cards;
pub(super) mod frame;
pub(super) mod front;
pub(super) mod hours;
pub(super) mod markup;
