//! Words as the index compares them.

use chassis::slug::words;

/// Words of one text that are indexed: PostgreSQL knows no more positions.
const MAX_WORDS: usize = 4000;
/// The longest word, in letters. Longer ones are cut, in queries too.
const MAX: usize = 40;

/// A folded word, which is ASCII, of bounded length.
#[must_use]
pub fn cut(word: &str) -> &str {
    word.get(..MAX).unwrap_or(word)
}

/// The words of a text, folded: lower case, without accents.
#[must_use]
pub fn folded(text: &str) -> Vec<String> {
    let words = words(text).into_iter().take(MAX_WORDS);
    words.map(|word| cut(&word.folded).to_owned()).collect()
}
