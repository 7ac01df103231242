//! Pseudo-random numbers that depend only on a name, so that they are identical on every machine.

/// `SplitMix64`, seeded by the FNV-1a hash of a text.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn seeded(text: &str) -> Self {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(hash)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = u64::from(high.abs_diff(low)) + 1;
        low + i32::try_from(self.next() % span).unwrap_or_default()
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let last = i32::try_from(choices.len()).unwrap_or(1) - 1;
        choices[usize::try_from(self.between(0, last)).unwrap_or_default()]
    }

    /// Returns true with a probability of `in_ten` tenths.
    pub(crate) fn chance(&mut self, in_ten: i32) -> bool {
        self.between(1, 10) <= in_ten
    }
}
