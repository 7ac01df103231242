//! An immutable table of names, ordered by score and indexed by words.

use std::{collections::BTreeSet, ops::Range};

use super::{
    sieve::Sieve,
    words::{ByWord, Words},
};
use crate::DocumentKind;

/// The key of a document: its kind and id.
pub type Key = (DocumentKind, i64);

/// The maximum number of names checked individually for a combination of words, at least one of which is very frequent.
/// If more names contain the rarest word, only the best are checked.
const WALKED: usize = 5_000;
/// The maximum number of names with the more frequent word that are all read to filter the names with the rarer word.
const READ: usize = 1 << 16;
/// Checking the words of a name takes about as long as reading this many consecutive numbers.
const LOOK: usize = 200;

/// A document, as shown in suggestions.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The document's name.
    pub name: String,
    /// The path of the document's page, as provided by its service.
    pub path: String,
    /// The quality, from 0 to 1.
    pub quality: f32,
}

/// A name that contains the words, and its score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit<'a> {
    table: &'a Table,
    rank: u32,
    pub(super) score: f32,
}

impl<'a> Hit<'a> {
    /// The displayed data. Texts are scattered in memory, so only the texts of the best hits are read.
    pub(super) fn shown(&self) -> Shown<'a> {
        self.table.shown(self.rank)
    }
}

/// The displayed data of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown<'a> {
    pub(super) kind: DocumentKind,
    pub(super) name: &'a str,
    pub(super) path: &'a str,
}

/// The bonus for names that begin with the words.
const BEGINS: f32 = 1.0;

/// The bonus of a document kind: places and lists rank above articles, events and videos.
fn bonus(kind: DocumentKind) -> f32 {
    match kind {
        DocumentKind::BestOfList => 0.3,
        DocumentKind::Listing => 0.2,
        DocumentKind::Article | DocumentKind::Event | DocumentKind::Video => 0.0,
    }
}

#[derive(Debug, Clone, Copy)]
struct Row {
    id: i64,
    /// The position of the name, followed by the path, in the texts, in bytes.
    at: u32,
    name: u16,
    path: u16,
    score: f32,
    kind: DocumentKind,
}

/// Collects entries for a table.
#[derive(Debug, Default)]
pub struct Builder {
    texts: String,
    rows: Vec<Row>,
}

impl Builder {
    /// Adds an entry. Entries that do not fit are omitted; the limit is four gigabytes of texts.
    pub fn add(&mut self, (kind, id): Key, entry: &Entry) {
        let score = entry.quality + bonus(kind);
        self.push(kind, id, score, (&entry.name, &entry.path));
    }

    fn push(&mut self, kind: DocumentKind, id: i64, score: f32, (name, path): (&str, &str)) {
        let sizes = (u16::try_from(name.len()), u16::try_from(path.len()));
        let at = u32::try_from(self.texts.len());
        let (Ok(at), (Ok(name_size), Ok(path_size))) = (at, sizes) else {
            return;
        };
        self.texts.push_str(name);
        self.texts.push_str(path);
        self.rows.push(Row {
            id,
            at,
            name: name_size,
            path: path_size,
            score,
            kind,
        });
    }

    /// Builds the table; every entry must have a different key. Takes seconds for millions of entries.
    pub(super) fn build(mut self) -> Table {
        let texts = &self.texts;
        self.rows.sort_unstable_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            by_score
                .then_with(|| name_of(texts, one).cmp(name_of(texts, other)))
                .then_with(|| (one.kind, one.id).cmp(&(other.kind, other.id)))
        });
        let words = Words::of(self.rows.iter().map(|row| name_of(texts, row)));
        let rows = 0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let mut by_key: Vec<u32> = rows.collect();
        by_key.sort_unstable_by_key(|rank| {
            let row = &self.rows[*rank as usize];
            (row.kind, row.id)
        });
        Table {
            texts: self.texts,
            rows: self.rows,
            holders: words.holders(),
            by_first: words.by_first(),
            words,
            by_key,
        }
    }
}

fn name_of<'a>(texts: &'a str, row: &Row) -> &'a str {
    let at = row.at as usize;
    &texts[at..at + usize::from(row.name)]
}

/// The searched words: complete words, and the possible completions of the last word.
struct Wanted {
    whole: Vec<u32>,
    last: Range<u32>,
}

impl Wanted {
    fn fits(&self, words: &[u32]) -> bool {
        words.iter().any(|word| self.last.contains(word))
            && self.whole.iter().all(|word| words.contains(word))
    }
}

/// Names indexed by their words. The rank of a name is its number: the best name has rank 0.
#[derive(Debug, Default)]
pub(super) struct Table {
    texts: String,
    rows: Vec<Row>,
    words: Words,
    /// The names that contain each word, best first.
    holders: ByWord,
    /// The names that begin with each word, ordered by their other words.
    by_first: ByWord,
    /// The ranks, ordered by key.
    by_key: Vec<u32>,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.texts.len()
            + self.rows.len() * size_of::<Row>()
            + self.by_key.len() * size_of::<u32>()
            + self.words.bytes()
            + self.holders.bytes()
            + self.by_first.bytes()
    }

    /// The rank of a document; `None` if it is not in the table.
    pub(super) fn rank(&self, key: Key) -> Option<u32> {
        let key_of = |rank: &u32| {
            let row = &self.rows[*rank as usize];
            (row.kind, row.id)
        };
        let found = self.by_key.binary_search_by_key(&key, key_of);
        found.ok().map(|place| self.by_key[place])
    }

    /// Whether the document with this rank equals an entry.
    pub(super) fn shows(&self, rank: u32, entry: &Entry) -> bool {
        let Shown { kind, name, path } = self.shown(rank);
        let score = entry.quality + bonus(kind);
        (name, path, self.rows[rank as usize].score) == (&entry.name, &entry.path, score)
    }

    /// The document with this rank.
    pub(super) fn entry(&self, rank: u32) -> (Key, Entry) {
        let (row, shown) = (&self.rows[rank as usize], self.shown(rank));
        let entry = Entry {
            name: shown.name.to_owned(),
            path: shown.path.to_owned(),
            quality: row.score - bonus(row.kind),
        };
        ((row.kind, row.id), entry)
    }

    fn shown(&self, rank: u32) -> Shown<'_> {
        let row = &self.rows[rank as usize];
        let name = name_of(&self.texts, row);
        let path = row.at as usize + name.len();
        Shown {
            kind: row.kind,
            name,
            path: &self.texts[path..path + usize::from(row.path)],
        }
    }

    /// Adds all entries to a builder, except entries with omitted ranks.
    pub(super) fn copy_to(&self, builder: &mut Builder, is_left_out: impl Fn(u32) -> bool) {
        for (rank, row) in (0..).zip(&self.rows) {
            if !is_left_out(rank) {
                let Shown { kind, name, path } = self.shown(rank);
                builder.push(kind, row.id, row.score, (name, path));
            }
        }
    }

    /// The best names that contain these folded words, the last of which may be incomplete; names that begin with them
    /// get the bonus [`BEGINS`]. The result is unordered and excludes omitted ranks.
    pub(super) fn best(
        &self,
        words: &[String],
        most: usize,
        is_left_out: impl Fn(u32) -> bool,
    ) -> Vec<Hit<'_>> {
        let Some((last, before)) = words.split_last() else {
            return Vec::new();
        };
        let whole: Option<Vec<u32>> = before.iter().map(|word| self.words.number(word)).collect();
        let last = self.words.beginning(last);
        let Some(whole) = whole.filter(|_| !last.is_empty()) else {
            return Vec::new();
        };
        let wanted = Wanted { whole, last };
        let is_shown = |rank: &u32| !is_left_out(*rank);
        let begin: BTreeSet<u32> = self
            .beginning(&wanted)
            .filter(is_shown)
            .take(most)
            .collect();
        let have = self.having(&wanted, most + begin.len(), is_shown);
        let others = have.into_iter().filter(|rank| !begin.contains(rank));
        let others = others.map(|rank| self.hit(rank, 0.0));
        let begin = begin.iter().map(|rank| self.hit(*rank, BEGINS));
        begin.chain(others).collect()
    }

    fn hit(&self, rank: u32, more: f32) -> Hit<'_> {
        Hit {
            table: self,
            rank,
            score: self.rows[rank as usize].score + more,
        }
    }

    /// The ranks of the names that begin with the words, best first.
    fn beginning(&self, wanted: &Wanted) -> impl Iterator<Item = u32> {
        let places = match wanted.whole.split_first() {
            None => self.by_first.places(&wanted.last),
            Some((first, others)) => {
                let first = *first..first + 1;
                let sorted = self.by_first.of_words(&first);
                let before = |last: u32| {
                    sorted.partition_point(|rank| {
                        let words = self.words.of_name(*rank).iter().skip(1);
                        words.lt(others.iter().chain([&last]))
                    })
                };
                let begin = self.by_first.places(&first).start;
                begin + before(wanted.last.start)..begin + before(wanted.last.end)
            }
        };
        self.by_first.best_of(places)
    }

    /// The best ranks of the names that contain the words.
    fn having(&self, wanted: &Wanted, most: usize, is_shown: impl Fn(&u32) -> bool) -> Vec<u32> {
        let with_last = self.holders.places(&wanted.last);
        let lists = wanted.whole.iter().map(|word| self.holders.of_word(*word));
        let Some(rarest) = lists.min_by_key(|ranks| ranks.len()) else {
            return first(self.holders.best_of(with_last), most, is_shown);
        };
        let fits = |rank: &u32| wanted.fits(self.words.of_name(*rank)) && is_shown(rank);
        let last = self.holders.of_words(&wanted.last);
        let is_last_rarer = last.len() < rarest.len();
        let (few, many) = if is_last_rarer {
            (last, rarest)
        } else {
            (rarest, last)
        };
        if many.len() <= READ && many.len() <= few.len() * LOOK {
            let sieve = Sieve::of(many);
            let mut both: Vec<u32> = few
                .iter()
                .copied()
                .filter(|rank| sieve.may_have(*rank))
                .collect();
            both.sort_unstable();
            return first(both.into_iter(), most, fits);
        }
        // Checking the names with the rarer word is sufficient: either they are few, or the other word is so frequent
        // that some of the best names with the rarer word contain it too.
        if is_last_rarer {
            first(self.holders.best_of(with_last).take(WALKED), most, fits)
        } else {
            first(few.iter().copied().take(WALKED), most, fits)
        }
    }
}

/// The first ranks of an ascending iterator that pass, without duplicates: a name may contain a word twice.
fn first(ranks: impl Iterator<Item = u32>, most: usize, passes: impl Fn(&u32) -> bool) -> Vec<u32> {
    let mut found = Vec::with_capacity(most);
    for rank in ranks {
        if found.len() == most {
            break;
        }
        if found.last() != Some(&rank) && passes(&rank) {
            found.push(rank);
        }
    }
    found
}
