//! A set of numbers with false positives.

/// The number of bits per number: at most one in eight other numbers is a false positive.
const BITS: usize = 8;

/// A compact set of some of the lowest bits of numbers: quickly excludes numbers that are not contained.
pub(super) struct Sieve {
    bits: Vec<u64>,
    mask: usize,
}

impl Sieve {
    pub(super) fn of(numbers: &[u32]) -> Self {
        let size = (numbers.len() * BITS).next_power_of_two().max(64);
        let mut sieve = Self {
            bits: vec![0; size / 64],
            mask: size - 1,
        };
        for number in numbers {
            let at = *number as usize & sieve.mask;
            sieve.bits[at / 64] |= 1 << (at % 64);
        }
        sieve
    }

    /// Whether the set may contain a number; false is certain.
    pub(super) fn may_have(&self, number: u32) -> bool {
        let at = number as usize & self.mask;
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_it_is_kept_and_most_of_the_rest_is_not() {
        for many in [0_u32, 1, 63, 1_000, 5_000] {
            let numbers: Vec<u32> = (0..many).map(|n| n * 7_919 % 1_000_003).collect();
            let sieve = Sieve::of(&numbers);
            assert!(numbers.iter().all(|number| sieve.may_have(*number)));
            let kept = (0..1_000_000).filter(|number| sieve.may_have(*number));
            let kept = kept.count();
            assert!(kept <= 1_000_000 / 8 + numbers.len(), "{kept} of {many}");
        }
    }
}
