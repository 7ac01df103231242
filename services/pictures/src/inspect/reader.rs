//! A byte reader; reading past the end returns [`Refusal::Truncated`].

use crate::Refusal;

/// The unread bytes of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(Refusal::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Refusal> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Refusal::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Refusal> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Refusal> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Refusal> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn u32_le(&mut self) -> Result<u32, Refusal> {
        self.array().map(u32::from_le_bytes)
    }
}
