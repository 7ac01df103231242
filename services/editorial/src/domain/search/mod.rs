//! The search: what a query means, and which document is the better answer.

mod document;
mod highlight;
mod lexicon;
mod meaning;
mod names;
mod phrases;
mod query;
mod rank;
mod related;
mod stems;

pub(crate) use document::{Document, DocumentKind, Source};
pub(crate) use highlight::{Part, passage, whole};
pub(crate) use lexicon::{Field, Lexicon, Named as LexiconName};
pub(crate) use meaning::{Meaning, Moment, Taken, understand};
pub(crate) use names::{Builder as NamesBuilder, Entry as NameEntry, Key, Names, Suggested};
pub(crate) use query::{Term, unknown_stems};
pub(crate) use rank::{Candidate, rank};
pub(crate) use stems::folded;
