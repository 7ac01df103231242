//! What a source brings that is polled on a schedule.

use bytes::Bytes;
use chassis::digest;
use editorial_proto::v1::ImportItem;

/// The longest source id that is kept as it is, in characters.
const MAX_ID: usize = 250;
/// Bytes of the digest in place of a longer one.
const DIGEST: usize = 16;

/// A file that was polled.
#[derive(Debug, Clone)]
pub struct Polled {
    pub(crate) content: Bytes,
    /// The name of its source.
    pub(crate) source: String,
    /// Its items are shown to nobody at first.
    pub(crate) are_drafts: bool,
}

impl Polled {
    /// Marks an item as this source's. A source names its own things alone, whatever ids it writes, and what somebody else
    /// has taken over is no longer its own.
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
