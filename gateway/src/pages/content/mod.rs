//! The content of pages without scripts. Elements, classes, words and links are the application's own
//! (`web/src`, whose build names a class after its style sheet), so that nothing changes or moves when the
//! application takes over: `web/e2e/two-renderings.spec.ts` compares the two. Controls need scripts; an
//! element with `data-reserved` has the size of the control that the application puts there.

pub(super) mod ads;
pub(super) mod card;
pub(super) mod detail;
pub(super) mod frame;
pub(super) mod grid;
pub(super) mod head;
pub(super) mod item_cards;
pub(super) mod markup;
pub(super) mod opening;
