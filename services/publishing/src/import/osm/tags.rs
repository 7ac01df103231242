//! Tags of a feature. Most exporters write them as properties; some write all or the rarer tags in a single property.

use std::{borrow::Cow, collections::HashMap};

use serde_json::Value;

use super::super::Feature;

/// Tags by key.
pub(super) struct Tags<'a> {
    feature: &'a Feature,
    /// The rarer tags, as written by ogr2ogr.
    others: HashMap<String, String>,
}

impl<'a> Tags<'a> {
    pub(super) fn of(feature: &'a Feature) -> Self {
        let others = hstore(&feature.text("other_tags"));
        Self { feature, others }
    }

    /// Returns the first of these keys' values that is not empty.
    pub(super) fn first(&self, keys: &[&str]) -> Cow<'_, str> {
        let mut values = keys.iter().map(|key| self.value(key));
        values.find(|value| !value.is_empty()).unwrap_or_default()
    }

    /// Returns the value of this key; empty if it is missing.
    pub(super) fn value(&self, key: &str) -> Cow<'_, str> {
        let own = self.feature.text(key);
        if !own.is_empty() {
            return own.into();
        }
        let nested = self.feature.properties.get("tags");
        let nested = nested
            .and_then(|tags| tags.get(key))
            .and_then(Value::as_str);
        let other = || self.others.get(key).map(String::as_str);
        nested.or_else(other).unwrap_or_default().trim().into()
    }
}

/// Parses PostgreSQL's hstore format, `"key"=>"value","other"=>"…"`, up to the first syntax error.
fn hstore(text: &str) -> HashMap<String, String> {
    let mut tags = HashMap::new();
    let mut rest = text;
    while let Some((key, after)) = quoted(rest) {
        let Some((value, after)) = after.strip_prefix("=>").and_then(quoted) else {
            break;
        };
        tags.insert(key, value);
        rest = after.trim_start_matches([',', ' ']);
    }
    tags
}

/// Parses a quoted text at the beginning. Returns it with the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut found = String::new();
    let mut letters = inner.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((found, &inner[at + 1..])),
            '\\' => found.push(letters.next()?.1),
            letter => found.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_are_found_wherever_an_exporter_puts_them() {
        for properties in [
            json!({"cuisine": " sushi ", "phone": "1"}),
            json!({"tags": {"cuisine": "sushi", "phone": "1"}}),
            json!({"other_tags": r#""cuisine"=>"sushi", "phone"=>"1""#}),
        ] {
            let feature = Feature::of_value("line 1", json!({"properties": properties}));
            let tags = Tags::of(&feature);
            assert_eq!(tags.value("cuisine"), "sushi");
            assert_eq!(tags.first(&["contact:phone", "phone"]), "1");
            assert_eq!(tags.value("name"), "");
        }
    }

    #[test]
    fn quotes_within_values_are_kept_and_broken_ones_end_the_reading() {
        let tags = hstore(r#""name"=>"The \"Dog\"","a"=>"b\\c","broken"=>"d"#);
        assert_eq!(tags.get("name").map(String::as_str), Some("The \"Dog\""));
        assert_eq!(tags.get("a").map(String::as_str), Some("b\\c"));
        assert_eq!(tags.len(), 2);
        for broken in ["", "x", "\"a\"", "\"a\"=>", "\"a\"=>b", "\"a\\"] {
            assert!(hstore(broken).is_empty(), "{broken}");
        }
    }
}
