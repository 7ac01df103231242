//! The names of types, neighbourhoods and authors.

use std::collections::HashMap;

use crate::folded;

/// What a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// A type of places.
    Type,
    /// A neighbourhood.
    Neighbourhood,
    /// An author.
    Author,
}

impl Field {
    /// The name in the database, and in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Neighbourhood => "neighbourhood",
            Self::Author => "author",
        }
    }

    /// Reads what [`Field::as_str`] writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Type, Self::Neighbourhood, Self::Author]
            .into_iter()
            .find(|field| field.as_str() == text)
    }
}

/// A type, a neighbourhood or an author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Which of them.
    pub field: Field,
    /// Its slug.
    pub slug: String,
    /// Its name. A type has one in the singular and one in the plural.
    pub name: String,
}

/// Words that make a short form of the one before them: "Kensington" is Kensington Market.
const GENERIC: &[&str] = &[
    "beach", "district", "gardens", "grove", "heights", "hill", "market", "park", "square", "town",
    "village",
];

/// Names, and the forms in which they stand in queries.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    names: Vec<Named>,
    /// The words of each name, folded.
    folded: Vec<Vec<String>>,
    /// Names and their short forms, by their first word.
    forms: HashMap<String, Vec<(Vec<String>, usize)>>,
}

impl Labels {
    /// In the order in which they are suggested.
    #[must_use]
    pub fn new(names: Vec<Named>) -> Self {
        let mut forms: HashMap<String, Vec<(Vec<String>, usize)>> = HashMap::new();
        for (number, named) in names.iter().enumerate() {
            for form in forms_of(named) {
                if let Some(first) = form.first() {
                    let sharing = forms.entry(first.clone()).or_default();
                    sharing.push((form, number));
                }
            }
        }
        // The longest is tried first.
        for sharing in forms.values_mut() {
            sharing.sort_by_key(|(form, number)| (usize::MAX - form.len(), names[*number].field));
        }
        Self {
            folded: names.iter().map(|named| folded(&named.name)).collect(),
            names,
            forms,
        }
    }

    /// All of them, in their order.
    #[must_use]
    pub fn all(&self) -> &[Named] {
        &self.names
    }

    /// The name that words begin with, the longest if there are several, and how many words it takes.
    pub fn name_at<'a>(&self, words: impl Fn(usize) -> Option<&'a str>) -> Option<(&Named, usize)> {
        let sharing = self.forms.get(words(0)?)?;
        let (form, number) = sharing.iter().find(|(form, _)| {
            let mut parts = form.iter().enumerate();
            parts.all(|(at, part)| words(at) == Some(part.as_str()))
        })?;
        Some((&self.names[*number], form.len()))
    }

    /// Names that begin with these folded words, the last of which may be unfinished, in the order of their kinds.
    pub fn names_from(&self, words: &[String]) -> impl Iterator<Item = &Named> {
        let begins = move |name: &[String]| {
            let (Some((last, before)), true) = (words.split_last(), words.len() <= name.len())
            else {
                return false;
            };
            name.starts_with(before) && name[before.len()].starts_with(last.as_str())
        };
        let known = self.names.iter().zip(&self.folded);
        known
            .filter(move |(_, folded)| begins(folded))
            .map(|(named, _)| named)
    }

    /// The name of a type in the plural, which is the longer one; empty if there is no such type.
    #[must_use]
    pub fn type_name(&self, slug: &str) -> &str {
        let names = self.names.iter();
        let names = names.filter(|named| named.field == Field::Type && named.slug == slug);
        let longest = names.max_by_key(|named| named.name.len());
        longest.map_or("", |named| &named.name)
    }

    /// A type and a neighbourhood that folded words name together, the second perhaps unfinished: "bars in par".
    #[must_use]
    pub fn type_in_area(&self, words: &[String]) -> Option<(&Named, &Named)> {
        let (kind, length) = self.name_at(|at| words.get(at).map(String::as_str))?;
        let rest = match words.get(length..)? {
            [first, rest @ ..] if first == "in" => rest,
            rest => rest,
        };
        let area = self
            .names_from(rest)
            .find(|named| named.field == Field::Neighbourhood)?;
        (kind.field == Field::Type).then_some((kind, area))
    }
}

/// The forms in which a name stands in queries.
fn forms_of(named: &Named) -> Vec<Vec<String>> {
    let words = folded(&named.name);
    let mut forms = vec![words.clone()];
    match named.field {
        Field::Type => {}
        Field::Neighbourhood => {
            if let [first, rest @ ..] = words.as_slice()
                && first == "the"
            {
                forms.push(rest.to_vec());
            }
            if let [first, last] = words.as_slice()
                && GENERIC.contains(&last.as_str())
            {
                forms.push(vec![first.clone()]);
            }
            // "Kensington-Chinatown" is either.
            forms.extend(named.name.split('-').map(folded));
        }
        // "Sunniva" and "Okafor" are Sunniva Okafor-Bell, if the query says that they write.
        Field::Author => forms.push(words.iter().take(1).cloned().collect()),
    }
    forms.retain(|form| !form.is_empty());
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Labels {
        let one = |field, slug: &str, name: &str| Named {
            field,
            slug: slug.to_owned(),
            name: name.to_owned(),
        };
        Labels::new(vec![
            one(
                Field::Neighbourhood,
                "kensington-market",
                "Kensington Market",
            ),
            one(Field::Neighbourhood, "the-annex", "The Annex"),
            one(Field::Type, "bars", "Bars"),
            one(Field::Author, "ada-king", "Ada King"),
        ])
    }

    #[test]
    fn names_are_known_by_their_short_forms() {
        let labels = labels();
        let at = |query: &'static str| {
            let words: Vec<&str> = query.split(' ').collect();
            let (named, length) = labels.name_at(|at| words.get(at).copied())?;
            Some((named.slug.clone(), length))
        };
        assert_eq!(
            at("kensington market bars"),
            Some(("kensington-market".to_owned(), 2))
        );
        assert_eq!(
            at("kensington coffee"),
            Some(("kensington-market".to_owned(), 1))
        );
        assert_eq!(at("annex"), Some(("the-annex".to_owned(), 1)));
        assert_eq!(at("ada"), Some(("ada-king".to_owned(), 1)));
        assert_eq!(at("market"), None);
    }
}
