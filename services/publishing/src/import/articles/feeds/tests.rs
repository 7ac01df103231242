//! Feeds with irregularities of real feeds, converted to items.

use chassis::{instant, markup};
use editorial_proto::v1::{ImportItem, Kind};

use super::super::{answer::Answer, notes::Note};

fn read_feed(feed: &str) -> Result<Answer, String> {
    let pictures = [
        "2024/03/hall.svg",
        "assets/ferry.svg",
        "uploads/2024/bike.svg",
    ];
    Answer::of(feed, &pictures)
}

fn published(item: &ImportItem) -> String {
    let at = item.published_at.as_ref().and_then(instant::from_proto);
    at.map(instant::to_rfc3339).unwrap_or_default()
}

fn place(item: &ImportItem) -> [&str; 2] {
    [&item.section, &item.slug]
}

#[test]
fn ghosts_rss_is_articles() {
    let answer = read_feed(include_str!("samples/ghost.rss")).expect("read");
    assert_eq!(answer.items.len(), 2);
    let item = answer.item("feed:letters.example:65f4d6a1b2c3d4e5f6a7b8c9");
    assert_eq!(
        (item.kind(), item.position.as_str()),
        (Kind::Article, "line 2")
    );
    assert_eq!(item.name, "Rock & roll at \"The Hall\"");
    assert_eq!(place(item), ["culture", "rock-and-roll"]);
    assert_eq!(item.tags, ["Queen Street"]);
    assert_eq!(item.authors, ["Ada King"]);
    assert_eq!(item.excerpt, "Four bands & one stage.");
    assert_eq!(item.moved_from, ["/rock-and-roll/"]);
    assert_eq!(published(item), "2024-03-15T23:19:23.000Z");
    let image = item.image_url.as_deref().expect("a picture");
    assert!(image.starts_with("/media/"), "{image}");
    let html = markup::render(&item.body_markdown);
    assert!(
        html.contains(&format!("<img src=\"{image}\" alt=\"The hall\"")),
        "{html}"
    );
    // Links to pages in the feed are moved here; other links remain unchanged.
    assert!(html.contains("href=\"/second/\""), "{html}");
    assert!(
        html.contains("href=\"https://letters.example/older/\""),
        "{html}"
    );
    assert!(!html.contains("alert"), "{html}");
    assert_eq!(answer.items[1].excerpt, "Louder.");
    assert_eq!(answer.notes.lines(), Vec::<String>::new());
}

#[test]
fn substacks_rss_is_articles_without_its_forms_and_with_its_sounds() {
    let answer = read_feed(include_str!("samples/substack.rss")).expect("read");
    let item =
        answer.item("feed:supper.substack.example:https://supper.substack.example/p/khao-soi");
    assert_eq!(place(item), ["news", "khao-soi"]);
    assert_eq!(item.moved_from, ["/p/khao-soi/"]);
    let html = markup::render(&item.body_markdown);
    assert!(
        html.contains("href=\"#footnote-1\"") && html.contains("More."),
        "{html}"
    );
    assert_eq!(item.image_url, None);
    let pictures = answer.notes.details(Note::Picture);
    assert_eq!(
        pictures,
        ["https://cdn.substack.example/image/fetch/bowl.jpg: it is not in the folder"]
    );
    assert_eq!(answer.notes.details(Note::Block), ["a form"]);
    let talk = answer.item("feed:supper.substack.example:149001");
    assert_eq!(talk.excerpt, "We talk.");
    let html = markup::render(&talk.body_markdown);
    assert!(
        html.contains("<a href=\"https://cdn.substack.example/talk.mp3\""),
        "{html}"
    );
}

#[test]
fn mediums_rss_is_articles_whose_addresses_count_no_readers() {
    let answer = read_feed(include_str!("samples/medium.rss")).expect("read");
    let item = answer.item("feed:medium.example:https://medium.example/p/0a1b2c3d4e5f");
    assert_eq!(
        item.moved_from,
        ["/@hugh/a-new-streetcar-0a1b2c3d4e5f/", "/p/0a1b2c3d4e5f/"]
    );
    assert_eq!(place(item), ["news", "a-new-streetcar-0a1b2c3d4e5f"]);
    assert_eq!(item.tags, ["transit", "food-and-drink"]);
    assert_eq!(published(item), "2024-03-05T14:02:11.000Z");
    assert_eq!(item.body_markdown.trim(), "### It is quiet\n\nAnd long.");
}

#[test]
fn bloggers_backup_is_its_posts_and_pages() {
    let answer = read_feed(include_str!("samples/blogger.atom")).expect("read");
    assert_eq!(answer.items.len(), 3);
    let post = answer.item("feed:trams.example:tag:blogger.com,1999:blog-42.post-1");
    assert_eq!(post.name, "501 <long> trams");
    assert_eq!(place(post), ["news", "501"]);
    assert_eq!(
        (&*post.authors, &*post.tags),
        (&["Hugh".to_owned()][..], &["Queen Street".to_owned()][..])
    );
    assert_eq!(post.moved_from, ["/2008/07/501.html/"]);
    assert_eq!(published(post), "2008-07-12T12:30:00.001Z");
    assert_eq!(post.excerpt, "One. Two.");
    let page = answer.item("feed:trams.example:tag:blogger.com,1999:blog-42.post-3");
    assert_eq!((page.kind(), place(page)), (Kind::Page, ["", "about"]));
    assert_eq!(page.authors, ["Blog Owner"]);
    let draft = answer.item("feed:trams.example:tag:blogger.com,1999:blog-42.post-4");
    assert!(draft.is_draft && !post.is_draft);
    assert_eq!(
        (draft.name.as_str(), draft.slug.starts_with("article-")),
        ("Not yet finished.", true)
    );
    let others = answer.notes.details(Note::Kind);
    assert_eq!(
        others,
        ["1 of the kind \"comment\"", "1 of the kind \"settings\""]
    );
}

#[test]
fn jekylls_atom_is_articles_whose_relative_addresses_lead_where_they_should() {
    let answer = read_feed(include_str!("samples/jekyll.atom")).expect("read");
    let item = answer.item("feed:desk.example:https://desk.example/2024/05/01/ferries");
    assert_eq!(
        (item.name.as_str(), item.excerpt.as_str()),
        ("Ferries & fog", "The ferry waits.")
    );
    assert_eq!(
        (place(item), &*item.tags),
        (["news", "ferries"], &["The harbour".to_owned()][..])
    );
    assert_eq!(item.authors, ["Night Desk"]);
    assert_eq!(
        item.moved_from,
        ["/2024/05/01/ferries.html/", "/2024/05/01/ferries/"]
    );
    let html = markup::render(&item.body_markdown);
    assert!(html.contains("href=\"/2024/04/30/docks.html\""), "{html}");
    assert!(
        html.contains("href=\"https://desk.example/map/\""),
        "{html}"
    );
    let image = item.image_url.as_deref().expect("a picture");
    assert!(html.contains(&format!("<img src=\"{image}\"")), "{html}");
    let docks = answer.item("feed:desk.example:https://desk.example/2024/04/30/docks");
    assert_eq!(
        (docks.name.as_str(), published(docks).as_str()),
        ("At the docks", "2024-04-30T12:00:00.000Z")
    );
    assert_eq!(docks.authors, ["Night Desk"]);
    assert_eq!(
        docks.moved_from,
        ["/2024/04/30/docks.html/", "/2024/04/30/docks/"]
    );
    let html = markup::render(&docks.body_markdown);
    assert_eq!(html, "<p>1 &lt; 2<br>\nand <strong>three</strong></p>\n");
}

#[test]
fn youtubes_atom_is_articles_with_a_link_to_the_video() {
    let answer = read_feed(include_str!("samples/youtube.atom")).expect("read");
    let item = answer.item("feed:youtube.com:yt:video:dQw4w9WgXcQ");
    assert_eq!(place(item), ["news", "the-last-ferry"]);
    assert_eq!(item.moved_from, Vec::<String>::new());
    let html = markup::render(&item.body_markdown);
    assert!(
        html.starts_with("<p>Filmed in one night.</p>\n<p>&lt;Not&gt; a tag &amp; no link"),
        "{html}"
    );
    assert!(
        html.contains("href=\"https://www.youtube.com/watch?v=dQw4w9WgXcQ\""),
        "{html}"
    );
    assert_eq!(answer.notes.details(Note::Picture).len(), 1);
}

#[test]
fn a_json_feed_is_articles_in_whatever_order_it_says_things() {
    let answer = read_feed(include_str!("samples/microblog.json")).expect("read");
    let item = answer.item("feed:micro.example:https://micro.example/2024/06/01/bike.html");
    assert_eq!(item.name, "Bikes < trams & buses");
    assert_eq!(place(item), ["culture", "bike"]);
    assert_eq!(
        (&*item.tags, &*item.authors),
        (&["Bikes".to_owned()][..], &["Ada King".to_owned()][..])
    );
    assert_eq!(
        (item.excerpt.as_str(), published(item).as_str()),
        ("A ride", "2024-06-01T12:00:00.000Z")
    );
    assert_eq!(item.moved_from, ["/2024/06/01/bike.html/"]);
    assert!(item.image_url.is_some());
    let html = markup::render(&item.body_markdown);
    assert!(html.contains("href=\"/2024/06/02/121500.html\""), "{html}");
    assert!(
        html.contains("href=\"https://micro.example/ride.mp4\""),
        "{html}"
    );
    let note = answer.item("feed:micro.example:17");
    assert_eq!(note.name, "5 < 6 & that is all. Really <b>all</b>.");
    assert_eq!(note.authors, ["Night Desk"]);
    assert_eq!(
        markup::render(&note.body_markdown),
        "<p>5 &lt; 6 &amp; that is all.</p>\n<p>Really &lt;b&gt;all&lt;/b&gt;.</p>\n"
    );
    assert_eq!(
        answer.refused,
        [
            "line 23, column 5: it has neither an id nor a link",
            "line 24, column 5: its date \"next Tuesday\" is no date",
        ]
    );
}

#[test]
fn odd_entries_are_read_and_what_tells_them_apart_fits() {
    let rss = |channel: &str| format!("<rss version=\"2.0\"><channel>{channel}</channel></rss>");
    let long = "x".repeat(400);
    let answer = read_feed(&rss(&format!(
        "<item><guid>{long}</guid><title>Long</title></item>\
         <item><link>https://a.example/same/</link><title>One</title><author>ada@a.example (Ada)</author></item>\
         <item><guid>https://b.example/same/</guid><title>Two</title><author>ada@a.example</author></item>\
         <item><guid isPermaLink='false'>https://a.example/?p=17</guid><title>Three</title></item>"
    )))
    .expect("read");
    assert_eq!(answer.refused, Vec::<String>::new());
    let places: Vec<_> = answer.items.iter().map(place).collect();
    assert_eq!(places[..2], [["news", "long"], ["news", "same"]]);
    assert!(places[2][1].ends_with("-same"), "{places:?}");
    assert_eq!(answer.items[1].authors, ["Ada"]);
    assert_eq!(answer.items[2].authors, Vec::<String>::new());
    assert_eq!(answer.items[2].moved_from, Vec::<String>::new());
    assert_eq!(answer.items[3].moved_from, ["/?p=17"]);
    assert!(answer.items[0].source_id.len() < 60);
    // Without a site, an entry's id must be globally unique.
    let answer = read_feed(&rss("<item><guid>17</guid></item>")).expect("read");
    assert!(
        answer.refused[0].ends_with("its feed names no site, and only there is its id \"17\" one")
    );
}

#[test]
fn hostile_and_broken_feeds_are_refused_with_a_reason() {
    let bomb = format!(
        "<!DOCTYPE rss [<!ENTITY a \"{0}\"><!ENTITY b \"&a;&a;&a;\">]><rss><channel><item><guid>https://a.example/</guid>\
         <title>x&b;</title></item></channel></rss>",
        "x".repeat(1_000)
    );
    let answer = read_feed(&bomb).expect("read");
    assert_eq!(answer.items[0].name, "x&b;");
    let ghost = include_str!("samples/ghost.rss");
    let latin = ghost.replacen("UTF-8", "ISO-8859-1", 1);
    let deep = format!(
        "<feed xmlns='http://www.w3.org/2005/Atom'>{}",
        "<entry>".repeat(10_000)
    );
    let json = include_str!("samples/microblog.json");
    let deep_json = format!("{{\"items\": [{}", "[".repeat(10_000));
    let other = json.replace("jsonfeed.org", "else.example");
    let long = format!("{{\"x\": \"{}\"}}", "x".repeat(17 << 20));
    for (feed, why) in [
        (&ghost[..ghost.len() - 30], "broken near line"),
        (
            &latin,
            "its encoding is \"ISO-8859-1\", and only UTF-8 is read",
        ),
        (&deep, "nested more than 64 deep"),
        (&json[..json.len() - 100], "broken"),
        (&deep_json, "broken"),
        (
            &other,
            "it is no JSON Feed: its version is not https://jsonfeed.org/version/1",
        ),
        (&long, "one thing has more than 16 MiB"),
        (
            "{\"version\": \"https://jsonfeed.org/version/1\", \"items\": 5}",
            "expected a list of items",
        ),
        ("<html><body/></html>", "JSON Feed): it begins with <html>"),
        (
            "<?xml version='1.0'?>",
            "it is neither an export of WordPress or Ghost nor a feed",
        ),
        (
            "",
            "it is neither an export of WordPress or Ghost nor a feed",
        ),
        (
            "BEGIN:VCALENDAR",
            "it is neither an export of WordPress or Ghost nor a feed",
        ),
    ] {
        let error = read_feed(feed).err().unwrap_or_default();
        assert!(error.contains(why), "{why}: {error}");
    }
}
