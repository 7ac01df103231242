//! Search: interpretation of queries and ranking of documents.

mod document;
mod highlight;
mod lexicon;
mod meaning;
mod phrases;
mod query;
mod rank;
mod related;
mod stems;

pub(crate) use document::{Document, Source, name_key};
pub(crate) use highlight::{Part, passage, whole};
pub(crate) use lexicon::Lexicon;
pub(crate) use meaning::{Meaning, Moment, Taken, understand};
pub(crate) use query::{Term, unknown_stems};
pub(crate) use rank::{Candidate, rank};
