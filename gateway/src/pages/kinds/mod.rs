//! The kinds of pages, a file for each or for a few that are alike: head, first calls, content without
//! scripts, and structured data. The table of pages names them.

pub(super) mod article;
pub(super) mod best_of_list;
pub(super) mod contest;
pub(super) mod event;
pub(super) mod grids;
pub(super) mod home;
pub(super) mod neighbourhoods;
pub(super) mod place;
pub(super) mod section;
pub(super) mod static_page;
pub(super) mod titles;
pub(super) mod types;
pub(super) mod video;
