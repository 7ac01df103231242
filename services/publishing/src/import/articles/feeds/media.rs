//! Media RSS, used in both XML feed formats.

use std::io::BufRead;

use super::{
    super::elements::{Attributes, Elements, attribute},
    entry::{Entry, Text},
};

/// Reads the current element to its end if it belongs to Media RSS, otherwise skips it.
pub(super) fn read<R: BufRead>(
    entry: &mut Entry,
    feed: &mut Elements<R>,
    name: &str,
    attributes: &Attributes,
) -> Result<(), String> {
    match name {
        "media:content" | "media:group" => {
            let of = |name| attribute(attributes, name);
            entry.add_file(of("url"), of("type"), of("medium"));
            while let Some((name, attributes)) = feed.child()? {
                read(entry, feed, &name, &attributes)?;
            }
            Ok(())
        }
        "media:thumbnail" => {
            let address = attribute(attributes, "url");
            if entry.thumbnail.is_empty() {
                address.clone_into(&mut entry.thumbnail);
            }
            feed.skip()
        }
        "media:description" if entry.content.is_empty() => {
            let is_html = attribute(attributes, "type") == "html";
            let text = feed.text()?;
            entry.content = if is_html {
                Text::Html(text)
            } else {
                Text::Plain(text)
            };
            Ok(())
        }
        _ => feed.skip(),
    }
}
