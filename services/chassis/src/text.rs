//! Lines of text for pages: their validation, and the sentences that lists quote.

use unicode_segmentation::UnicodeSegmentation as _;

/// The maximum length of a name, address or other line of text, in characters.
const MAX_LINE: usize = 255;

/// The maximum length of a text that is quoted whole, in characters.
const MAX_SHORT: usize = 160;

/// Words whose full stop does not end a sentence.
const ABBREVIATED: &[&str] = &[
    "Ave", "Blvd", "Dr", "Mr", "Mrs", "Ms", "Mt", "No", "Rd", "St", "Ste", "approx", "vs",
];

/// A trimmed line of text. Empty or overlong lines and control characters are refused.
pub fn line(what: &str, text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("the {what} is missing"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("the {what} has control characters"));
    }
    if text.chars().count() > MAX_LINE {
        return Err(format!("the {what} is longer than {MAX_LINE} characters"));
    }
    Ok(text.to_owned())
}

/// An optional line of text, validated like [`line()`]; an empty line counts as absent.
pub fn optional_line(what: &str, text: Option<&str>) -> Result<Option<String>, String> {
    match text.map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => line(what, text).map(Some),
    }
}

/// The first sentence of a text, on one line. A sentence of more than 255 characters ends after a word, with an ellipsis.
/// `None` for blank text.
#[must_use]
pub fn first_sentence(text: &str) -> Option<String> {
    let text = on_one_line(text);
    let mut end = 0;
    for sentence in text.split_sentence_bounds() {
        end += sentence.len();
        if !is_abbreviated(&text[..end]) {
            break;
        }
    }
    let sentence = text[..end].trim_end();
    if sentence.is_empty() {
        return None;
    }
    let Some((too_long, _)) = sentence.char_indices().nth(MAX_LINE) else {
        return Some(sentence.to_owned());
    };
    let fits = &sentence[..too_long];
    let words = fits.rsplit_once(' ').map_or(fits, |(words, _)| words);
    Some(format!("{}…", words.trim_end_matches([',', ';', ':'])))
}

/// A text of at most 160 characters on one line, or else its first sentence. `None` for blank text.
#[must_use]
pub fn short_text(text: &str) -> Option<String> {
    let whole = on_one_line(text);
    if whole.chars().count() <= MAX_SHORT {
        return (!whole.is_empty()).then_some(whole);
    }
    first_sentence(&whole)
}

fn on_one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

/// Whether a text ends with an abbreviation or an initial.
fn is_abbreviated(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    last.strip_suffix('.').is_some_and(|word| {
        ABBREVIATED.contains(&word)
            || word.chars().count() == 1 && word.chars().all(char::is_uppercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_mark_but_not_at_an_abbreviation() {
        for (text, first) in [
            ("Two ovens. No menu.", "Two ovens."),
            ("Is it open? Yes.", "Is it open?"),
            ("“Come in,” she says. We did.", "“Come in,” she says."),
            (
                "At 3.5 km from St. Clair it begins. Then not.",
                "At 3.5 km from St. Clair it begins.",
            ),
            ("J. Park cooks\nalone. Here.", "J. Park cooks alone."),
            ("No mark at all", "No mark at all"),
        ] {
            assert_eq!(first_sentence(text).as_deref(), Some(first));
        }
        assert_eq!(first_sentence(" \n "), None);
    }

    #[test]
    fn an_endless_sentence_ends_after_a_word() {
        let text = format!("{}and, {}", "word ".repeat(50), "x".repeat(300));
        let first = first_sentence(&text).expect("text");
        assert!(first.ends_with("word and…"), "{first}");
        let one_word = first_sentence(&"é".repeat(400)).expect("text");
        assert_eq!(one_word.chars().count(), MAX_LINE + 1);
    }

    #[test]
    fn a_short_text_is_quoted_whole() {
        let two = "Actors from eleven on. The stories are better than the plays were.";
        assert_eq!(short_text(two).as_deref(), Some(two));
        let long = format!("One. {}", "Two words here. ".repeat(12));
        assert_eq!(short_text(&long).as_deref(), Some("One."));
        assert_eq!(short_text(""), None);
    }
}
