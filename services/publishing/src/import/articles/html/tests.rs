//! Texts of a former site, rendered as on their pages.

use std::fs;

use chassis::markup;

use super::*;

fn converted(html: &str) -> (String, Notes) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("tram.svg"), "<svg/>").expect("written");
    let site = FormerSite {
        hosts: ["old.example".to_owned()].into(),
        paths: ["/2013/a-tram/".to_owned(), "/?p=7".to_owned()].into(),
        is_partial: false,
    };
    let uploads = Uploads::of(Some(folder.path().to_owned())).expect("a folder");
    let converter = Converter::new(site, uploads);
    let place = Place {
        position: "line 1",
        source_id: "wordpress:old.example:1",
        base: None,
    };
    let mut notes = Notes::default();
    let markdown = converter.markdown(html, place, &mut notes).expect("read");
    (markup::render(&markdown), notes)
}

const PICTURE: &str =
    "<img src=\"https://old.example/wp-content/uploads/tram.svg\" alt=\"A [tram]\">";

#[test]
fn a_picture_with_its_caption_is_a_figure() {
    let figure = format!(
        "<figure><a href=\"https://old.example/tram/\">{PICTURE}</a><figcaption>The <b>501</b>, \"west\"</figcaption></figure>"
    );
    let (html, notes) = converted(&format!("<p>Before</p>{figure}<p>After</p>"));
    assert!(
        html.starts_with("<p>Before</p>\n<figure><img src=\"/media/"),
        "{html}"
    );
    assert!(html.contains("alt=\"A [tram]\""), "{html}");
    assert!(
        html.contains("<figcaption>The 501, \"west\"</figcaption></figure>\n<p>After</p>"),
        "{html}"
    );
    assert_eq!(notes.lines(), Vec::<String>::new());
    let (html, _) = converted(&format!(
        "<figure>{figure}{figure}<figcaption>Both</figcaption></figure>"
    ));
    assert_eq!(html.matches("<figure>").count(), 3, "{html}");
    assert!(html.ends_with("<p><em>Both</em></p>\n"), "{html}");
}

#[test]
fn a_picture_in_a_text_stands_between_its_lines_and_a_missing_one_is_noted() {
    let (html, _) = converted(&format!(
        "<p>{PICTURE} Rest.</p><ul><li>{PICTURE} in a list</li></ul>"
    ));
    assert!(html.starts_with("<figure>"), "{html}");
    assert!(html.contains("</figure>\n<p>Rest.</p>"), "{html}");
    assert!(html.contains("<li><img"), "{html}");
    let gone =
        "<figure><img src=\"https://old.example/gone.jpg\"><figcaption>x</figcaption></figure>";
    let (html, notes) = converted(&format!("{gone}<p>Text</p>"));
    assert_eq!(html, "<p>Text</p>\n");
    assert_eq!(
        notes.details(Note::Picture),
        ["https://old.example/gone.jpg: it is not in the folder"]
    );
    let signs =
        "<p>Hi<img class=\"wp-smiley\" alt=\":)\" src=\"x\"><img src=\"y\" width=\"1\"></p>";
    let (html, notes) = converted(signs);
    assert_eq!(html, "<p>Hi:)</p>\n");
    assert_eq!(notes.details(Note::Picture), Vec::<&str>::new());
}

#[test]
fn links_to_the_former_site_stay_here_and_unknown_ones_are_noted() {
    let (html, notes) = converted(
        "<p><a href=\"https://www.old.example/2013/a-tram\">one</a> <a href=\"http://old.example/?p=7#x\">two</a> \
         <a href=\"https://old.example/gone/\">three</a> <a href=\"https://else.example/(a) b\">four</a> \
         <a href=\"javascript:alert(1)\">five</a> <a href=\"/x\">six</a><a href=\"/y\"></a></p>",
    );
    for part in [
        "<a href=\"/2013/a-tram\"",
        "<a href=\"/?p=7#x\"",
        "<a href=\"/gone/\"",
        "href=\"https://else.example/%28a%29%20b\"",
        "five",
        "<a href=\"/x\"",
    ] {
        assert!(html.contains(part), "{part} {html}");
    }
    assert!(
        !html.contains("javascript") && !html.contains("/y"),
        "{html}"
    );
    assert_eq!(notes.details(Note::Link), ["https://old.example/gone/"]);
}

#[test]
fn what_is_embedded_becomes_a_link() {
    let (html, notes) = converted(
        "<iframe src=\"//www.youtube.com/embed/abc?rel=0\" title=\"The tram\"></iframe>\
         <figure><div class=\"wp-block-embed__wrapper\">\nhttps://vimeo.com/1\n</div><figcaption>A film</figcaption></figure>\
         <video><source src=\"https://v.example/a.mp4\"></video><iframe></iframe>",
    );
    assert!(
        html.contains("<a href=\"https://www.youtube.com/watch?v=abc\""),
        "{html}"
    );
    assert!(html.contains(">The tram</a>"), "{html}");
    assert!(
        html.contains(">vimeo.com/1</a></p>\n<p><em>A film</em></p>"),
        "{html}"
    );
    assert!(html.contains(">v.example/a.mp4</a>"), "{html}");
    assert_eq!(notes.details(Note::Embed).len(), 3);
}

#[test]
fn headings_leave_the_first_level_to_the_page() {
    let (html, _) = converted("<h1>One</h1><h2>Two</h2><h5>Five</h5><h6>Six</h6><h2></h2>");
    assert_eq!(
        html,
        "<h2>One</h2>\n<h3>Two</h3>\n<h6>Five</h6>\n<h6>Six</h6>\n"
    );
    assert_eq!(converted("<h2>Two</h2>").0, "<h2>Two</h2>\n");
}

#[test]
fn a_form_is_noted_and_what_is_nested_without_end_is_refused() {
    let (html, notes) = converted("<p>Write</p><form><input name=a>Send</form>");
    assert_eq!(html, "<p>Write</p>\n");
    assert_eq!(notes.details(Note::Block), ["a form"]);
    let converter = Converter::new(FormerSite::default(), Uploads::default());
    let place = Place {
        position: "",
        source_id: "",
        base: None,
    };
    let deep = "<div>".repeat(100_000);
    let refused = converter.markdown(&deep, place, &mut Notes::default());
    assert!(refused.expect_err("refused").contains("nested"));
}
