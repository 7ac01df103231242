//! A page's opening and the context for creating it.

use maud::Markup;
use serde::de::DeserializeOwned;
use site::Site;

use super::{
    first_answers::{FirstAnswer, OwnApi},
    meta::{Feed, Meta},
};
use crate::{
    catalogue::Catalogue,
    edge::{error::ApiError, limits::Client},
    v2::{call::PublicCall, resolve},
};

/// The default order of most grids.
pub(super) const NEWEST: (&str, &str) = ("ordering", "-date_published");

/// Context of a page being rendered.
pub(super) struct PageContext<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) api: &'a OwnApi,
    /// Canonical path; a search's path includes the question.
    pub(super) path: &'a str,
    /// The client that the page is rendered for.
    pub(super) client: Option<&'a Client>,
}

/// A page's head, its content without scripts, and the API responses that the application starts with.
pub(super) struct Opening {
    pub(super) meta: Meta,
    pub(super) content: Markup,
    pub(super) answers: Vec<FirstAnswer>,
}

impl PageContext<'_> {
    pub(super) fn site(&self) -> &Site {
        &self.catalogue.site
    }

    /// The site's origin without a trailing slash.
    pub(super) fn origin(&self) -> &str {
        self.catalogue.origin.as_str()
    }

    /// The last segment of the path.
    pub(super) fn slug(&self) -> &str {
        let word = self.path.trim_end_matches('/').rsplit('/').next();
        word.unwrap_or_default()
    }

    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        call: PublicCall<T>,
    ) -> Result<(T, FirstAnswer), ApiError> {
        self.api.get(call).await
    }

    /// Calls the API; a computed response counts against the limit of the page's client.
    pub(super) async fn get_counted<T: DeserializeOwned>(
        &self,
        call: PublicCall<T>,
    ) -> Result<(T, FirstAnswer), ApiError> {
        self.api.get_for(self.client, call).await
    }

    /// Calls the API for the object at this path. Returns the parsed response, and the responses to embed: the resolved
    /// path and the object.
    pub(super) async fn get_resolved<T: DeserializeOwned>(
        &self,
        call: PublicCall<T>,
    ) -> Result<(T, Vec<FirstAnswer>), ApiError> {
        let resolving = self.get(resolve::call(self.path));
        let ((_, resolved), (value, answer)) = tokio::try_join!(resolving, self.get(call))?;
        Ok((value, vec![resolved, answer]))
    }
}

/// The feed of a section's articles, or of all articles without a section.
pub(super) fn feed(site: &Site, section: Option<&str>) -> Option<Feed> {
    let name = match section {
        Some(slug) => site.section_name(slug)?,
        None => &site.name,
    };
    site.has("articles").then(|| Feed {
        title: name.to_owned(),
        path: Site::feed_path(section),
    })
}
