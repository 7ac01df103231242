//! Folded words, as compared by the index.

use chassis::slug::words;

/// The maximum number of indexed words per text: PostgreSQL supports no more positions.
const MAX_WORDS: usize = 4000;
/// The maximum length of a word, in letters. Longer words are cut, in queries too.
const MAX: usize = 40;

/// A folded word, which is ASCII, cut to the maximum length.
#[must_use]
pub fn cut(word: &str) -> &str {
    word.get(..MAX).unwrap_or(word)
}

/// The folded words of a text: lower case, without accents.
#[must_use]
pub fn folded(text: &str) -> Vec<String> {
    let words = words(text).into_iter().take(MAX_WORDS);
    words.map(|word| cut(&word.folded).to_owned()).collect()
}
