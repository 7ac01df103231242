//! Names by their words, the best first; a table never changes.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use super::least::Least;
use crate::domain::search::{DocumentKind, stems};

/// The key of a document.
pub(crate) type Key = (DocumentKind, i64);

/// Names that are looked at one by one when several words are looked for together. Were there more, the best of them are
/// looked at.
const WALKED: usize = 5_000;

/// A document, as suggestions show it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) path: String,
    /// From 0 to 1.
    pub(crate) quality: f32,
}

/// A name that has the words, and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit<'a> {
    pub(super) kind: DocumentKind,
    pub(super) name: &'a str,
    pub(super) path: &'a str,
    pub(super) score: f32,
}

/// What a name gains if it begins with the words.
const BEGINS: f32 = 1.0;

/// Places and lists come before texts.
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
    /// Where name and path stand in the texts, in bytes.
    at: u32,
    name: u16,
    path: u16,
    score: f32,
    kind: DocumentKind,
}

/// Entries from which a table is built.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    texts: String,
    rows: Vec<Row>,
}

impl Builder {
    /// Adds an entry. One that does not fit is left out: four gigabytes of texts do.
    pub(crate) fn add(&mut self, (kind, id): Key, entry: &Entry) {
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

    /// The table of the entries, each of which has a key of its own. For millions it takes seconds.
    pub(crate) fn build(mut self) -> Table {
        let texts = &self.texts;
        self.rows.sort_unstable_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            by_score
                .then_with(|| name_of(texts, one).cmp(name_of(texts, other)))
                .then_with(|| (one.kind, one.id).cmp(&(other.kind, other.id)))
        });
        let words = Words::of(self.rows.iter().map(|row| name_of(texts, row)));
        let mut by_name: Vec<u32> = (0..self.rows.len())
            .filter_map(|rank| rank.try_into().ok())
            .collect();
        by_name.sort_unstable_by(|one, other| words.of_name(*one).cmp(words.of_name(*other)));
        let mut by_key = by_name.clone();
        by_key.sort_unstable_by_key(|rank| {
            let row = &self.rows[*rank as usize];
            (row.kind, row.id)
        });
        Table {
            texts: self.texts,
            rows: self.rows,
            holders: words.holders(),
            words,
            by_name: Least::new(by_name),
            by_key,
        }
    }
}

fn name_of<'a>(texts: &'a str, row: &Row) -> &'a str {
    let at = row.at as usize;
    &texts[at..at + usize::from(row.name)]
}

/// The words of names. A word's number is its place among all words in the order of letters.
#[derive(Debug, Default)]
struct Words {
    known: Vec<Box<str>>,
    /// The words of one name after the other.
    numbers: Vec<u32>,
    /// Where the words of each name begin.
    begins: Vec<usize>,
}

impl Words {
    fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut first_seen: HashMap<Box<str>, u32> = HashMap::new();
        let mut numbers = Vec::new();
        let mut begins = vec![0];
        for name in names {
            for word in stems::folded(name) {
                let next = u32::try_from(first_seen.len()).unwrap_or(u32::MAX);
                numbers.push(*first_seen.entry(word.into_boxed_str()).or_insert(next));
            }
            begins.push(numbers.len());
        }
        let mut known: Vec<(Box<str>, u32)> = first_seen.into_iter().collect();
        known.sort_unstable();
        let mut places = vec![0; known.len()];
        for (place, (_, seen)) in (0_u32..).zip(&known) {
            places[*seen as usize] = place;
        }
        for number in &mut numbers {
            *number = places[*number as usize];
        }
        Self {
            known: known.into_iter().map(|(word, _)| word).collect(),
            numbers,
            begins,
        }
    }

    fn of_name(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        &self.numbers[self.begins[rank]..self.begins[rank + 1]]
    }

    fn number(&self, word: &str) -> Option<u32> {
        let found = self.known.binary_search_by(|known| (**known).cmp(word));
        found.ok().and_then(|place| place.try_into().ok())
    }

    /// The words that begin so.
    fn beginning(&self, begin: &str) -> Range<u32> {
        let first = self.known.partition_point(|known| &**known < begin);
        let many = self.known[first..].partition_point(|known| known.starts_with(begin));
        let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        place(first)..place(first + many)
    }

    fn holders(&self) -> Holders {
        let mut begins = vec![0_usize; self.known.len() + 1];
        for number in &self.numbers {
            begins[*number as usize + 1] += 1;
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let mut next = begins.clone();
        let mut ranks = vec![0; self.numbers.len()];
        for (rank, ends) in (0_u32..).zip(self.begins.windows(2)) {
            for number in &self.numbers[ends[0]..ends[1]] {
                let place = &mut next[*number as usize];
                ranks[*place] = rank;
                *place += 1;
            }
        }
        Holders {
            ranks: Least::new(ranks),
            begins,
        }
    }
}

/// The names that have each word, the best first.
#[derive(Debug, Default)]
struct Holders {
    ranks: Least,
    /// Where those of each word begin.
    begins: Vec<usize>,
}

impl Holders {
    fn places(&self, words: &Range<u32>) -> Range<usize> {
        if words.is_empty() {
            return 0..0;
        }
        self.begins[words.start as usize]..self.begins[words.end as usize]
    }

    fn of_word(&self, word: u32) -> &[u32] {
        &self.ranks.numbers()[self.places(&(word..word + 1))]
    }
}

/// What is looked for: whole words, and those that the last one may become.
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

/// Names by their words. The rank of a name is its number: the best has 0.
#[derive(Debug, Default)]
pub(crate) struct Table {
    texts: String,
    rows: Vec<Row>,
    words: Words,
    holders: Holders,
    /// Ranks in the order of their names' words.
    by_name: Least,
    /// Ranks in the order of their keys.
    by_key: Vec<u32>,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let ranks =
            self.holders.ranks.numbers().len() + self.by_name.numbers().len() + self.by_key.len();
        let words = self
            .words
            .known
            .iter()
            .map(|word| word.len() + size_of::<Box<str>>());
        self.texts.len()
            + self.rows.len() * (size_of::<Row>() + size_of::<usize>())
            + (ranks + self.words.numbers.len()) * size_of::<u32>()
            + words.sum::<usize>()
    }

    /// The rank of a document.
    pub(super) fn rank(&self, key: Key) -> Option<u32> {
        let key_of = |rank: &u32| {
            let row = &self.rows[*rank as usize];
            (row.kind, row.id)
        };
        let found = self.by_key.binary_search_by_key(&key, key_of);
        found.ok().map(|place| self.by_key[place])
    }

    /// Whether the document of this rank is shown as the entry would be.
    pub(super) fn shows(&self, rank: u32, entry: &Entry) -> bool {
        let hit = self.hit(rank);
        let score = entry.quality + bonus(hit.kind);
        (hit.name, hit.path, hit.score) == (&entry.name, &entry.path, score)
    }

    fn hit(&self, rank: u32) -> Hit<'_> {
        let row = &self.rows[rank as usize];
        let name = name_of(&self.texts, row);
        let path = row.at as usize + name.len();
        Hit {
            kind: row.kind,
            name,
            path: &self.texts[path..path + usize::from(row.path)],
            score: row.score,
        }
    }

    /// Adds all entries but those of some ranks.
    pub(super) fn copy_to(&self, builder: &mut Builder, is_left_out: impl Fn(u32) -> bool) {
        for (rank, row) in (0..).zip(&self.rows) {
            if !is_left_out(rank) {
                let hit = self.hit(rank);
                builder.push(row.kind, row.id, row.score, (hit.name, hit.path));
            }
        }
    }

    /// The best names that have these folded words, the last of which may be unfinished; one that begins with them is
    /// better by [`BEGINS`]. In no order, and without the ranks that are left out.
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
        let others = others.map(|rank| self.hit(rank));
        let begin = begin.iter().map(|rank| self.hit(*rank));
        begin
            .map(|hit| Hit {
                score: hit.score + BEGINS,
                ..hit
            })
            .chain(others)
            .collect()
    }

    /// The ranks of names that begin with the words, the best first.
    fn beginning(&self, wanted: &Wanted) -> impl Iterator<Item = u32> {
        let sorted = self.by_name.numbers();
        let before = |last: u32| {
            sorted.partition_point(|rank| {
                let words = self.words.of_name(*rank).iter();
                words.lt(wanted.whole.iter().chain([&last]))
            })
        };
        self.by_name
            .ascending(before(wanted.last.start)..before(wanted.last.end))
    }

    /// The best ranks of names that have the words.
    fn having(&self, wanted: &Wanted, most: usize, is_shown: impl Fn(&u32) -> bool) -> Vec<u32> {
        let with_last = self.holders.places(&wanted.last);
        let lists = wanted.whole.iter().map(|word| self.holders.of_word(*word));
        let fits = |rank: &u32| wanted.fits(self.words.of_name(*rank)) && is_shown(rank);
        let Some(rarest) = lists.min_by_key(|ranks| ranks.len()) else {
            return first(self.holders.ranks.ascending(with_last), most, is_shown);
        };
        if with_last.len() < rarest.len().min(WALKED) {
            let mut few = self.holders.ranks.numbers()[with_last].to_vec();
            few.sort_unstable();
            return first(few.into_iter(), most, fits);
        }
        first(rarest.iter().copied().take(WALKED), most, fits)
    }
}

/// The first ranks of an ascending row that pass, each once: a name may have a word twice.
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
