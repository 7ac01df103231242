//! Escaping of text and JSON in HTML.

/// Escapes text for HTML and double-quoted attributes.
pub(super) fn in_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Escapes JSON for a script element, so that it can end neither the element nor a line of script.
pub(super) fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn texts_cannot_leave_their_place() {
        assert_eq!(
            in_text("</title><b a=\"&\">"),
            "&lt;/title&gt;&lt;b a=&quot;&amp;&quot;&gt;"
        );
        let json = json!({"name": "</script>\u{2028}&"}).to_string();
        let sealed = in_script(&json);
        assert!(!sealed.contains(['<', '>', '&', '\u{2028}']), "{sealed}");
        let back: Value = serde_json::from_str(&sealed).expect("still JSON");
        assert_eq!(back["name"], "</script>\u{2028}&");
    }
}
