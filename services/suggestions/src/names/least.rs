//! The smallest numbers of any part of a list.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

/// The number of values under a minimum.
const FAN: usize = 16;

/// A list of numbers. The smallest numbers of any range are found without reading the whole range: for example the best
/// names with a word, where a name's number is its rank.
#[derive(Debug, Default)]
pub(super) struct Least {
    /// The numbers, followed by levels with the minima of each [`FAN`] numbers of the level below.
    levels: Vec<Vec<u32>>,
}

impl Least {
    pub(super) fn new(numbers: Vec<u32>) -> Self {
        let mut levels = vec![numbers];
        while let Some(below) = levels.last().filter(|level| level.len() > FAN) {
            let minima = below.chunks(FAN);
            levels.push(
                minima
                    .filter_map(|some| some.iter().min().copied())
                    .collect(),
            );
        }
        Self { levels }
    }

    pub(super) fn numbers(&self) -> &[u32] {
        self.levels.first().map_or(&[], Vec::as_slice)
    }

    /// The numbers of a part of the list, in ascending order.
    pub(super) fn ascending(&self, part: Range<usize>) -> Ascending<'_> {
        let mut ascending = Ascending {
            levels: &self.levels,
            heap: BinaryHeap::new(),
        };
        let mut part = part.start.min(self.numbers().len())..part.end.min(self.numbers().len());
        for level in 0..self.levels.len() {
            // Adds the numbers at both ends that no minimum of the next level covers; the next level covers the rest.
            let is_highest = level + 1 == self.levels.len();
            let covered = part.start.div_ceil(FAN)..part.end / FAN;
            if is_highest || covered.is_empty() {
                ascending.add(level, part);
                break;
            }
            ascending.add(level, part.start..covered.start * FAN);
            ascending.add(level, covered.end * FAN..part.end);
            part = covered;
        }
        ascending
    }
}

/// The iterator of [`Least::ascending`].
#[derive(Debug)]
pub(super) struct Ascending<'a> {
    levels: &'a [Vec<u32>],
    /// Numbers and minima that have not been returned yet, with their level and place.
    heap: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

impl Ascending<'_> {
    fn add(&mut self, level: usize, places: Range<usize>) {
        for place in places {
            if let Some(number) = self.levels[level].get(place) {
                self.heap.push(Reverse((*number, level, place)));
            }
        }
    }
}

impl Iterator for Ascending<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while let Some(Reverse((number, level, place))) = self.heap.pop() {
            if level == 0 {
                return Some(number);
            }
            self.add(level - 1, place * FAN..(place + 1) * FAN);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_part_is_read_in_ascending_order() {
        for length in [0_u32, 1, 15, 16, 17, 256, 257, 5_000] {
            // 7,919 is prime, so the numbers are shuffled; some occur twice.
            let numbers: Vec<u32> = (0..length)
                .map(|n| n * 7_919 % (length * 2 / 3 + 1))
                .collect();
            let least = Least::new(numbers.clone());
            let length = numbers.len();
            for start in [0, 1, 15, 16, 17, 100, length / 2, length] {
                for end in [start, start + 1, start + 33, length, length + 5] {
                    let known = start.min(length)..end.min(length).max(start.min(length));
                    let mut expected = numbers[known].to_vec();
                    expected.sort_unstable();
                    let found: Vec<u32> = least.ascending(start..end).collect();
                    assert_eq!(found, expected, "{start}..{end} of {length}");
                }
            }
        }
    }

    #[test]
    fn the_first_of_very_many_are_read_without_the_others() {
        let least = Least::new((0..1_000_000).rev().collect());
        let mut ascending = least.ascending(10..999_990);
        assert_eq!(
            ascending.by_ref().take(8).collect::<Vec<_>>(),
            (10..18).collect::<Vec<_>>()
        );
        assert!(ascending.heap.len() < 1_000, "{}", ascending.heap.len());
    }
}
