//! The words of names, and the names that contain them.

use std::{collections::HashMap, ops::Range};

use super::least::{Ascending, Least};
use crate::folded;

/// The words of names. A word's number is its index among all words in alphabetical order.
#[derive(Debug, Default)]
pub(super) struct Words {
    known: Vec<Box<str>>,
    /// The words of all names, concatenated.
    numbers: Vec<u32>,
    /// The index of each name's first word.
    begins: Vec<u32>,
}

impl Words {
    /// Creates the words from names in the order of their ranks.
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut first_seen: HashMap<Box<str>, u32> = HashMap::new();
        let mut numbers = Vec::new();
        let mut begins = vec![0];
        for name in names {
            for word in folded(name) {
                let next = u32::try_from(first_seen.len()).unwrap_or(u32::MAX);
                numbers.push(*first_seen.entry(word.into_boxed_str()).or_insert(next));
            }
            begins.push(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
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

    /// The words of the name with this rank.
    pub(super) fn of_name(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        &self.numbers[self.begins[rank] as usize..self.begins[rank + 1] as usize]
    }

    /// The number of a complete word.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        let found = self.known.binary_search_by(|known| (**known).cmp(word));
        found.ok().and_then(|place| place.try_into().ok())
    }

    /// The words with this prefix.
    pub(super) fn beginning(&self, begin: &str) -> Range<u32> {
        let first = self.known.partition_point(|known| &**known < begin);
        let many = self.known[first..].partition_point(|known| known.starts_with(begin));
        let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        place(first)..place(first + many)
    }

    /// The names that contain each word.
    pub(super) fn holders(&self) -> ByWord {
        let begins = self.begins_by_word(self.numbers.iter().copied());
        let mut next = begins.clone();
        let mut ranks = vec![0; self.numbers.len()];
        for rank in self.ranks() {
            for number in self.of_name(rank) {
                let place = &mut next[*number as usize];
                ranks[*place] = rank;
                *place += 1;
            }
        }
        ByWord {
            ranks: Least::new(ranks),
            begins,
        }
    }

    /// The names grouped by their first word, ordered by all their words. Names without words are omitted.
    pub(super) fn by_first(&self) -> ByWord {
        let mut ranks: Vec<u32> = self
            .ranks()
            .filter(|rank| !self.of_name(*rank).is_empty())
            .collect();
        ranks.sort_unstable_by(|one, other| self.of_name(*one).cmp(self.of_name(*other)));
        let firsts = ranks.iter().filter_map(|rank| self.of_name(*rank).first());
        ByWord {
            begins: self.begins_by_word(firsts.copied()),
            ranks: Least::new(ranks),
        }
    }

    fn ranks(&self) -> impl Iterator<Item = u32> {
        (0..).take(self.begins.len() - 1)
    }

    /// The start index of each word in a list sorted by word, and the end of the list.
    fn begins_by_word(&self, words: impl Iterator<Item = u32>) -> Vec<usize> {
        let mut begins = vec![0; self.known.len() + 1];
        for word in words {
            begins[word as usize + 1] += 1;
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        begins
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let known = self.known.iter();
        let known = known.map(|word| word.len() + size_of::<Box<str>>());
        size_of_val(&self.numbers[..]) + size_of_val(&self.begins[..]) + known.sum::<usize>()
    }
}

/// Ranks of names, grouped by word.
#[derive(Debug, Default)]
pub(super) struct ByWord {
    ranks: Least,
    /// The start index of each word's ranks.
    begins: Vec<usize>,
}

impl ByWord {
    /// The range of indexes of these words' ranks.
    pub(super) fn places(&self, words: &Range<u32>) -> Range<usize> {
        if words.is_empty() {
            return 0..0;
        }
        self.begins[words.start as usize]..self.begins[words.end as usize]
    }

    /// The ranks of the names of these words.
    pub(super) fn of_words(&self, words: &Range<u32>) -> &[u32] {
        &self.ranks.numbers()[self.places(words)]
    }

    /// The ranks of a single word.
    pub(super) fn of_word(&self, word: u32) -> &[u32] {
        self.of_words(&(word..word + 1))
    }

    /// The ranks in this range, best first.
    pub(super) fn best_of(&self, places: Range<usize>) -> Ascending<'_> {
        self.ranks.ascending(places)
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.ranks.numbers()) + size_of_val(&self.begins[..])
    }
}
