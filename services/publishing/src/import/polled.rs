//! Content of polled sources.

use bytes::Bytes;
use chassis::digest;
use editorial_proto::v1::ImportItem;

/// Maximum length of a source id that is not hashed, in characters.
const MAX_ID: usize = 250;
/// Number of bytes of the digest that replaces a longer id.
const DIGEST: usize = 16;

/// A polled file.
#[derive(Debug, Clone)]
pub struct Polled {
    pub(crate) content: Bytes,
    /// Name of the polled source.
    pub(crate) source: String,
    /// Whether the source's items are imported as drafts.
    pub(crate) are_drafts: bool,
}

impl Polled {
    /// Marks an item as belonging to this source. The source can only change its own items, regardless of the ids that
    /// it contains, and cannot change an item that has been taken over.
    pub(super) fn mark(&self, item: &mut ImportItem) {
        item.source_id = self.id(&item.source_id);
        if let Some(replaced) = &mut item.replaces {
            replaced.series = self.id(&replaced.series);
        }
        item.is_draft |= self.are_drafts;
        item.yields = true;
    }

    fn id(&self, id: &str) -> String {
        let whole = format!("source:{}:{id}", self.source);
        if whole.chars().count() <= MAX_ID {
            return whole;
        }
        format!("source:{}:{}", self.source, digest::hex(id, DIGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_its_sources_whatever_it_calls_itself() {
        let polled = |source: &str| Polled {
            content: Bytes::new(),
            source: source.to_owned(),
            are_drafts: true,
        };
        let marked = |source: &str, id: &str| {
            let mut item = ImportItem {
                source_id: id.to_owned(),
                ..ImportItem::default()
            };
            polled(source).mark(&mut item);
            assert!(item.is_draft && item.yields);
            item.source_id
        };
        assert_eq!(marked("a", "feed:b.example:1"), "source:a:feed:b.example:1");
        assert_ne!(
            marked("b", "feed:b.example:1"),
            marked("a", "feed:b.example:1")
        );
        let long = "x".repeat(300);
        assert!(marked("a", &long).len() < 50);
        assert_ne!(marked("a", &long), marked("a", &format!("{long}y")));
    }
}
