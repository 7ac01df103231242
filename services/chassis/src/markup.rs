//! Publishers' text: Markdown, rendered to HTML that is safe to embed in a page.

mod names;
mod places;

use std::{fmt::Write as _, sync::LazyLock};

use ammonia::Builder;
use pulldown_cmark::{CowStr, Event, Parser, Tag, TagEnd, html};

use self::places::OPTIONS;
pub use self::{
    names::typographic,
    places::{LinkedPlace, Mention, mentions, phrases},
};

/// Removes all HTML that is not permitted.
static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder.add_tag_attributes("img", ["loading"]);
    builder.add_tag_attributes("a", ["data-place"]);
    builder.add_tag_attributes("aside", ["data-place"]);
    builder
});

/// Renders Markdown. Embedded HTML is dropped, and the output is sanitised as well. A picture that is a whole paragraph
/// becomes a figure with the picture's title as its caption; several pictures in one paragraph become a figure of
/// figures. An address that ends with a size, such as `/media/pictures/…/whole#1600x1067`, gets a width and height, so
/// that its space is reserved.
#[must_use]
pub fn render(markdown: &str) -> String {
    sanitised(with_pictures(without_html(Parser::new_ext(
        markdown, OPTIONS,
    ))))
}

/// A text that may name places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Sanitised HTML. A link to a place has the attribute `data-place` with the place's id. After the block that first
    /// names a place stands an empty `<aside data-place="…"></aside>`, the position of the place's card.
    pub html: String,
    /// Ids of the named places, in the order of their first names.
    pub listing_ids: Vec<i64>,
}

/// Renders Markdown that names places as `[[place:slug]]` or `[[place:slug|other words]]`. The first occurrence of each
/// exact name in `names` becomes a link too, without a card. The error is the slugs that `find` does not find.
pub fn render_with(
    markdown: &str,
    find: &dyn Fn(&str) -> Option<LinkedPlace>,
    names: &[LinkedPlace],
) -> Result<Rendered, Vec<String>> {
    let events = with_pictures(without_html(places::parse(markdown).into_iter()));
    let (events, listing_ids) = places::with_links(events, find, names)?;
    Ok(Rendered {
        html: sanitised(events),
        listing_ids,
    })
}

fn without_html<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    events.filter(|event| !matches!(event, Event::Html(_) | Event::InlineHtml(_)))
}

fn sanitised(events: Vec<Event<'_>>) -> String {
    let mut rendered = String::new();
    html::push_html(&mut rendered, events.into_iter());
    SANITISER.clean(&rendered).to_string()
}

/// A picture being read.
struct Picture<'a> {
    address: CowStr<'a>,
    title: CowStr<'a>,
    alternative: String,
    /// The depth of nested pictures in the alternative text.
    within: usize,
}

/// Replaces each picture by an event with its HTML.
fn with_pictures<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let mut shown: Vec<Event<'a>> = Vec::new();
    let mut picture: Option<Picture<'a>> = None;
    for event in events {
        match (event, &mut picture) {
            (
                Event::Start(Tag::Image {
                    dest_url, title, ..
                }),
                None,
            ) => {
                picture = Some(Picture {
                    address: dest_url,
                    title,
                    alternative: String::new(),
                    within: 0,
                });
            }
            (Event::Start(Tag::Image { .. }), Some(outer)) => outer.within += 1,
            (Event::End(TagEnd::Image), Some(outer)) if outer.within > 0 => outer.within -= 1,
            (Event::End(TagEnd::Image), Some(_)) => {
                if let Some(picture) = picture.take() {
                    shown.push(Event::InlineHtml(picture.html().into()));
                    shown.push(Event::InlineHtml(picture.caption().into()));
                }
            }
            // The alternative text may contain emphasis or pictures; only the words are kept.
            (Event::Text(text) | Event::Code(text), Some(picture)) => {
                picture.alternative.push_str(&text);
            }
            (Event::SoftBreak | Event::HardBreak, Some(picture)) => picture.alternative.push(' '),
            (_, Some(_)) => {}
            (Event::End(TagEnd::Paragraph), None) => {
                let begin = shown
                    .iter()
                    .rposition(|event| *event == Event::Start(Tag::Paragraph));
                let begin = begin.unwrap_or_default();
                match figures(&shown[begin + 1..]) {
                    Some(figures) => {
                        shown.truncate(begin);
                        shown.push(Event::Html(figures.into()));
                    }
                    None => shown.push(Event::End(TagEnd::Paragraph)),
                }
            }
            (event, None) => shown.push(event),
        }
    }
    without_captions_within_lines(shown)
}

/// The figures of a paragraph that contains only pictures.
fn figures(within: &[Event<'_>]) -> Option<String> {
    let mut figures: Vec<String> = Vec::new();
    for event in within {
        match event {
            Event::InlineHtml(html) if html.starts_with("<img") => {
                figures.push(html.to_string());
            }
            Event::InlineHtml(caption) => figures.last_mut()?.push_str(caption),
            Event::SoftBreak | Event::HardBreak => {}
            Event::Text(text) if text.trim().is_empty() => {}
            _ => return None,
        }
    }
    let all = figures.join("</figure><figure>");
    match figures.len() {
        0 => None,
        1 => Some(format!("<figure>{all}</figure>\n")),
        _ => Some(format!("<figure><figure>{all}</figure></figure>\n")),
    }
}

/// Removes captions outside of figures.
fn without_captions_within_lines(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let is_caption =
        |event: &Event<'_>| matches!(event, Event::InlineHtml(html) if !html.starts_with("<img"));
    events
        .into_iter()
        .filter(|event| !is_caption(event))
        .collect()
}

impl Picture<'_> {
    fn html(&self) -> String {
        let (address, size) = sized(&self.address);
        let mut html = format!(
            "<img src=\"{}\" alt=\"{}\" loading=\"lazy\"",
            html_escape::encode_double_quoted_attribute(address),
            html_escape::encode_double_quoted_attribute(&self.alternative)
        );
        if let Some([width, height]) = size {
            // Writing to a String cannot fail.
            let _ = write!(html, " width=\"{width}\" height=\"{height}\"");
        }
        html + ">"
    }

    fn caption(&self) -> String {
        if self.title.is_empty() {
            return String::new();
        }
        let caption = html_escape::encode_text(&self.title);
        format!("<figcaption>{caption}</figcaption>")
    }
}

/// Splits an address into the plain address and the width and height in pixels after `#`.
fn sized(address: &str) -> (&str, Option<[u32; 2]>) {
    let Some((plain, size)) = address.rsplit_once('#') else {
        return (address, None);
    };
    let sides = size.split_once('x');
    let sides = sides.and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    match sides {
        Some(sides) => (plain, Some(sides)),
        None => (address, None),
    }
}

/// The text of sanitised HTML, without its tags.
#[must_use]
pub fn plain(html: &str) -> String {
    let escaped = ammonia::Builder::empty().clean(html).to_string();
    html_escape::decode_html_entities(&escaped).into_owned()
}

/// The text of the first paragraph of sanitised HTML; empty without a paragraph. Headings and captions are skipped.
#[must_use]
pub fn first_paragraph(html: &str) -> String {
    let paragraph = html.split_once("<p>").map_or("", |(_, after)| after);
    plain(paragraph.split("</p>").next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_read_without_its_tags() {
        let html = render("Fish & *chips*.\n\n## Later\n\n5 < 6");
        let text = plain(&html);
        let lines: Vec<_> = text.split_whitespace().collect();
        assert_eq!(lines.join(" "), "Fish & chips. Later 5 < 6");
    }

    #[test]
    fn the_first_paragraph_follows_headings_and_pictures() {
        let html = render("## The room\n\n![A bar](/a.svg)\n\nFish & *chips*,\ndaily.\n\nMore.");
        assert_eq!(first_paragraph(&html), "Fish & chips,\ndaily.");
        assert_eq!(first_paragraph("<h2>Only</h2>"), "");
    }

    #[test]
    fn a_picture_alone_is_a_figure_with_its_caption_and_its_space() {
        let html =
            render("Before.\n\n![A *red* \"tram\"](/media/a#1600x900 \"Line & 501\")\n\nAfter.");
        assert_eq!(
            html,
            "<p>Before.</p>\n<figure><img src=\"/media/a\" alt=\"A red “tram”\" loading=\"lazy\" width=\"1600\" \
             height=\"900\"><figcaption>Line &amp; 501</figcaption></figure>\n<p>After.</p>\n"
        );
        assert_eq!(
            render("![](/a.svg)"),
            "<figure><img src=\"/a.svg\" alt=\"\" loading=\"lazy\"></figure>\n"
        );
        let gallery = render("![](/a.svg \"One\")\n![](/b.svg)");
        assert_eq!(
            gallery,
            "<figure><figure><img src=\"/a.svg\" alt=\"\" loading=\"lazy\"><figcaption>One</figcaption></figure>\
             <figure><img src=\"/b.svg\" alt=\"\" loading=\"lazy\"></figure></figure>\n"
        );
    }

    #[test]
    fn a_picture_within_a_line_stays_there() {
        let html =
            render("See ![it](/a.svg#x \"caption\") here and ![](/b.svg).\n\n- ![c](/c.svg \"d\")");
        assert_eq!(
            html,
            "<p>See <img src=\"/a.svg#x\" alt=\"it\" loading=\"lazy\"> here and <img src=\"/b.svg\" alt=\"\" \
             loading=\"lazy\">.</p>\n<ul>\n<li><img src=\"/c.svg\" alt=\"c\" loading=\"lazy\"></li>\n</ul>\n"
        );
        assert_eq!(
            render("![a ![b](/b) c](/a) d"),
            "<p><img src=\"/a\" alt=\"a b c\" loading=\"lazy\"> d</p>\n"
        );
        let hostile = render("![<b>x</b>](javascript:alert(1) \"</figcaption><script>\")");
        assert!(
            !hostile.contains("<script") && !hostile.contains("javascript"),
            "{hostile}"
        );
    }

    #[test]
    fn markdown_becomes_html_that_runs_nothing() {
        let html = render(
            "Good *arepas*.\n\n<script>alert(1)</script>[x](javascript:alert(1))<b onclick=x>",
        );
        assert!(html.starts_with("<p>Good <em>arepas</em>.</p>"), "{html}");
        for bad in ["script", "onclick"] {
            assert!(!html.contains(bad), "{html}");
        }
    }
}
