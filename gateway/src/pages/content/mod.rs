//! Page content without scripts. Elements, classes, words and links are the same as the application's (`web/src`, whose
//! build names classes after their style sheets), so that nothing changes or moves when the application takes over:
//! `web/renderings/` compares both renderings. Controls need scripts; an element with `data-reserved`
//! has the size of the control that replaces it.

pub(super) mod ads;
pub(super) mod card;
pub(super) mod detail;
pub(super) mod frame;
pub(super) mod grid;
pub(super) mod head;
pub(super) mod icons;
pub(super) mod item_cards;
pub(super) mod markup;
pub(super) mod opening;
pub(super) mod results;
pub(super) mod share;
pub(super) mod stars;
