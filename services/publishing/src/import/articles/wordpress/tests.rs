//! An export with irregularities of real exports, converted to items.

use chassis::{instant, markup};
use editorial_proto::v1::{ImportItem, Kind};

use super::super::answer::Answer;

/// A post with these fields and the fields common to all posts.
fn item(fields: &str) -> String {
    format!("<item><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>{fields}</item>")
}

fn export(items: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- generator=\"WordPress/6.1\" -->\n<rss version=\"2.0\"><channel>\n\
         <title>Old</title><link>https://www.old.example</link><wp:wxr_version>1.2</wp:wxr_version>\n\
         <wp:base_blog_url>https://old.example/blog</wp:base_blog_url>\n\
         <image><link>https://else.example/</link></image>\n\
         <wp:author><wp:author_login>ada</wp:author_login><wp:author_display_name><![CDATA[Ada King]]></wp:author_display_name></wp:author>\n\
         {}\n</channel></rss>",
        items.join("\n")
    )
}

fn read_export(xml: &str) -> Result<Answer, String> {
    Answer::of(xml, &["2013/03/tram.svg"])
}

fn one(fields: &str) -> ImportItem {
    let answer = read_export(&export(&[item(fields)])).expect("read");
    assert_eq!(answer.refused, Vec::<String>::new());
    answer.items.into_iter().next().expect("an item")
}

#[test]
fn sites_below_one_host_are_different_sources() {
    let post =
        item("<title>Us</title><wp:post_id>3</wp:post_id><link>https://old.example/fr/us/</link>");
    let whole = export(&[post]);
    let below = whole.replace("https://www.old.example", "https://www.old.example/fr/");
    for (export, source_id, addresses) in [
        (whole, "wordpress:old.example:3", &["/?p=3", "/fr/us/"][..]),
        // Another site on the same host may have a post with this number, too.
        (below, "wordpress:old.example/fr:3", &["/fr/us/"]),
    ] {
        let answer = read_export(&export).expect("read");
        let [item] = answer.items.as_slice() else {
            panic!("{:?}", answer.items);
        };
        assert_eq!(item.source_id, source_id);
        assert_eq!(item.moved_from, addresses);
        assert!(item.yields);
    }
}

#[test]
fn a_post_is_an_article_with_all_that_it_has() {
    let attachment = "<item><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:post_id>9</wp:post_id>\
        <wp:post_parent>7</wp:post_parent><excerpt:encoded><![CDATA[The 501]]></excerpt:encoded>\
        <wp:attachment_url>https://old.example/wp-content/uploads/2013/03/tram.svg</wp:attachment_url>\
        <wp:postmeta><wp:meta_key>_wp_attachment_image_alt</wp:meta_key><wp:meta_value>A tram</wp:meta_value></wp:postmeta></item>";
    let post = item(
        "<title><![CDATA[A <em>new</em> tram &amp; more]]></title><link>https://old.example/2013/03/a-new-tram/</link>\
         <dc:creator><![CDATA[ada]]></dc:creator><wp:post_id>7</wp:post_id><wp:post_name>a-new-tram</wp:post_name>\
         <wp:post_date_gmt>2013-03-15 23:19:23</wp:post_date_gmt>\
         <category domain=\"category\" nicename=\"music\"><![CDATA[Music]]></category>\
         <category domain=\"category\" nicename=\"news\"><![CDATA[News]]></category>\
         <category domain=\"category\" nicename=\"uncategorized\"><![CDATA[Uncategorized]]></category>\
         <category domain=\"post_tag\" nicename=\"queen\"><![CDATA[Queen Street]]></category>\
         <category domain=\"post_format\" nicename=\"post-format-aside\"><![CDATA[Aside]]></category>\
         <excerpt:encoded><![CDATA[It <b>is</b> quiet.]]></excerpt:encoded>\
         <content:encoded><![CDATA[One.\n\nTwo\nlines. [gallery]\n\n<a href=\"https://old.example/2013/03/a-new-tram\">self</a>]]></content:encoded>\
         <wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>\
         <wp:comment><wp:comment_content>First!</wp:comment_content></wp:comment>",
    );
    // The picture follows the post that shows it.
    let answer = read_export(&export(&[post, attachment.to_owned()])).expect("read");
    let [item] = answer.items.as_slice() else {
        panic!("{:?}", answer.items);
    };
    assert_eq!(
        (item.kind(), item.source_id.as_str()),
        (Kind::Article, "wordpress:old.example:7")
    );
    assert_eq!(item.name, "A new tram & more");
    assert_eq!(
        (item.section.as_str(), item.slug.as_str()),
        ("culture", "a-new-tram")
    );
    assert_eq!(item.tags, ["News", "Queen Street"]);
    assert_eq!(item.authors, ["Ada King"]);
    assert_eq!(item.excerpt, "It is quiet.");
    assert_eq!(item.moved_from, ["/?p=7", "/2013/03/a-new-tram/"]);
    let published = item
        .published_at
        .as_ref()
        .and_then(instant::from_proto)
        .expect("a time");
    assert_eq!(instant::to_rfc3339(published), "2013-03-15T23:19:23.000Z");
    assert!(!item.is_draft);
    assert!(
        item.image_url
            .as_ref()
            .expect("a picture")
            .starts_with("/media/")
    );
    let html = markup::render(&item.body_markdown);
    assert!(
        html.starts_with("<p>One.</p>\n<p>Two<br>\nlines.</p>\n<figure><img src=\"/media/"),
        "{html}"
    );
    assert!(
        html.contains("alt=\"A tram\"") && html.contains("<figcaption>The 501</figcaption>"),
        "{html}"
    );
    assert!(html.contains("<a href=\"/2013/03/a-new-tram\""), "{html}");
    assert_eq!(answer.notes.lines(), Vec::<String>::new());
}

#[test]
fn drafts_and_what_is_hidden_are_shown_to_nobody_and_what_is_to_come_waits() {
    let items = [
        "<wp:post_id>1</wp:post_id><title>Draft</title><wp:status>draft</wp:status>\
         <wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt><wp:post_date>2013-04-09 14:20:39</wp:post_date>",
        "<wp:post_id>2</wp:post_id><title>Secret</title><wp:post_password>enter</wp:post_password>",
        "<wp:post_id>3</wp:post_id><title>Private</title><wp:status>private</wp:status>",
        "<wp:post_id>4</wp:post_id><title>Later</title><wp:status>future</wp:status>\
         <wp:post_date_gmt>2130-01-01 19:00:18</wp:post_date_gmt>",
    ];
    let answer = read_export(&export(&items.map(item))).expect("read");
    let drafts: Vec<bool> = answer.items.iter().map(|item| item.is_draft).collect();
    assert_eq!(drafts, [true, true, true, false]);
    let times = answer.items.iter().map(|item| {
        let at = item.published_at.as_ref().and_then(instant::from_proto);
        at.map(instant::to_rfc3339)
    });
    let times: Vec<_> = times.collect();
    // Toronto time, no time, then GMT.
    assert_eq!(times[0].as_deref(), Some("2013-04-09T18:20:39.000Z"));
    assert_eq!(times[1], None);
    assert_eq!(times[3].as_deref(), Some("2130-01-01T19:00:18.000Z"));
    assert_eq!(
        answer.notes.lines(),
        ["by hand: 2 texts behind a password or private, which are drafts here"]
    );
}

#[test]
fn what_has_no_title_or_slug_gets_one_and_no_two_share_an_address() {
    let untitled = one(
        "<wp:post_id>5</wp:post_id><content:encoded>This post has no title at all, and yet it must be linked to from somewhere.</content:encoded>",
    );
    assert_eq!(
        untitled.name,
        "This post has no title at all, and yet it must be linked…"
    );
    assert_eq!(untitled.slug, "article-5");
    let empty = one("<wp:post_id>6</wp:post_id><wp:post_name>edge-case</wp:post_name>");
    assert_eq!(
        (empty.name.as_str(), empty.body_markdown.as_str()),
        ("Edge case", "")
    );
    let greek = one(
        "<wp:post_id>7</wp:post_id><title>Δύο</title><wp:post_name>%ce%b4%cf%8d%ce%bf</wp:post_name>",
    );
    assert!(
        !greek.slug.is_empty() && greek.slug.is_ascii(),
        "{}",
        greek.slug
    );
    let page = |id: u32, status: &str| {
        format!(
            "<item><wp:post_type>page</wp:post_type><wp:status>{status}</wp:status><wp:post_id>{id}</wp:post_id>\
            <link>https://old.example//a/level/</link><wp:post_name>level</wp:post_name><title>Level</title></item>"
        )
    };
    let answer = read_export(&export(&[
        page(1, "publish"),
        page(2, "publish"),
        page(3, "trash"),
    ]))
    .expect("read");
    let slugs: Vec<&str> = answer.items.iter().map(|item| item.slug.as_str()).collect();
    assert_eq!(slugs, ["level", "2-level"]);
    assert_eq!(answer.items[0].section, "");
    assert_eq!(answer.items[0].moved_from, ["/?p=1", "/a/level/"]);
    assert_eq!(answer.refused, ["line 10: its status is \"trash\""]);
}

#[test]
fn an_excerpt_is_what_is_before_the_mark_or_the_first_sentences() {
    let marked = one(
        "<wp:post_id>1</wp:post_id><content:encoded><![CDATA[Before <a href=\"/x\">it</a>.<!--more--> After.]]></content:encoded>",
    );
    assert_eq!(marked.excerpt, "Before it.");
    let written = one(
        "<wp:post_id>1</wp:post_id><content:encoded><![CDATA[<h2>Head</h2>\nhttps://v.example/1\n\nThe text.]]></content:encoded>",
    );
    assert_eq!(written.excerpt, "The text.");
}

#[test]
fn what_the_site_does_not_have_is_told() {
    let product =
        "<item><wp:post_type>product</wp:post_type><wp:post_id>1</wp:post_id></item>".to_owned();
    let menu = "<item><wp:post_type>nav_menu_item</wp:post_type><wp:post_id>2</wp:post_id></item>"
        .to_owned();
    let answer = read_export(&export(&[product.clone(), product, menu])).expect("read");
    assert!(answer.items.is_empty() && answer.refused.is_empty());
    assert_eq!(
        answer.notes.lines(),
        ["by hand: 1 things of kinds that this site does not have"]
    );
    let nameless = read_export(&export(&[item("<title>x</title>")])).expect("read");
    assert_eq!(nameless.refused, ["line 8: it has no wp:post_id"]);
}

#[test]
fn what_is_no_export_or_breaks_off_is_refused() {
    let whole = export(&[item("<wp:post_id>1</wp:post_id>")]);
    let cut = &whole[..whole.len() - 20];
    let unversioned = "<rss xmlns:wp='http://wordpress.org/export/1.2/'><channel/></rss>";
    for (file, why) in [
        ("", "it is neither an export of WordPress"),
        (unversioned, "it has no wp:wxr_version"),
        (
            &unversioned.replace("http:", "https:"),
            "it has no wp:wxr_version",
        ),
        (cut, "broken near line"),
        ("<rss>\u{0}</rss", "broken near line 1"),
    ] {
        let error = read_export(file).err().expect(why);
        assert!(error.contains(why), "{error}");
    }
}
