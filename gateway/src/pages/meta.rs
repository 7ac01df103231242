//! The head of a page: title, description, canonical address, Open Graph, and structured data for search
//! engines (schema.org).

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::escape::{in_script, in_text};
use crate::v2::items::Card;

/// The head of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Meta {
    /// The title without the site's name, which is appended; absent on the front page.
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// Canonical path.
    pub(super) canonical: Option<String>,
    /// Path of a picture on this site.
    pub(super) image: Option<String>,
    /// Open Graph type: `article` if true, otherwise `website`.
    pub(super) is_article: bool,
    /// Feed of the page's content.
    pub(super) feed: Option<Feed>,
    /// schema.org objects without `@context`.
    pub(super) structured: Vec<Value>,
    /// Whether search engines must not list the page.
    pub(super) is_unlisted: bool,
}

/// A feed that a page links to.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    pub(super) title: String,
    pub(super) path: String,
}

impl Meta {
    /// A head with only a title.
    pub(super) fn titled(title: &str) -> Self {
        Self {
            title: Some(title.to_owned()),
            ..Self::default()
        }
    }

    /// The head of a page with a canonical path.
    pub(super) fn page(title: &str, path: &str) -> Self {
        Self {
            canonical: Some(path.to_owned()),
            ..Self::titled(title)
        }
    }

    /// Adds a description, which search engines show below the title.
    pub(super) fn described(self, description: String) -> Self {
        Self {
            description: Some(description),
            ..self
        }
    }

    /// The head of a page that search engines must not list.
    pub(super) fn unlisted(title: &str) -> Self {
        Self {
            is_unlisted: true,
            ..Self::titled(title)
        }
    }

    /// The head of an item's page.
    pub(super) fn item(item: &Card, path: &str) -> Self {
        Self {
            description: (!item.excerpt.is_empty()).then(|| item.excerpt.clone()),
            image: item.image_url.clone(),
            ..Self::page(&item.name, path)
        }
    }

    /// Renders the elements of the head. `origin` is the site's origin without a trailing slash.
    pub(super) fn html(&self, origin: &str, site: &str, tagline: &str) -> String {
        let title = match &self.title {
            Some(title) => format!("{title} · {site}"),
            None => format!("{site} · {tagline}"),
        };
        let mut html = format!("<title>{}</title>", in_text(&title));
        let mut meta = |attribute: &str, name: &str, content: &str| {
            let content = in_text(content);
            // Writing to a String cannot fail.
            let _ = write!(html, "<meta {attribute}=\"{name}\" content=\"{content}\">");
        };
        if let Some(description) = &self.description {
            meta("name", "description", description);
            meta("property", "og:description", description);
        }
        if self.is_unlisted {
            meta("name", "robots", "noindex");
        }
        meta("property", "og:site_name", site);
        meta(
            "property",
            "og:title",
            self.title.as_deref().unwrap_or(site),
        );
        let kind = if self.is_article {
            "article"
        } else {
            "website"
        };
        meta("property", "og:type", kind);
        if let Some(image) = &self.image {
            meta("property", "og:image", &format!("{origin}{image}"));
            meta("name", "twitter:card", "summary_large_image");
        }
        if let Some(path) = &self.canonical {
            let address = format!("{origin}{path}");
            meta("property", "og:url", &address);
            let _ = write!(
                html,
                "<link rel=\"canonical\" href=\"{}\">",
                in_text(&address)
            );
        }
        if let Some(Feed { title, path }) = &self.feed {
            let _ = write!(
                html,
                "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"{}\" href=\"{}\">",
                in_text(title),
                in_text(path)
            );
        }
        for object in &self.structured {
            let mut object = object.clone();
            object["@context"] = json!("https://schema.org");
            let text = in_script(&object.to_string());
            let _ = write!(html, "<script type=\"application/ld+json\">{text}</script>");
        }
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_where_the_page_is_and_what_it_shows() {
        let meta = Meta {
            title: Some("A \"new\" tram".to_owned()),
            canonical: Some("/news/tram/".to_owned()),
            image: Some("/media/tram.svg".to_owned()),
            is_article: true,
            feed: Some(Feed {
                title: "News & more".to_owned(),
                path: "/news/rss.xml".to_owned(),
            }),
            structured: vec![json!({"@type": "Thing", "name": "</script>"})],
            ..Meta::default()
        };
        let html = meta.html("https://x.example", "Site", "Tagline");
        for part in [
            "<title>A &quot;new&quot; tram · Site</title>",
            "<link rel=\"canonical\" href=\"https://x.example/news/tram/\">",
            "<meta property=\"og:image\" content=\"https://x.example/media/tram.svg\">",
            "<meta property=\"og:type\" content=\"article\">",
            "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"News &amp; more\" href=\"/news/rss.xml\">",
            "\"name\":\"\\u003c/script\\u003e\"",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("robots"));
        let front = Meta::default().html("https://x.example", "Site", "Tagline");
        assert!(
            front.starts_with("<title>Site · Tagline</title>"),
            "{front}"
        );
    }
}
