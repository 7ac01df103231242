//! Files in the format of Google Takeout, and invalid files.

use super::*;

fn read(content: &str) -> SavedPlaces {
    SavedPlaces::read(content.as_bytes()).expect("can be read")
}

fn place(name: &str, address: &str, note: &str) -> SavedPlace {
    SavedPlace {
        name: name.to_owned(),
        address: address.to_owned(),
        note: note.to_owned(),
        position: None,
    }
}

fn at(latitude: f64, longitude: f64, is_approximate: bool) -> Position {
    Position {
        latitude,
        longitude,
        is_approximate,
    }
}

#[test]
fn saved_places_are_read_in_both_forms() {
    let read = read(
        r#"{"type": "FeatureCollection", "features": [
        {"geometry": {"coordinates": [-79.3889, 43.6479], "type": "Point"},
         "properties": {"Google Maps URL": "http://maps.google.com/?cid=1", "Published": "2015-06-01T12:00:00Z",
            "Location": {"Address": "18 Duncan St, Toronto, ON M5H 3G8, Canada", "Business Name": "Pai",
                "Country Code": "CA", "Geo Coordinates": {"Latitude": "43.6480", "Longitude": "-79.3890"}},
            "Title": "Pai Northern Thai Kitchen", "Updated": "2015-06-01T12:00:00Z"}, "type": "Feature"},
        {"geometry": {"coordinates": [-79.4, 43.65, 90.1], "type": "Point"},
         "properties": {"date": "2023-01-02T03:04:05Z", "google_maps_url": "http://maps.google.com/?cid=2",
            "location": {"address": "1 Queen St W\nToronto", "country_code": "CA", "name": "Grange\tPark"},
            "Comment": "with  the\u0000 kids"}, "type": "Feature"},
        {"geometry": {"coordinates": [0, 0], "type": "Point"},
         "properties": {"date": "2023-01-02T03:04:05Z",
            "google_maps_url": "http://maps.google.com/?q=Gull+Barn,+5+King+St&ftid=0x882b34d68bf33a9b:0x15edd8c4de1c7581",
            "Comment": "No location information is available for this saved place"}, "type": "Feature"},
        {"geometry": {"coordinates": [0, 0], "type": "Point"},
         "properties": {"google_maps_url": "http://maps.google.com/?cid=3"}, "type": "Feature"},
        {"geometry": null, "properties": {"Title": "A title alone"}, "type": "Feature"}
        ]}"#,
    );
    let positions: Vec<_> = read.places.iter().map(|place| place.position).collect();
    assert_eq!(positions[0], Some(at(43.648, -79.389, false)));
    assert_eq!(positions[1], Some(at(43.65, -79.4, false)));
    assert!(positions[2].is_some_and(|at| at.is_approximate));
    assert_eq!(positions[3], None);
    let texts = read.places.into_iter().map(|place| SavedPlace {
        position: None,
        ..place
    });
    let expected = [
        place("Pai", "18 Duncan St, Toronto, ON M5H 3G8, Canada", ""),
        place("Grange Park", "1 Queen St W Toronto", "with the kids"),
        place("Gull Barn, 5 King St", "", ""),
        place("A title alone", "", ""),
    ];
    assert_eq!(texts.collect::<Vec<_>>(), expected);
    assert_eq!((read.nameless, read.left_out), (1, 0));
}

#[test]
fn a_list_is_read_whatever_its_language_and_its_first_lines_are() {
    let url = "https://www.google.com/maps/place/E%26O+Kitchen+and+Bar/data=!4m2!3m1!1s0x8085808941977519:0x6a23af223bffdaf8";
    let plain = format!(
        "\u{feff}Title,Note,URL,Tags,Comment\r\n,,,,\r\nE&O,\"a \"\"quote\"\",\nand a line\",{url},,\r\n,,{url},,again\r\n"
    );
    let found = read(&plain);
    let names: Vec<_> = found.places.iter().map(|place| &*place.name).collect();
    assert_eq!(names, ["E&O", "E&O Kitchen and Bar"]);
    let notes: Vec<_> = found.places.iter().map(|place| &*place.note).collect();
    assert_eq!(notes, ["a \"quote\", and a line", "again"]);
    let described = format!("My favourites\n\nTitel,Notiz,URL,Kommentar\nE&O,lecker,{url},\n");
    assert_eq!(
        read(&described).places,
        [SavedPlace {
            note: "lecker".to_owned(),
            ..found.places[0].clone()
        }]
    );
    // A formula is treated as plain text and never computed.
    let formula = read("Title,Note,URL\n=1+1,@SUM(A1),\n");
    assert_eq!(formula.places, [place("=1+1", "", "@SUM(A1)")]);
}

#[test]
fn links_have_names_and_positions_in_many_forms() {
    let base = "https://www.google.com/maps";
    for (url, name, position) in [
        (
            "/place/Pai/@43.6,-79.3,17z/data=!3m1!8m2!3d43.6479!4d-79.3889!16s",
            "Pai",
            Some(at(43.6479, -79.3889, false)),
        ),
        (
            "/place/Caf%C3%A9+M%C3%A9lange/@43.6,-79.3,17z",
            "Café Mélange",
            Some(at(43.6, -79.3, true)),
        ),
        ("/search/43.65,-79.38", "", Some(at(43.65, -79.38, false))),
        ("/place/43.65,-79.38", "", None),
        ("?q=43.65,-79.38", "", Some(at(43.65, -79.38, false))),
        ("?q=Pai,+Toronto", "Pai, Toronto", None),
        ("?cid=12345", "", None),
        ("/place/Pai/@95,-79.3,17z", "Pai", None),
        ("/place/Pai/data=!3dNaN!4dinf", "Pai", None),
        ("/place/%FF%00/data=!1s0xzz:0x1", "\u{fffd}\0", None),
        ("/place/", "", None),
    ] {
        let found = link::read(&format!("{base}{url}"));
        assert_eq!(
            (found.name.as_str(), found.position),
            (name, position),
            "{url}"
        );
    }
    assert_eq!(link::read(""), link::Link::default());
}

/// Place ids of Google Maps with known positions.
#[test]
fn the_id_of_a_place_leads_near_it() {
    for (id, latitude, longitude, metres) in [
        (
            "0x8085808941977519:0x6a23af223bffdaf8",
            37.789_696,
            -122.405_85,
            100.0,
        ),
        (
            "0x882b34d68bf33a9b:0x15edd8c4de1c7581",
            43.642_6,
            -79.387_1,
            100.0,
        ),
        (
            "0x132f61b6532013ad:0x28f1c82e908503c4",
            41.890_2,
            12.492_2,
            200.0,
        ),
        // Some cells are not near their place: such a position is approximate.
        (
            "0x47e66e2964e34e2d:0x8ddca9ee380ef7e0",
            48.858_4,
            2.294_5,
            3_000.0,
        ),
    ] {
        let link = link::read(&format!(
            "https://www.google.com/maps/place/X/data=!4m2!3m1!1s{id}"
        ));
        let found = link.position.expect("a position");
        assert!(found.is_approximate);
        let north = (found.latitude - latitude) * 111_195.0;
        let east = (found.longitude - longitude) * 111_195.0 * latitude.to_radians().cos();
        let away = f64::hypot(north, east);
        assert!(away < metres, "{id} is {away} m away");
    }
    for none in ["0", "ffffffffffffffff", "c000000000000001"] {
        let id = u64::from_str_radix(none, 16).expect("a number");
        assert_eq!(cell::position(id), None, "{none}");
    }
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let deep = format!(
        "{{\"x\": {}{}, \"features\": []}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let deep_in_a_feature = format!(
        "{{\"features\": [{{\"x\": {}{}}}]}}",
        "[".repeat(40),
        "]".repeat(40)
    );
    for (content, says) in [
        (&b"PK\x03\x04..."[..], "whole archive"),
        (b"\xff\xfeT\0i\0", "UTF-8"),
        (b"Title,Note\nPai,\n", "heading"),
        (b"<!doctype html>", "heading"),
        (b"\0\0\0\0", "heading"),
        (b"[]", "JSON"),
        (b"{}", "JSON"),
        (b"{\"features\": 1}", "JSON"),
        (b"{\"features\": [1]}", "JSON"),
        (
            b"{\"features\": [{\"properties\": {\"Title\": 5}}]}",
            "JSON",
        ),
        (
            b"{\"features\": [{\"geometry\": {\"coordinates\": [[1, 2]]}}]}",
            "JSON",
        ),
        (b"{\"features\": []} x", "JSON"),
        (b"{\"features\": [", "JSON"),
        (deep.as_bytes(), "JSON"),
        (deep_in_a_feature.as_bytes(), "JSON"),
    ] {
        let refused = SavedPlaces::read(content).expect_err("is refused");
        assert!(refused.contains(says), "{refused}");
    }
    assert_eq!(read("{\"features\": []}"), SavedPlaces::default());
}

#[test]
fn of_many_entries_the_first_are_read_and_the_others_counted() {
    let rows = 300_000;
    let table = format!("Title,Note,URL\n{}", "a,,\n".repeat(rows));
    assert!(table.len() < MAX_BYTES);
    let found = read(&table);
    assert_eq!(
        (found.places.len(), found.left_out),
        (MAX_PLACES, rows - MAX_PLACES)
    );
    let features = vec!["{}"; rows].join(",");
    let found = read(&format!("{{\"features\": [{features}]}}"));
    assert_eq!((found.places.len(), found.nameless), (0, rows));
    // Long texts are truncated, and white space alone becomes an empty text.
    let long = read(&format!(
        "Title,Note,URL\n{},\"{}\",\n",
        "é ".repeat(9_000),
        "n".repeat(9_000)
    ));
    assert_eq!(long.places[0].name.chars().count(), MAX_LINE - 1);
    assert_eq!(long.places[0].note.len(), MAX_NOTE);
}

#[test]
fn a_list_is_called_as_its_file() {
    for (file, name) in [
        ("Want to go.csv", "Want to go"),
        ("C:\\Takeout\\Saved Places.JSON", "Saved Places"),
        ("St. Clair", "St. Clair"),
        ("a\r\nb.csv", "a b"),
        ("", ""),
    ] {
        assert_eq!(list_name(file), name);
    }
}
