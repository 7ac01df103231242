//! Pages that show no more than a title without scripts.

use crate::{
    edge::error::ApiError,
    pages::{
        content::cards,
        first_answers::FirstAnswer,
        meta::Meta,
        opening::{Opening, PageContext},
    },
    site::Site,
    v2::items::archives,
};

pub(in crate::pages) fn archives_meta(_: &Site, path: &str) -> Meta {
    Meta::page("Archives", path)
}

pub(in crate::pages) async fn archives(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (_, answer) = page.get(archives::list_call()).await?;
    Ok(titled(archives_meta(page.site(), page.path), vec![answer]))
}

pub(in crate::pages) fn contact_meta(_: &Site, path: &str) -> Meta {
    Meta::page("Contact us", path)
}

pub(in crate::pages) fn search_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Search")
}

pub(in crate::pages) fn login_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Log in")
}

pub(in crate::pages) fn dashboard_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Your dashboard")
}

pub(in crate::pages) fn logout_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Log out")
}

/// A page without answers, whose head does not depend on anything.
pub(in crate::pages) fn titled(meta: Meta, answers: Vec<FirstAnswer>) -> Opening {
    let content = cards::title(meta.title.as_deref().unwrap_or_default());
    Opening {
        meta,
        content,
        answers,
    }
}
