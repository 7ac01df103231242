//! Search documents.

use chassis::markup::plain;
use chrono::{DateTime, Utc};
use suggestions::{DocumentKind, folded};
use vocabulary::position::Coordinates;

use super::stems;
use crate::domain::{Detail, ItemText, Kind};

/// Maximum length of the text stored for passages, in characters.
const MAX_PASSAGE: usize = 20_000;

/// Returns the kind of an item as a document; `None` if the kind is not searchable.
fn document_kind(kind: Kind) -> Option<DocumentKind> {
    match kind {
        Kind::Article => Some(DocumentKind::Article),
        Kind::Event => Some(DocumentKind::Event),
        Kind::Video => Some(DocumentKind::Video),
        Kind::Contest | Kind::Page => None,
    }
}

/// A place, list or item from which a document is created.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) kind: DocumentKind,
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) path: String,
    /// Names of the object's type, neighbourhood, tags, authors and venue.
    pub(crate) labels: Vec<String>,
    /// Excerpt or address.
    pub(crate) excerpt: String,
    /// Plain text.
    pub(crate) text: String,
    pub(crate) type_slug: Option<String>,
    pub(crate) neighbourhood: Option<String>,
    pub(crate) is_closed: bool,
    pub(crate) is_free: bool,
    pub(crate) position: Option<Coordinates>,
    pub(crate) published_at: DateTime<Utc>,
    /// From 0 to 1.
    pub(crate) quality: f32,
}

#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) name_key: String,
    pub(crate) labels: String,
    pub(crate) passage: String,
    pub(crate) stems: String,
    pub(crate) words: String,
}

/// Normalises a name for comparison: its folded words.
pub(crate) fn name_key(name: &str) -> String {
    folded(name).join(" ")
}

impl From<Source> for Document {
    fn from(source: Source) -> Self {
        let labels = source.labels.join(" · ");
        let whole = [source.excerpt.as_str(), source.text.as_str()].join("\n");
        let passage = whole.split_whitespace().collect::<Vec<_>>().join(" ");
        let texts = [
            (source.name.as_str(), 'A'),
            (labels.as_str(), 'B'),
            (source.excerpt.as_str(), 'C'),
            (source.text.as_str(), 'D'),
        ];
        let [name, label, ..] = texts;
        Self {
            name_key: name_key(&source.name),
            stems: stems::vector(&texts, stems::stem),
            words: stems::vector(&[name, label], str::to_owned),
            passage: passage.chars().take(MAX_PASSAGE).collect(),
            labels,
            source,
        }
    }
}

impl Source {
    /// Creates the source of an item. Only the public parts of an age-restricted item are indexed. Returns `None` if
    /// the kind is not searchable.
    pub(crate) fn of_item(found: ItemText, neighbourhood_name: Option<&str>) -> Option<Self> {
        let ItemText { item, body_html } = found.gated();
        let kind = document_kind(item.kind)?;
        let path = item.path();
        let names = item.authors.iter().chain(&item.tags);
        let mut labels: Vec<String> = names.map(|named| named.name.clone()).collect();
        labels.push(item.section.replace('-', " "));
        let mut source = Self {
            kind,
            id: item.id,
            name: item.name,
            path,
            labels: Vec::new(),
            excerpt: item.excerpt,
            text: plain(&body_html),
            type_slug: None,
            neighbourhood: None,
            is_closed: false,
            is_free: false,
            position: None,
            published_at: item.published_at,
            quality: 0.5,
        };
        if let Detail::Event(event) = item.detail {
            labels.extend([
                event.venue,
                event.address,
                event.category.replace('-', " "),
                neighbourhood_name.unwrap_or_default().to_owned(),
            ]);
            source.is_free = event.is_free;
            source.type_slug = Some(event.category).filter(|slug| !slug.is_empty());
            source.neighbourhood = Some(event.neighbourhood).filter(|slug| !slug.is_empty());
        }
        labels.retain(|label| !label.is_empty());
        source.labels = labels;
        Some(source)
    }
}
