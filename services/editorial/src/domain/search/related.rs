//! Related words and filler words.

/// Words of a query that documents need not contain.
const FILLERS: &[&str] = &[
    "a", "an", "and", "at", "best", "by", "city", "close", "de", "des", "do", "du", "find", "for",
    "from", "good", "great", "i", "in", "is", "la", "le", "les", "me", "my", "near", "of", "on",
    "or", "place", "places", "some", "spot", "spots", "the", "to", "top", "what", "where", "with",
];

/// Folded words with related words. Documents with a related word are also found, but rank lower.
const RELATED: &[(&str, &[&str])] = &[
    ("bakery", &["patisserie", "bakeries"]),
    ("bakeries", &["bakery", "patisserie"]),
    ("patisserie", &["bakery"]),
    ("coffee", &["cafe", "espresso", "roastery"]),
    ("cafe", &["coffee", "espresso"]),
    ("coffeeshop", &["cafe"]),
    ("donut", &["doughnut"]),
    ("donuts", &["doughnuts"]),
    ("gelato", &["ice cream"]),
    ("icecream", &["ice cream"]),
    ("noodle", &["ramen"]),
    ("noodles", &["ramen"]),
    ("ramen", &["noodle"]),
    ("pub", &["pubs"]),
    ("patio", &["patios"]),
    ("sushi", &["japanese"]),
    ("izakaya", &["japanese"]),
    ("taco", &["mexican"]),
    ("tacos", &["mexican"]),
    ("pho", &["vietnamese"]),
    ("curry", &["indian", "thai"]),
    ("vegan", &["vegetarian"]),
    ("veggie", &["vegetarian"]),
    ("beer", &["brewery", "pub"]),
    ("wine", &["vin"]),
    ("drinks", &["bar", "cocktails"]),
    ("breakfast", &["brunch"]),
    ("art", &["gallery"]),
    ("museum", &["gallery"]),
    ("movie", &["film"]),
    ("movies", &["film"]),
    ("gig", &["music"]),
    ("concert", &["music"]),
    ("concerts", &["music"]),
    ("comedy", &["improv"]),
    ("kids", &["family"]),
    ("children", &["family"]),
    ("oyster", &["seafood"]),
    ("oysters", &["seafood"]),
    ("seafood", &["oyster", "fish"]),
    ("food", &["restaurant", "quick bite"]),
    ("eat", &["restaurant", "quick bite"]),
    ("park", &["parkette"]),
    ("parks", &["parkette"]),
    ("streetcar", &["tram"]),
    ("tram", &["streetcar"]),
    ("weed", &["cannabis"]),
];

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Returns the related words of a folded word.
pub(super) fn related(word: &str) -> &'static [&'static str] {
    let found = RELATED.iter().find(|(name, _)| *name == word);
    found.map_or(&[], |(_, related)| related)
}
