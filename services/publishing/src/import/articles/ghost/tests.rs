//! An export with irregularities of real exports, converted to items.

use chassis::{instant, markup};
use editorial_proto::v1::{ImportItem, Kind};
use serde_json::{Value, json};

use super::super::{
    answer::Answer,
    notes::{Note, Notes},
};

fn read_export(export: &str) -> Result<Answer, String> {
    Answer::of(export, &["2021/03/tram.svg", "2021/03/bus.svg"])
}

fn export(tables: &Value) -> String {
    json!({"db": [{"meta": {"exported_on": 1_600_000_000_000_u64, "version": "5.82.2"}, "data": tables}]}).to_string()
}

/// Returns the items of these posts, none of which is rejected.
fn items(posts: &Value) -> Answer {
    let answer = read_export(&export(&json!({"posts": posts}))).expect("read");
    assert_eq!(answer.refused, Vec::<String>::new());
    answer
}

/// A published post with this text.
fn post(html: &str) -> Value {
    json!({"id": "61a", "title": "A tram", "slug": "a-tram", "html": html, "status": "published", "type": "post"})
}

/// Returns a post's text as rendered on its page, and the notes.
fn shown(html: &str) -> (String, Notes) {
    let Answer { items, notes, .. } = items(&json!([post(html)]));
    (markup::render(&items[0].body_markdown), notes)
}

#[test]
fn a_post_is_an_article_with_all_that_it_has() {
    let post = json!({
        "id": "61a0c1f2e4b0a1b2c3d4e5f6", "uuid": "0b5c", "title": "A <new> tram & more", "slug": "a-new-tram",
        "mobiledoc": "{\"version\":\"0.3.1\"}", "lexical": null, "comment_id": "61a0", "plaintext": "One.",
        "html": "<p>One. <a href=\"__GHOST_URL__/about/\">About</a> <a href=\"__GHOST_URL__/gone/\">gone</a></p>",
        "feature_image": "__GHOST_URL__/content/images/2021/03/tram.svg", "featured": 0, "type": "post",
        "status": "published", "visibility": "public", "email_recipient_filter": "none",
        "created_at": "2021-03-01T00:00:00.000Z", "published_at": "2021-03-04T05:06:07.000Z",
        "custom_excerpt": "It is <quiet>."});
    let tables = json!({
        "posts": [post,
            {"id": "62b", "title": "About", "slug": "about", "html": "<p>Us.</p>", "status": "published", "type": "page"}],
        "posts_tags": [
            {"id": "1", "post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "tag_id": "t3", "sort_order": 2},
            {"id": "2", "post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "tag_id": "t1", "sort_order": 0},
            {"id": "3", "post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "tag_id": "t2", "sort_order": 1},
            {"id": "4", "post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "tag_id": "gone", "sort_order": 3}],
        "posts_authors": [
            {"post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "author_id": "u2", "sort_order": 1},
            {"post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "author_id": "u1", "sort_order": 0}],
        "posts_meta": [{"post_id": "61a0c1f2e4b0a1b2c3d4e5f6", "feature_image_alt": "A tram"}],
        "settings": [{"key": "title", "value": "Old"}],
        "tags": [
            {"id": "t1", "name": "Queen Street", "slug": "queen-street", "visibility": "public"},
            {"id": "t2", "name": "Music", "slug": "music", "visibility": "public"},
            {"id": "t3", "name": "#wide", "slug": "hash-wide", "visibility": "internal"}],
        "users": [{"id": "u1", "name": "Ada King", "email": "ada@old.example"}, {"id": "u2", "name": "Grace"}]});
    let answer = read_export(&export(&tables)).expect("read");
    assert_eq!(answer.refused, Vec::<String>::new());
    let [item, page] = answer.items.as_slice() else {
        panic!("{:?}", answer.items);
    };
    assert_eq!(
        (item.kind(), item.source_id.as_str()),
        (Kind::Article, "ghost:61a0c1f2e4b0a1b2c3d4e5f6")
    );
    assert_eq!(item.name, "A <new> tram & more");
    assert_eq!(
        (item.section.as_str(), item.slug.as_str()),
        ("culture", "a-new-tram")
    );
    assert_eq!(item.tags, ["Queen Street"]);
    assert_eq!(item.authors, ["Ada King", "Grace"]);
    assert_eq!(item.moved_from, ["/a-new-tram/"]);
    assert!(!item.is_draft && item.excerpt.starts_with("It is"));
    let published = item.published_at.as_ref().and_then(instant::from_proto);
    let published = published.map(instant::to_rfc3339);
    assert_eq!(published.as_deref(), Some("2021-03-04T05:06:07.000Z"));
    assert!(
        item.image_url
            .as_ref()
            .expect("a picture")
            .starts_with("/media/")
    );
    let html = markup::render(&item.body_markdown);
    assert!(html.contains("<a href=\"/about/\""), "{html}");
    assert_eq!(answer.notes.details(Note::Link), ["/gone/"]);
    assert_eq!((page.kind(), page.slug.as_str()), (Kind::Page, "about"));
    // The page's address has not changed.
    assert_eq!(page.moved_from, Vec::<String>::new());
}

#[test]
fn the_tables_stand_in_any_order_and_the_file_in_an_older_form() {
    let old = json!({"meta": {"exported_on": 1_388_805_572_000_u64, "version": "003"}, "data": {
        "users": [{"id": 1, "name": "Ada"}], "tags": [{"id": 3, "name": "News", "slug": "news"}],
        "posts_tags": [{"post_id": 5, "tag_id": 3}],
        "roles": [{"id": 1, "deep": [[{"a": "b"}]]}],
        "posts": [{"id": 5, "title": "Old", "slug": "old", "markdown": "*Old*", "html": "<p><em>Old</em></p>",
            "image": "/content/images/2021/03/bus.svg", "page": 0, "status": "published", "author_id": 1,
            "published_at": 1_286_958_624_000_u64},
            {"id": 6, "title": "Page", "slug": "page", "html": "<p>x</p>", "page": 1, "status": "published",
            "published_at": "2014-01-02 03:04:05"}]}});
    let answer = read_export(&format!("\u{feff}\n {old}\n")).expect("read");
    let [item, page] = answer.items.as_slice() else {
        panic!("{:?}", answer.items);
    };
    assert_eq!(
        (item.source_id.as_str(), item.section.as_str()),
        ("ghost:5", "news")
    );
    assert_eq!(
        (&item.authors[..], &item.tags[..]),
        (&["Ada".to_owned()][..], &[][..])
    );
    assert!(item.image_url.is_some());
    let at = |item: &ImportItem| {
        item.published_at
            .as_ref()
            .and_then(instant::from_proto)
            .map(instant::to_rfc3339)
    };
    assert_eq!(at(item).as_deref(), Some("2010-10-13T08:30:24.000Z"));
    assert_eq!(
        (page.kind(), at(page).as_deref()),
        (Kind::Page, Some("2014-01-02T03:04:05.000Z"))
    );
}

#[test]
fn what_is_not_for_everybody_is_a_draft_and_what_cannot_be_taken_is_refused_with_its_position() {
    let with = |fields: Value| {
        let mut post = post("<p>Text</p>");
        post.as_object_mut()
            .expect("an object")
            .extend(fields.as_object().expect("an object").clone());
        post
    };
    let posts = [
        with(json!({"id": "1", "status": "draft", "published_at": null})),
        with(json!({"id": "2", "status": "scheduled", "published_at": "2130-01-01T00:00:00.000Z"})),
        with(json!({"id": "3", "visibility": "paid"})),
        with(json!({"id": "4", "visibility": "members"})),
        with(json!({"id": "5", "status": "sent"})),
        with(json!({"id": "6", "status": "trashed"})),
        with(json!({"id": null})),
        json!("no row"),
        with(json!({"id": "7", "html": null, "lexical": "{\"root\":{}}"})),
        with(json!({"id": "8", "html": "<div>".repeat(100_000)})),
    ];
    let posts: Vec<String> = posts.iter().map(Value::to_string).collect();
    let file = format!("{{\"data\": {{\"posts\": [\n{}]}}}}", posts.join(",\n"));
    let answer = read_export(&file).expect("read");
    let drafts: Vec<_> = answer
        .items
        .iter()
        .map(|item| (&item.source_id[6..], item.is_draft))
        .collect();
    assert_eq!(
        drafts,
        [
            ("1", true),
            ("2", false),
            ("3", true),
            ("4", true),
            ("5", true),
            ("7", false)
        ]
    );
    assert_eq!(answer.notes.details(Note::Hidden).len(), 3);
    assert!(answer.notes.details(Note::Block)[0].contains("lexical"));
    let refused: Vec<_> = answer
        .refused
        .iter()
        .map(|why| &why[..why.len().min(60)])
        .collect();
    for (why, (line, reason)) in refused.iter().zip([
        (7, "its status is \"trashed\""),
        (8, "it has no id"),
        (9, "it is no row of posts"),
        (11, "the elements of its text"),
    ]) {
        assert!(
            why.starts_with(&format!("line {line}, ")) && why.contains(reason),
            "{why}"
        );
    }
    assert_eq!(refused.len(), 4);
}

#[test]
fn cards_become_what_they_show() {
    let (html, notes) = shown(
        "<figure class=\"kg-card kg-image-card kg-card-hascaption\"><img src=\"__GHOST_URL__/content/images/2021/03/tram.svg\" \
         class=\"kg-image\" alt=\"A tram\" loading=\"lazy\"><figcaption><span>The 501</span></figcaption></figure>\
         <!--kg-card-begin: html--><p>Raw</p><!--kg-card-end: html-->\
         <figure class=\"kg-card kg-gallery-card kg-width-wide\"><div class=\"kg-gallery-container\"><div class=\"kg-gallery-row\">\
         <div class=\"kg-gallery-image\"><img src=\"__GHOST_URL__/content/images/2021/03/tram.svg\"></div>\
         <div class=\"kg-gallery-image\"><img src=\"__GHOST_URL__/content/images/2021/03/bus.svg\"></div></div></div>\
         <figcaption>Both</figcaption></figure>",
    );
    assert!(
        html.contains("<figcaption>The 501</figcaption>") && html.contains("<p>Raw</p>"),
        "{html}"
    );
    assert!(
        html.contains("alt=\"A tram\"") && html.contains("<em>Both</em>"),
        "{html}"
    );
    assert_eq!(html.matches("<img").count(), 3, "{html}");
    assert_eq!(notes.lines(), Vec::<String>::new());

    let (html, notes) = shown(
        "<figure class=\"kg-card kg-bookmark-card\"><a class=\"kg-bookmark-container\" href=\"https://b.example/x\">\
         <div class=\"kg-bookmark-content\"><div class=\"kg-bookmark-title\">A *title*</div><div class=\"kg-bookmark-description\">\
         Words</div><div class=\"kg-bookmark-metadata\"><img class=\"kg-bookmark-icon\" src=\"https://b.example/i.png\"></div></div>\
         <div class=\"kg-bookmark-thumbnail\"><img src=\"https://b.example/t.png\"></div></a></figure>\
         <figure class=\"kg-card kg-embed-card\"><iframe src=\"https://www.youtube.com/embed/abc?feature=oembed\" title=\"Film\"></iframe></figure>\
         <div class=\"kg-card kg-callout-card kg-callout-card-blue\"><div class=\"kg-callout-emoji\">💡</div>\
         <div class=\"kg-callout-text\">Mind the <b>gap</b>.</div></div>\
         <div class=\"kg-card kg-toggle-card\" data-kg-toggle-state=\"close\"><div class=\"kg-toggle-heading\">\
         <h4 class=\"kg-toggle-heading-text\">Why?</h4><button class=\"kg-toggle-card-icon\"><svg></svg></button></div>\
         <div class=\"kg-toggle-content\"><p>Because.</p></div></div>",
    );
    assert!(html.contains("<a href=\"https://b.example/x\""), "{html}");
    assert!(
        html.contains(">A *title*</a>") && !html.contains("<img"),
        "{html}"
    );
    assert!(
        html.contains("https://www.youtube.com/watch?v=abc") && html.contains(">Film</a>"),
        "{html}"
    );
    assert!(
        html.contains("<blockquote>\n<p>💡 Mind the <strong>gap</strong>.</p>"),
        "{html}"
    );
    assert!(
        html.contains(">Why?</h4>") && html.contains("<p>Because.</p>"),
        "{html}"
    );
    assert_eq!(notes.lines(), ["by hand: 1 embeds that are links now"]);
}

#[test]
fn players_files_and_offers_leave_what_can_be_read() {
    let (html, notes) = shown(
        "<figure class=\"kg-card kg-video-card\"><div class=\"kg-video-container\"><video src=\"__GHOST_URL__/content/media/a.mp4\"></video>\
         <div class=\"kg-video-overlay\"><button>Play</button></div><div class=\"kg-video-player-container\"><span>0:00</span></div></div></figure>\
         <div class=\"kg-card kg-audio-card\"><img class=\"kg-audio-thumbnail\" src=\"\"><div class=\"kg-audio-player-container\">\
         <audio src=\"__GHOST_URL__/content/media/b.mp3\"></audio><div class=\"kg-audio-title\">A talk</div>\
         <div class=\"kg-audio-player\"><span>0:00</span></div></div></div>\
         <div class=\"kg-card kg-file-card\"><a class=\"kg-file-card-container\" href=\"__GHOST_URL__/content/files/c.pdf\" title=\"Download\">\
         <div class=\"kg-file-card-contents\"><div class=\"kg-file-card-title\">The plan</div><div class=\"kg-file-card-metadata\">\
         <div class=\"kg-file-card-filename\">c.pdf</div></div></div></a></div>\
         <div class=\"kg-card kg-product-card\"><div class=\"kg-product-card-container\"><h4 class=\"kg-product-card-title\">A bell</h4>\
         <div class=\"kg-product-card-description\"><p>It rings.</p></div><a class=\"kg-product-card-button\" href=\"https://s.example\">Buy</a></div></div>\
         <div class=\"kg-card kg-header-card\"><h2 class=\"kg-header-card-header\">Hello</h2></div>\
         <div class=\"kg-card kg-signup-card\"><h2>Sign up</h2><form data-members-form=\"signup\"><input></form></div>",
    );
    assert!(
        html.contains("/content/media/a.mp4") && html.contains(">A talk</a>"),
        "{html}"
    );
    assert!(
        html.contains("<a href=\"/content/files/c.pdf\"") && html.contains(">The plan</a>"),
        "{html}"
    );
    assert!(
        html.contains(">A bell</h4>") && html.contains("It rings.") && html.contains(">Hello</h2>"),
        "{html}"
    );
    for gone in ["0:00", "Play", "Sign up", "c.pdf<"] {
        assert!(!html.contains(gone), "{gone}: {html}");
    }
    assert_eq!(notes.details(Note::Link).len(), 3);
    assert_eq!(notes.details(Note::Block), ["a form"]);
}

#[test]
fn other_files_are_no_exports_and_a_broken_one_says_where() {
    for (file, why) in [
        ("{\"db\": []}", "it has no table of posts"),
        ("{\"db\": [1]}", "expected a database"),
        (
            "{\"data\": {\"posts\": {}}}",
            "expected the rows of a table",
        ),
        ("{\"data\": {\"posts\": [{\"id\": \"1\"", "broken"),
        ("{\"data\": {\"posts\": []}} x", "broken"),
        ("[]", "it is neither an export"),
        ("", "it is neither an export"),
    ] {
        let refused = read_export(file).err().expect("is refused");
        assert!(refused.contains(why), "{file}: {refused}");
    }
    let large = format!(
        "{{\"data\": {{\"posts\": [{{\"html\": \"{}\"}}]}}}}",
        "x".repeat(17 << 20)
    );
    let refused = read_export(&large).err().expect("is refused");
    assert!(refused.contains("more than 16 MiB"), "{refused}");
    let deep = format!("{{\"data\": {{\"posts\": [{}", "[".repeat(100_000));
    read_export(&deep).err().expect("is refused");
    let other = format!(
        "{{\"data\": {{\"other\": [{}], \"posts\": []}}}}",
        vec!["\"x\""; 100_000].join(",")
    );
    assert!(read_export(&other).expect("read").items.is_empty());
}
