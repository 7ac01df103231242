//! Files with random faults: readers must not panic and must reject invalid content.

use std::io::Cursor;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};

use super::{
    articles, events, features, icalendar, inspections, json_ld,
    mapping::{AreasMapping, PlacesMapping},
    neighbourhoods, osm, place_tables,
    refused::Refused,
};

/// Number of mutants of each file.
const MUTANTS: u32 = 1_500;

fn places() -> Value {
    let point = json!({"type": "Point", "coordinates": [-79.4, 43.6]});
    let area = json!({"type": "Polygon", "coordinates": [[[-79.4, 43.6], [-79.3, 43.6], [-79.3, 43.7], [-79.4, 43.6]]]});
    json!({"type": "FeatureCollection", "features": [
        {"id": "node/5", "geometry": point, "properties": {"@id": "node/5", "name": "Pai", "amenity": "restaurant",
            "cuisine": "thai;noodle", "addr:full": "18 Duncan Street Toronto", "opening_hours": "Tu-Su 17:00-01:00"}},
        {"id": "a11", "geometry": area, "properties": {"name": "Café", "website": "www.cafe.example",
            "tags": {"amenity": "cafe", "phone": "+1 416 555 0133;+1 416 555 0134"}}},
        {"geometry": area, "properties": {"osm_way_id": "7", "AREA_ID": 3, "AREA_NAME": "Here",
            "other_tags": "\"amenity\"=>\"bar\",\"addr:street\"=>\"Queen \\\"Q\\\" Street\""}}]})
}

fn calendar() -> Value {
    json!({"@context": "https://schema.org", "@graph": [
        {"@type": ["Event"], "name": "Jazz &amp; <b>Blues</b>", "startDate": "2024-05-09T23:00:00.000Z",
            "endDate": "2024-05-10", "url": "https://a.example/", "keywords": ["Live", "Jazz"],
            "description": "<p>Come <a href='x'>early</a></p>\n\nor &lt;late&gt;", "isAccessibleForFree": false,
            "location": [{"name": "The Hall", "address": {"streetAddress": "814 Bloor St W"}}],
            "offers": [{"price": "15.50", "priceCurrency": "EUR"}, {"lowPrice": 1e300}]},
        {"@type": "Event", "@id": "two", "name": "Ω", "startDate": "2024-12-31", "keywords": "a, b"}]})
}

fn mutate(file: &str, random: &mut StdRng) -> Vec<u8> {
    let mut mutant = file.as_bytes().to_vec();
    for _ in 0..random.random_range(1..5) {
        let at = random.random_range(0..mutant.len());
        let end = (at + random.random_range(1..30)).min(mutant.len());
        match random.random_range(0..6) {
            0 => mutant[at] = random.random(),
            // Syntax characters of JSON, calendars, dates, tags and tables.
            1 => mutant[at] = b"\"{}[],:<>&\\-0T\n ;=Z/"[random.random_range(0..20)],
            2 => drop(mutant.drain(at..end)),
            3 => {
                let part = mutant[at..end].to_vec();
                mutant.splice(at..at, part);
            }
            4 => mutant[at..end].fill(b'9'),
            _ => mutant.truncate(at.max(1)),
        }
        if mutant.len() < 2 {
            break;
        }
    }
    mutant
}

#[test]
fn no_reader_panics_whatever_a_file_holds() {
    let (mut read, mut broken) = (0_u32, 0_u32);
    for (seed, file) in (0..).zip([places().to_string(), calendar().to_string()]) {
        let mut random = StdRng::seed_from_u64(seed);
        for _ in 0..MUTANTS {
            let mutant = mutate(&file, &mut random);
            let ended = [
                features::each(mutant.as_slice(), |feature| {
                    drop(osm::proposal(feature, "toronto"));
                    true
                }),
                features::each(mutant.as_slice(), |feature| {
                    drop(neighbourhoods::proposal(feature, &AreasMapping::default()));
                    true
                }),
                json_ld::each(mutant.as_slice(), |position, thing| {
                    let item = events::proposal(&position, &thing, chrono_tz::America::Toronto);
                    read += u32::from(item.is_ok());
                    true
                }),
            ];
            broken += ended.iter().map(|end| u32::from(end.is_err())).sum::<u32>();
        }
    }
    assert!(read > 0 && broken > 0);
}

/// A WordPress export with all constructs that need special handling.
const EXPORT: &str = "<?xml version='1.0'?><rss><channel><link>https://a.example</link><wp:wxr_version>1.2</wp:wxr_version>\
    <wp:author><wp:author_login>ada</wp:author_login></wp:author><item><title>A &amp; <![CDATA[<b>B</b>]]></title>\
    <wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><wp:post_name>%ce%b5</wp:post_name>\
    <wp:post_date_gmt>2013-01-11 20:22:19</wp:post_date_gmt><category domain='category' nicename='x'>X</category>\
    <content:encoded><![CDATA[One\n\n[caption a='b']<img src='x-1x1.jpg'> c[/caption][gallery ids=1,2]<!--more-->\
    <table><tr><td>1|2</td></tr></table><ul><li>a<ul><li>b</li></ul></li></ul>https://v.example/\n<pre> x </pre>\
    <a href='https://a.example/?p=7'>[x_y]z[/x_y]</a><iframe src='//v.example'></iframe>]]></content:encoded></item>\
    </channel></rss>";

/// A Ghost export with all constructs that need special handling.
const GHOST: &str = "{\"db\":[{\"meta\":{\"version\":\"5.82.2\"},\"data\":{\"posts_tags\":[{\"post_id\":\"7a\",\"tag_id\":3,\
    \"sort_order\":0}],\"posts\":[{\"id\":\"7a\",\"title\":\"A & <b>\",\"slug\":\"a-b\",\"status\":\"published\",\"type\":\"post\",\
    \"published_at\":\"2021-03-04T05:06:07.000Z\",\"custom_excerpt\":null,\"feature_image\":\"__GHOST_URL__/content/images/x.jpg\",\
    \"html\":\"<p>One <a href='__GHOST_URL__/a-b/'>a</a></p><figure class='kg-card kg-gallery-card'><div class='kg-gallery-image'>\
    <img src='x.jpg'></div></figure><div class='kg-card kg-callout-card'><div class='kg-callout-emoji'>!</div><div \
    class='kg-callout-text'>b</div></div><figure class='kg-card kg-bookmark-card'><a class='kg-bookmark-container' href='//c'>\
    </a></figure>\"},{\"id\":8,\"page\":1,\"status\":\"draft\",\"html\":null,\"lexical\":\"{}\"}],\"tags\":[{\"id\":3,\"name\":\"X\",\
    \"slug\":\"x\"}],\"users\":[{\"id\":1,\"name\":\"Ada\"}],\"settings\":[{\"a\":[1,{\"b\":2}]}]}}]}";

#[test]
fn no_export_makes_the_reader_of_articles_panic() {
    for (seed, export) in (7..).zip([EXPORT, GHOST]) {
        let mut random = StdRng::seed_from_u64(seed);
        let (mut read, mut broken) = (0_u32, 0_u32);
        for _ in 0..MUTANTS {
            match articles::read_mutant(&mutate(export, &mut random)) {
                Ok(items) => read += items,
                Err(_) => broken += 1,
            }
        }
        assert!(read > 100 && broken > 100, "{read} read, {broken} broken");
    }
}

#[test]
fn no_feed_makes_its_reader_panic() {
    for (seed, feed) in (0..).zip([
        include_str!("articles/feeds/samples/ghost.rss"),
        include_str!("articles/feeds/samples/jekyll.atom"),
        include_str!("articles/feeds/samples/microblog.json"),
    ]) {
        let mut random = StdRng::seed_from_u64(seed);
        let (mut read, mut broken) = (0_u32, 0_u32);
        for _ in 0..MUTANTS {
            match articles::read_mutant(&mutate(feed, &mut random)) {
                Ok(items) => read += items,
                Err(_) => broken += 1,
            }
        }
        assert!(read > 100 && broken > 100, "{read} read, {broken} broken");
    }
}

#[test]
fn no_calendar_makes_its_reader_panic() {
    let zone = chrono_tz::America::Toronto;
    let (mut read, mut refused, mut broken) = (0_u32, 0_u32, 0_u32);
    for (seed, file) in (0..).zip([
        include_str!("icalendar/calendars/google.ics"),
        include_str!("icalendar/calendars/outlook.ics"),
        include_str!("icalendar/calendars/apple.ics"),
        include_str!("icalendar/calendars/wordpress.ics"),
    ]) {
        let mut random = StdRng::seed_from_u64(seed);
        for _ in 0..MUTANTS {
            let mutant = mutate(file, &mut random);
            let end = icalendar::each(Cursor::new(&mutant), zone, |_, item| {
                read += u32::from(item.is_ok());
                refused += u32::from(item.is_err());
                true
            });
            broken += u32::from(end.is_err());
        }
    }
    assert!(read > 0 && refused > 0 && broken > 0);
}

/// An inspection register, and decisions about its uncertain matches.
const REGISTER: &str = "\u{feff}\"Rec #\",\"Establishment ID\",\"Inspection ID\",\"Establishment Name\",\"Establishment Type\",\
    \"Establishment Address\",\"Latitude\",\"Longitude\",\"Establishment Status\",\"Min. Inspections Per Year\",\
    \"Infraction Details\",\"Inspection Date\",\"Severity\",\"Action\",\"Outcome\",\"Amount Fined\"\r\n\
    \"1\",\"105\",\"207\",\"O'NEIL \"\"&\"\" SONS\",\"Restaurant\",\"1 ST CLAIR AVE W, #2\",\"43.68\",\"-79.43\",\"Pass\",\"2\",\
    \"Fail to\r\nclean - Sec. 7\",\"2020-02-14\",\"M - Minor\",\"Ticket\",\"Conviction - Fined\",\"1,250.50\"\r\n\
    2,106,208,Café Ω,Bakery,5 KING ST E,0,,Closed,1,,2020-02-15T00:00:00,,,,\n";
const ANSWERS: &str = "same,establishment,place,why\nyes,105,osm:node/5,\"the names differ, 5 m\"\nno,106,a:1,x\n,1,2,\n";

/// A table of places, and its mapping.
const PLACES: &str = "Ref;Name;Kind;Lat;Lon;Web\r\n17;\"Pai \"\"Thai\"\"\";Wine bar;43,65;-79,39;pai.example\r\n;x;;north;;\n";
const MAPPING: &str = "source = \"bia\"\nseparator = \";\"\n[columns]\nid = \"Ref\"\nname = \"Name\"\ntype = \"Kind\"\n\
    latitude = \"Lat\"\nlongitude = \"Lon\"\nwebsite = \"Web\"\naddress = [\"No.\", \"Street\"]\n";

#[test]
fn no_reader_of_tables_panics_whatever_a_file_holds() {
    let mut random = StdRng::seed_from_u64(7);
    let mapping = PlacesMapping::read(MAPPING).expect("valid");
    let (mut read, mut refused, mut broken) = (0_u32, 0_usize, 0_u32);
    for _ in 0..MUTANTS {
        let mut kept = Refused::default();
        let mutant = mutate(REGISTER, &mut random);
        let rows = inspections::each_row(mutant.as_slice(), &mut kept, |_| {
            read += 1;
            true
        });
        let mutant = mutate(ANSWERS, &mut random);
        let answers = inspections::each_decision(mutant.as_slice(), &mut kept, |_| true);
        let mutant = mutate(PLACES, &mut random);
        let places = place_tables::each(mutant.as_slice(), &mapping, &mut kept, |_| true);
        refused += kept.listed();
        for ended in [rows, answers, places] {
            broken += u32::from(ended.is_err());
        }
    }
    assert!(read > 0 && refused > 0 && broken > 0);
}
