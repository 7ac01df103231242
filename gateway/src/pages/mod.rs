//! The site's pages: the built web application, with the site's settings, the page's head, its first API
//! answers and its content without scripts in the HTML. A page is the same for everyone, and is cached as
//! the API's public answers are.
//!
//! `kinds.rs` is the one table of pages; each kind has its head, first calls and content in a file below it.

pub(crate) mod ad_previews;
mod content;
mod escape;
mod files;
mod first_answers;
mod handler;
pub(crate) mod issues;
mod kinds;
pub(crate) mod mailed;
mod meta;
mod opening;
mod schema_org;
mod scripts;
mod shell;

pub use self::kinds::{fixed_routes, page_table};
pub(crate) use self::{
    first_answers::OwnApi,
    handler::{PagesState, page},
    kinds::{listed, section_at},
    shell::Shell,
};
