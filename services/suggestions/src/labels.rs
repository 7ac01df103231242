//! The names of types, neighbourhoods and authors.

use std::collections::HashMap;

use crate::folded;

/// The kind of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// A place type.
    Type,
    /// A neighbourhood.
    Neighbourhood,
    /// An author.
    Author,
}

impl Field {
    /// The field's name in the database and in responses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Neighbourhood => "neighbourhood",
            Self::Author => "author",
        }
    }

    /// Parses the name that [`Field::as_str`] returns.
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
    /// The kind of label.
    pub field: Field,
    /// The label's slug.
    pub slug: String,
    /// The name. A type has two labels: one with its singular and one with its plural.
    pub name: String,
}

/// Second words that can be omitted from a neighbourhood's name: "Kensington" is short for Kensington Market.
const GENERIC: &[&str] = &[
    "beach", "district", "gardens", "grove", "heights", "hill", "market", "park", "square", "town",
    "village",
];

/// Labels, and the forms in which they occur in queries.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    names: Vec<Named>,
    /// The words of each name, folded.
    folded: Vec<Vec<String>>,
    /// The full and short forms of the names, by their first word.
    forms: HashMap<String, Vec<(Vec<String>, usize)>>,
}

impl Labels {
    /// Creates the labels, in the order in which they are suggested.
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
        // Longer forms are tried first.
        for sharing in forms.values_mut() {
            sharing.sort_by_key(|(form, number)| (usize::MAX - form.len(), names[*number].field));
        }
        Self {
            folded: names.iter().map(|named| folded(&named.name)).collect(),
            names,
            forms,
        }
    }

    /// All labels, in order.
    #[must_use]
    pub fn all(&self) -> &[Named] {
        &self.names
    }

    /// The label with which the words begin, the longest if there are several, and the number of its words.
    pub fn name_at<'a>(&self, words: impl Fn(usize) -> Option<&'a str>) -> Option<(&Named, usize)> {
        let sharing = self.forms.get(words(0)?)?;
        let (form, number) = sharing.iter().find(|(form, _)| {
            let mut parts = form.iter().enumerate();
            parts.all(|(at, part)| words(at) == Some(part.as_str()))
        })?;
        Some((&self.names[*number], form.len()))
    }

    /// Labels that begin with these folded words, the last of which may be incomplete, in order.
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

    /// The plural name of a type, which is the longer name; empty if the type does not exist.
    #[must_use]
    pub fn type_name(&self, slug: &str) -> &str {
        let names = self.names.iter();
        let names = names.filter(|named| named.field == Field::Type && named.slug == slug);
        let longest = names.max_by_key(|named| named.name.len());
        longest.map_or("", |named| &named.name)
    }

    /// The type and neighbourhood in folded words such as "bars in par", where the neighbourhood may be incomplete.
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

/// The forms in which a name occurs in queries.
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
            // For example, both parts of "Kensington-Chinatown".
            forms.extend(named.name.split('-').map(folded));
        }
        // The first name alone; callers accept it only if the query is about authors ("by Ada").
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
