//! Transfer of names and labels from the service with the index to the processes that answer suggestion requests.

use editorial_proto::v1::{
    DocumentKey, FoundKind, Label, Name, NamesPart, ReadNamesRequest, Revisions,
};

use crate::{Builder, Changes, DocumentKind, Entry, Field, Key, Labels, Named, Names, Rebuilding};

/// The size of the texts in a part, in bytes, which the last name may exceed: a part must fit into a message of at most
/// 4 MiB, and names are short.
const PART: usize = 256 * 1024;
/// The size of a document's kind, id and quality, in bytes.
const KEY: usize = 24;

/// The names and labels of a process, with their revisions.
#[derive(Debug)]
pub struct Snapshot {
    names: Names,
    labels: Labels,
    names_revision: i64,
    labels_revision: i64,
}

impl Snapshot {
    /// The names of documents.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The labels of types and neighbourhoods.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The input for the next table of names ([`Names::start_next`]). When the table has been built, the next changes
    /// use it.
    pub fn start_next(&mut self) -> Option<Rebuilding> {
        self.names.start_next()
    }
}

/// The request for all changes since the current state.
#[must_use]
pub fn request_after(held: Option<&Snapshot>) -> ReadNamesRequest {
    ReadNamesRequest {
        names_revision: held.map(|held| held.names_revision),
        labels_revision: held.map(|held| held.labels_revision),
    }
}

/// The next part of all names from a position on, starting with 0, and the next position; `None` at the end.
#[must_use]
pub fn whole_to_wire(names: &Names, position: usize) -> Option<(NamesPart, usize)> {
    let entries = names.entries_from(position);
    let mut entries = entries.map(|(at, key, entry)| (at + 1, key, Some(entry)));
    part_of(&mut entries)
}

/// The parts of a list of changes.
pub fn changes_to_wire(changes: Changes) -> impl Iterator<Item = NamesPart> {
    let mut changes = changes.into_iter().map(|(key, entry)| ((), key, entry));
    std::iter::from_fn(move || part_of(&mut changes).map(|(part, ())| part))
}

/// All labels except authors, which are not suggested.
#[must_use]
pub fn labels_to_wire(labels: &Labels) -> Vec<Label> {
    let labels = labels.all().iter();
    labels
        .filter(|named| named.field != Field::Author)
        .map(|named| Label {
            field: named.field.as_str().to_owned(),
            slug: named.slug.clone(),
            name: named.name.clone(),
        })
        .collect()
}

fn part_of<P>(
    entries: &mut impl Iterator<Item = (P, Key, Option<Entry>)>,
) -> Option<(NamesPart, P)> {
    let mut part = NamesPart::default();
    let (mut size, mut end) = (0, None);
    while size < PART
        && let Some((position, key, entry)) = entries.next()
    {
        size += KEY;
        end = Some(position);
        match entry {
            Some(Entry {
                name,
                path,
                quality,
            }) => {
                size += name.len() + path.len();
                part.names.push(Name {
                    key: Some(key_to_wire(key)),
                    name,
                    path,
                    quality,
                });
            }
            None => part.gone.push(key_to_wire(key)),
        }
    }
    end.map(|end| (part, end))
}

fn key_to_wire((kind, id): Key) -> DocumentKey {
    let kind = match kind {
        DocumentKind::Listing => FoundKind::Listing,
        DocumentKind::BestOfList => FoundKind::BestOfList,
        DocumentKind::Article => FoundKind::Article,
        DocumentKind::Event => FoundKind::Event,
        DocumentKind::Video => FoundKind::Video,
    };
    let kind = kind.into();
    DocumentKey { kind, id }
}

/// The key of a document; `None` for a kind from a newer release.
fn key_of(key: DocumentKey) -> Option<Key> {
    let kind = match key.kind() {
        FoundKind::Unspecified => return None,
        FoundKind::Listing => DocumentKind::Listing,
        FoundKind::BestOfList => DocumentKind::BestOfList,
        FoundKind::Article => DocumentKind::Article,
        FoundKind::Event => DocumentKind::Event,
        FoundKind::Video => DocumentKind::Video,
    };
    Some((kind, key.id))
}

/// The received parts of a response.
#[derive(Debug)]
pub struct Received {
    revisions: Revisions,
    labels: Vec<Named>,
    names: ReceivedNames,
}

#[derive(Debug)]
enum ReceivedNames {
    Whole(Builder),
    Changes(Changes),
}

impl Received {
    /// Begins with the first part; `None` if it contains no revisions.
    #[must_use]
    pub fn new(first: NamesPart) -> Option<Self> {
        let revisions = first.revisions?;
        let mut received = Self {
            names: if revisions.is_whole {
                ReceivedNames::Whole(Builder::default())
            } else {
                ReceivedNames::Changes(Changes::new())
            },
            labels: Vec::new(),
            revisions,
        };
        received.take(first);
        Some(received)
    }

    /// The memory that all names will need, in bytes.
    #[must_use]
    pub fn bytes(&self) -> i64 {
        self.revisions.bytes
    }

    /// Whether the current state already contains everything.
    #[must_use]
    pub fn changes_nothing_of(&self, held: &Snapshot) -> bool {
        let Revisions {
            names,
            is_whole,
            has_labels,
            ..
        } = self.revisions;
        names == held.names_revision && !is_whole && !has_labels && !held.names.has_next()
    }

    /// Adds another part. Data unknown to this release is ignored.
    pub fn take(&mut self, part: NamesPart) {
        self.labels
            .extend(part.labels.into_iter().filter_map(|label| {
                Some(Named {
                    field: Field::parse(&label.field)?,
                    slug: label.slug,
                    name: label.name,
                })
            }));
        let gone = part.gone.into_iter().filter_map(key_of);
        let gone = gone.map(|key| (key, None));
        let names = part.names.into_iter().filter_map(|name| {
            let entry = Entry {
                name: name.name,
                path: name.path,
                quality: name.quality,
            };
            Some((key_of(name.key?)?, Some(entry)))
        });
        match &mut self.names {
            ReceivedNames::Whole(builder) => {
                for (key, entry) in names {
                    if let Some(entry) = entry {
                        builder.add(key, &entry);
                    }
                }
            }
            ReceivedNames::Changes(changes) => changes.extend(gone.chain(names)),
        }
    }

    /// The state after all parts were received; takes seconds for millions of names. `None` if the response is based on
    /// a state that the process does not have.
    #[must_use]
    pub fn held(self, before: Option<&Snapshot>) -> Option<Snapshot> {
        let names = match self.names {
            ReceivedNames::Whole(builder) => Names::new(builder),
            ReceivedNames::Changes(changes) => before?.names.changed(changes),
        };
        let labels = if self.revisions.has_labels {
            Labels::new(self.labels)
        } else {
            before?.labels.clone()
        };
        Some(Snapshot {
            names,
            labels,
            names_revision: self.revisions.names,
            labels_revision: self.revisions.labels,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{folded, suggestions};

    fn entry(number: i64, quality: f32) -> Entry {
        Entry {
            name: format!("Bar {number}"),
            path: format!("/bars/{number}/"),
            quality,
        }
    }

    fn key(id: i64) -> Key {
        (DocumentKind::Listing, id)
    }

    fn all(names: &Names) -> Vec<NamesPart> {
        let mut position = 0;
        std::iter::from_fn(|| {
            let (part, next) = whole_to_wire(names, position)?;
            position = next;
            Some(part)
        })
        .collect()
    }

    fn first(is_whole: bool, has_labels: bool) -> NamesPart {
        let revisions = Revisions {
            names: 7,
            labels: 8,
            is_whole,
            bytes: 9,
            has_labels,
        };
        NamesPart {
            revisions: Some(revisions),
            ..NamesPart::default()
        }
    }

    fn received(
        first: NamesPart,
        parts: Vec<NamesPart>,
        before: Option<&Snapshot>,
    ) -> Option<Snapshot> {
        let mut received = Received::new(first).expect("revisions");
        for part in parts {
            received.take(part);
        }
        received.held(before)
    }

    fn shown(held: &Snapshot, text: &str) -> Vec<String> {
        let found = suggestions(&folded(text), held.labels(), Some(held.names()));
        found.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn what_is_sent_in_parts_suggests_the_same() {
        let mut builder = Builder::default();
        for id in 0..20_000_i16 {
            builder.add(key(id.into()), &entry(id.into(), f32::from(id) / 20_000.0));
        }
        let names = Names::new(builder).changed(vec![
            (key(3), None),
            (key(5), Some(entry(5, 0.999_9))),
            (key(30_000), Some(entry(30_000, 1.0))),
        ]);
        let label = |field: Field, slug: &str| Named {
            field,
            slug: slug.to_owned(),
            name: slug.to_owned(),
        };
        let labels = Labels::new(vec![
            label(Field::Type, "bars"),
            label(Field::Neighbourhood, "annex"),
            label(Field::Author, "barbara"),
        ]);
        let parts = all(&names);
        assert!(parts.len() > 2, "{}", parts.len());
        let mut begin = first(true, true);
        begin.labels = labels_to_wire(&labels);
        let held = received(begin, parts, None).expect("a whole");
        assert_eq!(request_after(Some(&held)).names_revision, Some(7));
        assert_eq!(request_after(Some(&held)).labels_revision, Some(8));
        assert_eq!(held.names().len(), names.len());
        for text in ["b", "bar", "bar 3", "bar 5", "bars", "bars in an", "x"] {
            let expected = suggestions(&folded(text), &labels, Some(&names));
            let expected: Vec<_> = expected.into_iter().map(|one| one.text).collect();
            assert_eq!(shown(&held, text), expected, "{text}");
        }
    }

    #[test]
    fn changes_go_on_from_what_is_held() {
        let mut builder = Builder::default();
        builder.add(key(1), &entry(1, 0.1));
        builder.add(key(2), &entry(2, 0.2));
        let names = Names::new(builder);
        let held = received(first(true, true), all(&names), None).expect("a whole");
        let changes = vec![(key(1), None), (key(3), Some(entry(3, 0.3)))];
        let parts = || changes_to_wire(changes.clone()).collect::<Vec<_>>();
        let held = received(first(false, false), parts(), Some(&held)).expect("changes");
        assert_eq!(shown(&held, "bar"), ["Bar 3", "Bar 2"]);
        let nothing = Received::new(first(false, false)).expect("revisions");
        assert!(nothing.changes_nothing_of(&held));
        let labels = Received::new(first(false, true)).expect("revisions");
        assert!(!labels.changes_nothing_of(&held));
        // There is no state to which the changes could be applied.
        assert!(received(first(false, true), parts(), None).is_none());
        assert!(received(first(true, false), all(&names), None).is_none());
        assert!(Received::new(NamesPart::default()).is_none());
    }

    #[test]
    fn what_a_newer_release_has_is_left_out() {
        let mut part = all(&Names::default().changed(vec![(key(1), Some(entry(1, 0.1)))]));
        let mut newer = part[0].names[0].clone();
        newer.key = Some(DocumentKey { kind: 99, id: 2 });
        part[0].names.push(newer);
        part[0].labels.push(Label {
            field: "mood".to_owned(),
            ..Label::default()
        });
        let held = received(first(true, true), part, None).expect("a whole");
        assert_eq!(held.names().len(), 1);
        assert!(held.labels().all().is_empty());
    }
}
