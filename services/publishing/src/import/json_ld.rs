//! JSON-LD: an array of objects, an object with a `@graph`, or a single object.

use std::io::Read;

use serde_json::{Map, Value};
use struson::reader::{JsonReader as _, ValueType};

use super::json::{Json, expect, position};

/// Key of an object's list of objects.
const GRAPH: &str = "@graph";

/// Passes every object with its position to `take` until it returns false. An error contains the position at which the
/// file is broken.
pub(super) fn each(
    file: impl Read,
    mut take: impl FnMut(String, Value) -> bool,
) -> Result<(), String> {
    let mut json = Json::new(file);
    if expect(json.reader.peek(), "an array or an object")? == ValueType::Array {
        if !array(&mut json, &mut take)? {
            return Ok(());
        }
    } else {
        let at = position(&json.reader);
        let mut thing = Map::new();
        let mut has_graph = false;
        expect(json.reader.begin_object(), "an array or an object")?;
        while expect(json.reader.has_next(), "a name")? {
            let name = expect(json.reader.next_name_owned(), "a name")?;
            if name == GRAPH {
                has_graph = true;
                if !array(&mut json, &mut take)? {
                    return Ok(());
                }
            } else {
                thing.insert(name, json.value()?);
            }
        }
        expect(json.reader.end_object(), "the end of the object")?;
        if !has_graph && !take(at, Value::Object(thing)) {
            return Ok(());
        }
    }
    json.end()
}

/// Reads an array. Returns false if `take` has ended the import.
fn array(
    json: &mut Json<impl Read>,
    take: &mut impl FnMut(String, Value) -> bool,
) -> Result<bool, String> {
    expect(json.reader.begin_array(), "a list of things")?;
    while expect(json.reader.has_next(), "a thing")? {
        let at = position(&json.reader);
        if !take(at, json.value()?) {
            return Ok(false);
        }
    }
    expect(json.reader.end_array(), "the end of the list")?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<(String, Value)>, String> {
        let mut found = Vec::new();
        each(text.as_bytes(), |at, thing| {
            found.push((at, thing["name"].clone()));
            true
        })?;
        Ok(found)
    }

    #[test]
    fn things_stand_in_an_array_in_a_graph_or_alone() {
        let names = |text: &str| {
            let found = names(text).expect("valid");
            let found: Vec<_> = found
                .into_iter()
                .map(|(at, name)| format!("{at}: {name}"))
                .collect();
            found.join("; ")
        };
        assert_eq!(
            names("[{\"name\": 1},\n {\"name\": 2}]"),
            "line 1, column 2: 1; line 2, column 2: 2"
        );
        assert_eq!(
            names("{\"@context\": {\"a\": []}, \"@graph\": [\n{\"name\": 1}]}"),
            "line 2, column 1: 1"
        );
        assert_eq!(names("{\"name\": 1}"), "line 1, column 1: 1");
        assert_eq!(names("[]"), "");
    }

    #[test]
    fn a_broken_file_says_where() {
        let deep = "[".repeat(10_000);
        for text in [
            "",
            "5",
            "[{]",
            "[{\"name\": 1}",
            "[] x",
            "{\"@graph\": 5}",
            &deep,
            &format!("[\"{}\"]", "x".repeat(17 << 20)),
        ] {
            assert!(names(text).is_err(), "{text}");
        }
    }
}
