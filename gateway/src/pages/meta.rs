//! What a page's head says of it: title, description, its one address, what others show of it when it is
//! shared, and what it is in terms that search engines read (schema.org).

use std::fmt::Write as _;

use serde_json::{Value, json};

/// What a page is about.
#[derive(Debug, Clone, Default)]
pub(super) struct Meta {
    /// Of the page alone; the site's name comes after it. Absent on the front page.
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// The path as links spell it.
    pub(super) canonical: Option<String>,
    /// A path of this site.
    pub(super) image: Option<String>,
    /// Open Graph's type; a page is a `website` where nothing is said.
    pub(super) is_article: bool,
    /// The newest of what the page shows, for feed readers.
    pub(super) feed: Option<Feed>,
    /// schema.org objects, without their context.
    pub(super) structured: Vec<Value>,
    /// Search engines are to leave it alone.
    pub(super) is_unlisted: bool,
}

/// A feed that a page points to.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    pub(super) title: String,
    pub(super) path: String,
}

impl Meta {
    /// A page that is nothing but its title.
    pub(super) fn titled(title: &str) -> Self {
        Self {
            title: Some(title.to_owned()),
            ..Self::default()
        }
    }

    /// The elements of the head. `origin` is the site's own, without a slash at its end.
    pub(super) fn html(&self, origin: &str, site: &str, tagline: &str) -> String {
        let title = match &self.title {
            Some(title) => format!("{title} · {site}"),
            None => format!("{site} · {tagline}"),
        };
        let mut html = format!("<title>{}</title>", in_text(&title));
        let mut meta = |attribute: &str, name: &str, content: &str| {
            let content = in_text(content);
            // A String takes whatever is written.
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

/// Where a page stands, as schema.org says it: names and paths from the front page on.
pub(super) fn breadcrumbs(origin: &str, steps: &[(&str, &str)]) -> Value {
    let items = steps.iter().zip(1..).map(|((name, path), position)| {
        json!({
            "@type": "ListItem",
            "position": position,
            "name": name,
            "item": format!("{origin}{path}"),
        })
    });
    json!({"@type": "BreadcrumbList", "itemListElement": items.collect::<Vec<_>>()})
}

/// Text within HTML or an attribute in double quotes.
pub(super) fn in_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// JSON within a script element: nothing in it can end the element or a line of script.
pub(super) fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_place() {
        assert_eq!(
            in_text("</title><b a=\"&\">"),
            "&lt;/title&gt;&lt;b a=&quot;&amp;&quot;&gt;"
        );
        let json = json!({"name": "</script>\u{2028}&"}).to_string();
        let sealed = in_script(&json);
        assert!(!sealed.contains(['<', '>', '&', '\u{2028}']), "{sealed}");
        let back: Value = serde_json::from_str(&sealed).expect("still JSON");
        assert_eq!(back["name"], "</script>\u{2028}&");
    }

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
            structured: vec![breadcrumbs("https://x.example", &[("</script>", "/")])],
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
