//! Links, and elements that are converted to links.

use std::sync::Mutex;

use htmd::{
    Element,
    element_handler::{HandlerResult, Handlers},
};
use url::Url;

use super::{
    super::{
        super::text::{self, attribute, children, one_line, tag},
        notes::Note,
    },
    state::{FormerSite, State, locked},
};

/// Maximum length of an embed's link text, in characters.
const MAX_LINK_TEXT: usize = 60;

/// Converts a link. A link around a picture only opened a larger version and is removed.
pub(super) fn link(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let content = handlers.walk_children(element.node).content;
    let shown = content.trim();
    if shown.is_empty() {
        return None;
    }
    if shown.starts_with("![") {
        return Some(content.into());
    }
    let address = attribute(element.node, "href").unwrap_or_default();
    let mut state = locked(state);
    let Some(address) = state.link(&address) else {
        return Some(content.into());
    };
    let spaces = |is_one: bool| if is_one { " " } else { "" };
    Some(
        format!(
            "{}[{}]({}){}",
            spaces(content.starts_with(char::is_whitespace)),
            one_line(shown),
            destination(&address),
            spaces(content.ends_with(char::is_whitespace)),
        )
        .into(),
    )
}

impl State {
    /// Returns the target of a link on this site; `None` if it has no target.
    fn link(&mut self, address: &str) -> Option<String> {
        let address = address.trim();
        if address.starts_with('#') {
            return Some(address.to_owned());
        }
        let address = &self.resolved(address);
        if address.starts_with(['/', '?']) && !address.starts_with("//") {
            self.check_own(address);
            return Some(address.to_owned());
        }
        let whole = if address.starts_with("//") {
            format!("https:{address}")
        } else {
            address.clone()
        };
        let url = Url::parse(&whole).ok()?;
        if !matches!(url.scheme(), "http" | "https" | "mailto" | "tel") {
            return None;
        }
        let Some(host) = url.host_str().filter(|host| self.site.is_its(host)) else {
            return Some(whole);
        };
        let path = url.path();
        if path.contains("/wp-content/") {
            self.notes
                .push((Note::Link, format!("a file of {host}: {whole}")));
            return Some(whole);
        }
        let with_slash = if path.ends_with('/') {
            path.to_owned()
        } else {
            format!("{path}/")
        };
        let known = &self.site.paths;
        let is_home = with_slash == "/" && url.query().is_none();
        let by_number = url.query().map(|query| format!("/?{query}"));
        let is_known = is_home
            || known.contains(&with_slash)
            || by_number.is_some_and(|path| known.contains(&path));
        if self.site.is_partial && !is_known {
            return Some(whole);
        }
        if !known.is_empty() && !is_known {
            self.notes.push((Note::Link, whole.clone()));
        }
        let query = url
            .query()
            .map_or(String::new(), |query| format!("?{query}"));
        let fragment = url
            .fragment()
            .map_or(String::new(), |part| format!("#{part}"));
        Some(format!("{path}{query}{fragment}"))
    }
}

impl State {
    /// Records a note for a link without a host whose target is not in the file, if the links of the former site have
    /// no hosts.
    fn check_own(&mut self, address: &str) {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        let path = path.trim_end_matches('/');
        if !self.site.hosts.is_empty() || path.is_empty() {
            return;
        }
        let paths = &self.site.paths;
        if path.starts_with("/content/") {
            let detail = format!("a file of the former site: {address}");
            self.notes.push((Note::Link, detail));
        } else if !paths.is_empty() && !paths.contains(&format!("{path}/")) {
            self.notes.push((Note::Link, address.to_owned()));
        }
    }
}

impl FormerSite {
    fn is_its(&self, host: &str) -> bool {
        let host = host.trim_start_matches("www.");
        self.hosts.contains(host)
    }
}

/// Converts a player or frame of another site to a link to its content.
pub(super) fn embed(
    state: &Mutex<State>,
    _: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let node = element.node;
    let own = ["src", "data-src"]
        .iter()
        .find_map(|name| attribute(node, name));
    let address = own.filter(|address| !address.is_empty()).or_else(|| {
        let sources = children(node).into_iter();
        sources
            .filter(|child| tag(child) == Some("source"))
            .find_map(|source| attribute(&source, "src"))
    })?;
    let title = attribute(node, "title").unwrap_or_default();
    embedded(state, &address, &one_line(&title))
}

/// Converts a block of text. A WordPress embed wrapper contains only an address, which becomes a link.
pub(super) fn wrapper(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let classes = attribute(element.node, "class").unwrap_or_default();
    let inner = text::content(element.node);
    if classes.contains("wp-block-embed__wrapper") && Url::parse(inner.trim()).is_ok() {
        return embedded(state, inner.trim(), "");
    }
    let content = handlers.walk_children(element.node).content;
    Some(format!("\n\n{}\n\n", content.trim_matches('\n')).into())
}

pub(super) fn embedded(state: &Mutex<State>, address: &str, title: &str) -> Option<HandlerResult> {
    let mut state = locked(state);
    let address = watched(&state.link(address)?);
    let name = match Url::parse(&address) {
        _ if !title.is_empty() => title.to_owned(),
        Ok(url) => {
            let host = url.host_str().unwrap_or_default();
            let host = host.trim_start_matches("www.");
            format!("{host}{}", url.path().trim_end_matches('/'))
        }
        Err(_) => address.clone(),
    };
    let name = if name.chars().count() > MAX_LINK_TEXT {
        let begin: String = name.chars().take(MAX_LINK_TEXT - 1).collect();
        format!("{begin}…")
    } else {
        name
    };
    state.notes.push((Note::Embed, address.clone()));
    let link = format!("[{}]({})", text::escaped(&name), destination(&address));
    Some(format!("\n\n{link}\n\n").into())
}

/// Builds a paragraph with only a link; without a title, the link text is the address.
pub(super) fn paragraph(state: &Mutex<State>, address: &str, title: &str) -> Option<HandlerResult> {
    let address = locked(state).link(address)?;
    let title = if title.is_empty() {
        text::escaped(&address)
    } else {
        text::escaped(title)
    };
    Some(format!("\n\n[{title}]({})\n\n", destination(&address)).into())
}

/// Returns the public page for a player's address.
fn watched(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return address.to_owned();
    };
    let last = url.path().rsplit('/').next().unwrap_or_default();
    match url.host_str().map(|host| host.trim_start_matches("www.")) {
        Some("youtube.com" | "youtube-nocookie.com")
            if ["/embed/", "/v/"]
                .iter()
                .any(|player| url.path().starts_with(player)) =>
        {
            format!("https://www.youtube.com/watch?v={last}")
        }
        Some("player.vimeo.com") => format!("https://vimeo.com/{last}"),
        _ => address.to_owned(),
    }
}

/// Escapes an address for a Markdown link.
fn destination(address: &str) -> String {
    let mut safe = String::with_capacity(address.len());
    for character in address.chars() {
        match character {
            '(' => safe.push_str("%28"),
            ')' => safe.push_str("%29"),
            '<' => safe.push_str("%3C"),
            '>' => safe.push_str("%3E"),
            '\\' => safe.push_str("%5C"),
            character if character.is_whitespace() || character.is_control() => {
                safe.push_str("%20");
            }
            character => safe.push(character),
        }
    }
    safe
}
