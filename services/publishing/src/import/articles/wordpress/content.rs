//! Converts a post's text with its blocks and shortcodes to plain HTML.

use std::collections::BTreeSet;

use super::{
    super::notes::Note,
    autop,
    index::Attachment,
    shortcodes::{self, Shortcode},
};

/// Beginning of the comment that marks a block.
const BLOCK: &str = "<!-- wp:";
/// Supported shortcodes.
const KNOWN: [&str; 13] = [
    "audio",
    "caption",
    "embed",
    "gallery",
    "googlemaps",
    "instagram",
    "playlist",
    "soundcloud",
    "video",
    "vimeo",
    "wp_caption",
    "wpvideo",
    "youtube",
];
/// Blocks without visible content, which need no note.
const SILENT: [&str; 4] = ["more", "nextpage", "separator", "spacer"];

/// Context of a text.
pub(super) struct Around<'a> {
    /// Returns the pictures of a gallery: the pictures with these ids, or all pictures of the post.
    pub(super) gallery: &'a dyn Fn(Option<&str>) -> Vec<Attachment>,
    pub(super) notes: &'a mut dyn FnMut(Note, String),
}

/// Whether a shortcode is supported.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

pub(super) fn html(text: &str, around: &mut Around<'_>) -> String {
    for block in filled_blocks(text) {
        (around.notes)(Note::Block, block);
    }
    let text = with_shortcodes(text, around, 0);
    if text.contains(BLOCK) {
        text
    } else {
        autop::paragraphs(&text)
    }
}

/// Returns the text before the mark at which WordPress cuts its own excerpts.
pub(super) fn before_more(text: &str) -> Option<&str> {
    let (before, _) = text.split_once("<!--more")?;
    Some(before)
}

/// Returns the names of empty blocks, which WordPress would fill.
fn filled_blocks(text: &str) -> BTreeSet<String> {
    let marks = text.split(BLOCK).skip(1);
    let marks = marks.filter_map(|rest| Some(&rest[..rest.find("-->")?]));
    let filled = marks.filter(|mark| mark.trim_end().ends_with('/'));
    let names = filled.filter_map(|mark| mark.split([' ', '/']).next());
    names
        .filter(|name| !SILENT.contains(name) && !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Maximum nesting depth of shortcodes.
const MAX_ENCLOSED: usize = 8;

fn with_shortcodes(text: &str, around: &mut Around<'_>, depth: usize) -> String {
    if depth > MAX_ENCLOSED {
        return text.to_owned();
    }
    shortcodes::replaced(text, &mut |shortcode| {
        let inner = shortcode
            .inner
            .map(str::trim)
            .filter(|inner| !inner.is_empty());
        match shortcode.name {
            "caption" | "wp_caption" => {
                let inner = with_shortcodes(inner?, around, depth + 1);
                Some(captioned(&inner, shortcode.attribute("caption").as_deref()))
            }
            "gallery" => {
                let ids = shortcode
                    .attribute("ids")
                    .or_else(|| shortcode.attribute("include"));
                let pictures = (around.gallery)(ids.as_deref());
                let figures: String = pictures.iter().map(figure).collect();
                Some(format!("<figure>{figures}</figure>"))
            }
            "audio" | "video" | "playlist" => Some(player(shortcode)),
            name if is_known(name) => {
                let address = inner.map(str::to_owned).or_else(|| address(shortcode));
                Some(linked(&address?))
            }
            name if shortcode.looks_like_one() => {
                (around.notes)(Note::Shortcode, name.to_owned());
                Some(with_shortcodes(
                    inner.unwrap_or_default(),
                    around,
                    depth + 1,
                ))
            }
            _ => None,
        }
    })
}

/// Converts a picture with a caption, which follows it or is in an attribute.
fn captioned(inner: &str, attribute: Option<&str>) -> String {
    let image = inner.find("<img").and_then(|at| {
        let end = at + inner[at..].find('>')? + 1;
        // The picture may be within a link.
        let after = inner[end..].trim_start();
        let closing = if after.starts_with("</a>") {
            "</a>".len()
        } else {
            0
        };
        Some(inner.len() - after.len() + closing)
    });
    let (picture, caption) = inner.split_at(image.unwrap_or_default());
    let caption = match attribute {
        Some(caption) => caption,
        None => caption.trim(),
    };
    format!("<figure>{picture}<figcaption>{caption}</figcaption></figure>")
}

fn figure(attachment: &Attachment) -> String {
    let quoted = html_escape::encode_double_quoted_attribute;
    format!(
        "<figure><img src=\"{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>",
        quoted(&attachment.address),
        quoted(&attachment.alternative),
        html_escape::encode_text(&attachment.caption)
    )
}

fn player(shortcode: &Shortcode<'_>) -> String {
    const SOURCES: [&str; 9] = [
        "src", "mp3", "mp4", "m4a", "m4v", "ogg", "wav", "webm", "flv",
    ];
    let named = SOURCES.iter().find_map(|name| shortcode.attribute(name));
    let address = named.or_else(|| shortcode.value());
    let address = address.filter(|address| address.starts_with("http"));
    address.map_or(String::new(), |address| {
        let address = html_escape::encode_double_quoted_attribute(&address);
        format!("<audio src=\"{address}\"></audio>")
    })
}

/// Returns the address of a service's content, from a shortcode with its address or number.
fn address(shortcode: &Shortcode<'_>) -> Option<String> {
    let named = ["url", "src", "id"]
        .iter()
        .find_map(|name| shortcode.attribute(name));
    let value = named.or_else(|| shortcode.value())?;
    let is_number = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    match shortcode.name {
        _ if value.starts_with("http") => Some(value),
        "youtube" if is_number => Some(format!("https://www.youtube.com/watch?v={value}")),
        "vimeo" if is_number => Some(format!("https://vimeo.com/{value}")),
        _ => None,
    }
}

fn linked(address: &str) -> String {
    let address = html_escape::encode_double_quoted_attribute(address);
    format!("<iframe src=\"{address}\"></iframe>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (String, Vec<(Note, String)>) {
        let mut notes = Vec::new();
        let gallery = |ids: Option<&str>| {
            let ids = ids.unwrap_or("1").split(',');
            let picture = |id: &str| Attachment {
                address: format!("https://a.example/{id}.jpg"),
                alternative: "A \"tram\"".to_owned(),
                caption: "The <501>".to_owned(),
                ..Attachment::default()
            };
            ids.map(picture).collect()
        };
        let html = html(
            text,
            &mut Around {
                gallery: &gallery,
                notes: &mut |what, detail| notes.push((what, detail)),
            },
        );
        (html, notes)
    }

    #[test]
    fn a_caption_belongs_to_its_picture() {
        let expected = "<figure><p><a href=\"x\"><img src=\"y\"></a></p><figcaption>It <em>is</em></figcaption></figure>";
        assert_eq!(
            shown("[caption id=\"1\"]<a href=\"x\"><img src=\"y\"></a> It <em>is</em>[/caption]").0,
            expected
        );
        assert_eq!(
            shown("[wp_caption caption=\"It\"]<img src=\"y\">[/wp_caption]").0,
            "<figure><p><img src=\"y\"></p><figcaption>It</figcaption></figure>"
        );
    }

    #[test]
    fn a_gallery_shows_its_pictures() {
        let (html, _) = shown("[gallery ids=\"1,2\" columns=3]");
        assert_eq!(html.matches("<figure>").count(), 3, "{html}");
        assert!(
            html.contains("src=\"https://a.example/2.jpg\" alt=\"A &quot;tram&quot;\""),
            "{html}"
        );
        assert!(
            html.contains("<figcaption>The &lt;501&gt;</figcaption>"),
            "{html}"
        );
        assert_eq!(shown("[gallery]").0.matches("<figure>").count(), 2);
    }

    #[test]
    fn players_and_services_become_what_can_be_linked() {
        for (text, expected) in [
            (
                "[audio https://a.example/x.mp3]",
                "<audio src=\"https://a.example/x.mp3\"></audio>",
            ),
            (
                "[video mp4=\"https://a.example/x.mp4\"][/video]",
                "<audio src=\"https://a.example/x.mp4\"></audio>",
            ),
            ("[audio]", ""),
            (
                "[embed]https://v.example/1?a=b&c[/embed]",
                "<iframe src=\"https://v.example/1?a=b&amp;c\"></iframe>",
            ),
            (
                "[youtube abc_-1]",
                "<iframe src=\"https://www.youtube.com/watch?v=abc_-1\"></iframe>",
            ),
            (
                "[youtube=https://y.example/x]",
                "<iframe src=\"https://y.example/x\"></iframe>",
            ),
            (
                "[vimeo 17]",
                "<iframe src=\"https://vimeo.com/17\"></iframe>",
            ),
        ] {
            let (html, notes) = shown(text);
            assert_eq!(
                html.replace("<p>", "").replace("</p>", ""),
                expected,
                "{text}"
            );
            assert_eq!(notes, [], "{text}");
        }
    }

    #[test]
    fn what_only_a_plug_in_understands_leaves_its_text_and_a_note() {
        let (html, notes) = shown("[vc_row a=b][vc_column]Text [sic][/vc_column][/vc_row]");
        assert_eq!(html, "<p>Text [sic]</p>");
        let names: Vec<&str> = notes.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["vc_row", "vc_column"]);
        let deep = "[a_a]".repeat(100) + &"[/a_a]".repeat(100);
        shown(&deep);
    }

    #[test]
    fn a_text_of_blocks_keeps_its_elements_and_notes_what_wordpress_fills() {
        let text = "<!-- wp:paragraph -->\n<p>One\ntwo</p>\n<!-- /wp:paragraph -->\n<!-- wp:spacer /-->\
            <!-- wp:latest-posts {\"a\":\"/b\"} /--><!-- wp:latest-posts /-->";
        let (html, notes) = shown(text);
        assert!(html.contains("<p>One\ntwo</p>"), "{html}");
        assert_eq!(notes, [(Note::Block, "latest-posts".to_owned())]);
        assert_eq!(before_more("a<!--more Go on-->b"), Some("a"));
        assert_eq!(before_more("ab"), None);
    }
}
