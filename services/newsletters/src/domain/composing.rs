//! Composes the content of an issue.

use std::collections::HashSet;

use super::issue::Item;

/// Maximum number of items in an issue; readers would not read more items.
pub(crate) const MAX_ITEMS: usize = 12;
/// Maximum length of an item's text, in characters.
pub(crate) const TEXT: usize = 200;

/// Picture formats that all mail programs support.
const PICTURES: [&str; 4] = [".jpg", ".jpeg", ".png", ".gif"];

/// Returns the items that no earlier issue contained, up to the maximum number.
pub(crate) fn fresh(items: Vec<Item>, brought: &HashSet<String>) -> Vec<Item> {
    let mut seen = HashSet::new();
    items
        .into_iter()
        .filter(|item| !brought.contains(&item.reference))
        .filter(|item| seen.insert(item.reference.clone()))
        .take(MAX_ITEMS)
        .collect()
}

/// Shortens a text to a few lines, at the end of a word.
pub(crate) fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= TEXT {
        return text;
    }
    let cut: String = text.chars().take(TEXT - 1).collect();
    let whole = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole}…")
}

/// Returns a picture if mail programs support its format.
pub(crate) fn picture(address: Option<String>) -> Option<String> {
    address.filter(|address| {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        let path = path.to_ascii_lowercase();
        PICTURES.iter().any(|ending| path.ends_with(ending))
    })
}

/// Converts a slug to a title: `real-estate` becomes "Real Estate".
pub(crate) fn titled(slug: &str) -> String {
    let words = slug.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(char::to_uppercase);
        first
            .into_iter()
            .flatten()
            .chain(letters)
            .collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_twice_and_no_more_than_is_read() {
        let brought = HashSet::from(["article/1".to_owned()]);
        let some = ["article/1", "article/2", "article/2", "place/1"].map(Item::referring);
        let left = fresh(some.to_vec(), &brought);
        let left: Vec<_> = left.iter().map(|item| item.reference.as_str()).collect();
        assert_eq!(left, ["article/2", "place/1"]);
        let many = (0..50).map(|number| Item::referring(&format!("event/{number}")));
        assert_eq!(fresh(many.collect(), &brought).len(), MAX_ITEMS);
    }

    #[test]
    fn texts_are_cut_at_a_word_and_slugs_are_words() {
        assert_eq!(shortened(" two\n words "), "two words");
        let cut = shortened(&"word ".repeat(100));
        assert!(
            cut.chars().count() <= TEXT && cut.ends_with("word…"),
            "{cut}"
        );
        assert_eq!(titled("real-estate"), "Real Estate");
    }

    #[test]
    fn pictures_that_programs_for_mail_do_not_show_are_left_out() {
        let kept = |address: &str| picture(Some(address.to_owned())).is_some();
        assert!(kept("/media/tram.JPG?v=2") && kept("https://x.example/a.png"));
        assert!(!kept("/media/tram.svg") && !kept("/media/tram.webp") && !kept("/tram"));
    }
}
