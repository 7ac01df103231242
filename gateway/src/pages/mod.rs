//! The site's pages: the built web application with the site's settings, the page's head, its first API responses and
//! its content without scripts in the HTML. Pages are the same for everyone and are cached like public API responses.
//!
//! `kinds.rs` has the table of pages; each kind has a file below it with its head, first calls and content.

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
    kinds::{listed, page_names, section_at},
    shell::Shell,
};
