//! Executes queries.

use std::{collections::HashSet, time::Duration};

use chassis::{
    bulkhead::{Bulkhead, Place},
    call::{Call, Caller},
    error::Fault,
    paging::{MAX_KEYWORDS, MAX_LIMIT, MAX_OFFSET},
};
use chrono_tz::Tz;
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::ListListingsRequest;
use vocabulary::position::Coordinates;

use suggestions::DocumentKind;

use super::parts::current_lexicon;
use crate::{
    context::Context,
    domain::search::{
        Candidate, Lexicon, Meaning, Moment, Part, name_key, passage, rank, understand,
        unknown_stems, whole,
    },
    store::search::find::{self, MAX_CANDIDATES, Matches, Matching},
};

/// If fewer documents contain all words, documents with most of the words are also searched.
const FEW: usize = 5;
/// Maximum number of partial matches after the complete matches.
const MAX_PARTIAL: usize = 12;
/// Maximum number of concurrent queries for candidates. PostgreSQL does most of the work, so more queries would only
/// slow each other down and take connections from other calls.
const AT_A_TIME: usize = 4;
/// Maximum number of further searches in progress, whose queries wait.
const WAITING: usize = 64;
/// Timeout for fetching open places.
const ASKING: Duration = Duration::from_secs(1);
/// Maximum number of places per call.
const ASKED_AT_ONCE: usize = 100;

/// A validated request.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) text: String,
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) from: Option<Coordinates>,
    pub(crate) zone: Tz,
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

/// A search result.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) kind: DocumentKind,
    pub(crate) id: i64,
    pub(crate) name: Vec<Part>,
    pub(crate) text: Vec<Part>,
    /// Distance in metres.
    pub(crate) distance: Option<f64>,
}

/// A page of results.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) hits: Vec<Hit>,
    /// `None` if there are more results than are ranked.
    pub(crate) count: Option<usize>,
    pub(crate) has_more: bool,
    pub(crate) meaning: Meaning,
}

/// Limits concurrent searches.
pub(crate) fn bulkhead() -> Bulkhead {
    Bulkhead::new("searches", AT_A_TIME, WAITING)
}

/// Validates the text of a query.
pub(super) fn check_text(text: &str) -> Result<(), Fault> {
    if text.chars().count() > MAX_KEYWORDS || text.contains('\0') {
        let message = format!("Ensure this value has at most {MAX_KEYWORDS} characters.");
        return Err(Fault::invalid_field("q", message));
    }
    Ok(())
}

/// Returns the results of a query, best first. A query without words and filters has no results.
pub(crate) async fn find(context: &Context, wanted: &Wanted) -> Result<Answer, Fault> {
    check_text(&wanted.text)?;
    let bounds = [
        ("limit", wanted.limit, 1, MAX_LIMIT),
        ("offset", wanted.offset, 0, MAX_OFFSET),
    ];
    for (field, value, least, most) in bounds {
        if value < least || value > most as usize {
            let message = format!("Ensure this value is between {least} and {most}.");
            return Err(Fault::invalid_field(field, message));
        }
    }
    let search = Search {
        context,
        wanted,
        place: context.searches.place()?,
    };
    let lexicon = current_lexicon(&context.lexicon).await?;
    let mut meaning = {
        let _turn = search.place.turn().await?;
        meaning_of(context, &wanted.text, &lexicon, wanted.zone).await?
    };
    let literal = meaning.literally();
    let (by_name, mut found) =
        tokio::try_join!(named(&search, &literal), ranked(&search, &meaning))?;
    if found.ranked.is_empty() && by_name.is_empty() && meaning.literal.is_some() {
        // "A weekend on the islands": no event matches these words, but other documents may.
        found = ranked(&search, &literal).await?;
        if !found.ranked.is_empty() {
            meaning = literal.clone();
        }
    }
    let known: HashSet<_> = by_name.iter().map(|(one, _)| (one.kind, one.id)).collect();
    let others = found.ranked.into_iter();
    let others = others.filter(|(one, _)| !known.contains(&(one.kind, one.id)));
    let all: Vec<_> = by_name.into_iter().chain(others).collect();
    let count = all.len();
    let page: Vec<_> = all
        .into_iter()
        .skip(wanted.offset)
        .take(wanted.limit)
        .collect();
    let keys: Vec<_> = page
        .iter()
        .map(|(candidate, _)| (candidate.kind, candidate.id))
        .collect();
    let texts = {
        let _turn = search.place.turn().await?;
        find::passages(&context.pool, &keys).await?
    };
    let hits = page.into_iter().map(|(candidate, distance)| {
        let text = texts
            .get(&(candidate.kind, candidate.id))
            .map_or("", String::as_str);
        let key = (candidate.kind, candidate.id);
        let query = if known.contains(&key) {
            &literal.query
        } else {
            &meaning.query
        };
        Hit {
            name: whole(&candidate.name, query),
            text: passage(text, query),
            kind: candidate.kind,
            id: candidate.id,
            distance,
        }
    });
    Ok(Answer {
        hits: hits.collect(),
        count: found.is_all.then_some(count),
        has_more: wanted.offset + wanted.limit < count,
        meaning,
    })
}

/// A search in progress.
struct Search<'a> {
    context: &'a Context,
    wanted: &'a Wanted,
    place: Place,
}

impl Search<'_> {
    /// Waits for a turn, and finds candidates.
    async fn look(
        &self,
        meaning: &Meaning,
        kinds: &[DocumentKind],
        matching: Matching<'_>,
    ) -> Result<Matches, Fault> {
        let (pool, now) = (&self.context.pool, self.context.clock.now());
        let _turn = self.place.turn().await?;
        Ok(find::candidates(pool, meaning, kinds, matching, self.wanted.from, now).await?)
    }
}

/// Candidates with their distances from the reader, best first.
type Ranked = Vec<(Candidate, Option<f64>)>;

/// Returns the documents whose name is the complete query, regardless of filters.
async fn named(search: &Search<'_>, literal: &Meaning) -> Result<Ranked, Fault> {
    let (context, wanted) = (search.context, search.wanted);
    let key = name_key(&wanted.text);
    if key.is_empty() || wanted.kinds.is_empty() {
        return Ok(Vec::new());
    }
    let matching = Matching::Name(&key);
    let found = search.look(literal, &wanted.kinds, matching).await?;
    let now = context.clock.now();
    Ok(rank(found.candidates, literal, wanted.from, now))
}

/// Documents that match the meaning of a query.
struct Found {
    ranked: Ranked,
    /// Whether the candidates are all matches.
    is_all: bool,
}

async fn ranked(search: &Search<'_>, meaning: &Meaning) -> Result<Found, Fault> {
    let (context, wanted) = (search.context, search.wanted);
    let (Matches { candidates, is_cut }, whole_matches) = candidates(search, meaning).await?;
    let is_all = candidates.len() < MAX_CANDIDATES && !is_cut && !meaning.query.is_frequent;
    // In "open now tonight", the query is for events, which have no opening hours.
    let open = if meaning.is_open_now && meaning.kinds == [DocumentKind::Listing] {
        Some(open_now(context, &candidates, wanted.zone).await?)
    } else {
        None
    };
    let candidates = candidates.into_iter().filter(|candidate| {
        let is_open = open
            .as_ref()
            .is_none_or(|open| open.contains(&candidate.id));
        is_open && candidate.may_have_author(meaning)
    });
    let now = context.clock.now();
    let mut ranked = rank(candidates.collect(), meaning, wanted.from, now);
    if whole_matches > 0 && whole_matches < FEW {
        ranked.truncate(whole_matches + MAX_PARTIAL);
    }
    Ok(Found { ranked, is_all })
}

/// Interprets a query with a lexicon and the words of documents' texts.
pub(super) async fn meaning_of(
    context: &Context,
    text: &str,
    lexicon: &Lexicon,
    zone: Tz,
) -> Result<Meaning, Fault> {
    let unknown = unknown_stems(text, lexicon);
    let occurring: HashSet<String> = if unknown.is_empty() {
        HashSet::new()
    } else {
        let found = find::occurring(&context.pool, &unknown).await?;
        found.into_iter().collect()
    };
    let moment = Moment {
        now: context.clock.now(),
        zone,
    };
    Ok(understand(text, lexicon, moment, |stem| {
        occurring.contains(stem)
    }))
}

/// Returns the candidates, and the number of candidates with all words.
async fn candidates(search: &Search<'_>, meaning: &Meaning) -> Result<(Matches, usize), Fault> {
    let wanted = search.wanted;
    let kinds: Vec<DocumentKind> = DocumentKind::ALL
        .into_iter()
        .filter(|kind| wanted.kinds.contains(kind))
        .filter(|kind| meaning.kinds.is_empty() || meaning.kinds.contains(kind))
        .collect();
    let all = meaning.query.all();
    let means_something = !meaning.taken.is_empty() || !meaning.kinds.is_empty();
    if kinds.is_empty() || (all.is_none() && !means_something) {
        return Ok((Matches::default(), 0));
    }
    let look = async |matching: Matching<'_>| search.look(meaning, &kinds, matching).await;
    // If there are too many matches to rank, searches the best documents of each kind, unless few of them match. Finding
    // the matches of frequent words takes longer than searching the best documents, which therefore is tried first.
    let bounded = async |words: &str, is_frequent: bool| -> Result<Matches, Fault> {
        if is_frequent {
            let best = look(Matching::AmongTheBest(words)).await?;
            if best.candidates.len() >= FEW {
                return Ok(best);
            }
        }
        let ranked = look(Matching::Words(Some(words))).await?;
        if !ranked.is_cut || is_frequent {
            return Ok(ranked);
        }
        let best = look(Matching::AmongTheBest(words)).await?;
        Ok(if best.candidates.len() < FEW {
            ranked
        } else {
            best
        })
    };
    let is_frequent = meaning.query.is_frequent && wanted.from.is_none() && meaning.time.is_none();
    let mut found = match all.as_deref() {
        Some(whole) => bounded(whole, is_frequent).await?,
        None => look(Matching::Words(None)).await?,
    };
    let whole_matches = found.candidates.len();
    if whole_matches < FEW
        && meaning.query.terms.len() > 1
        && let Some(any) = meaning.query.any()
    {
        let more = bounded(&any, false).await?;
        let all = found.candidates.iter();
        let known: HashSet<_> = all.map(|one| (one.kind, one.id)).collect();
        let more = more.candidates.into_iter();
        let more = more.filter(|one| !known.contains(&(one.kind, one.id)));
        found.candidates.extend(more);
    }
    Ok((found, whole_matches))
}

/// Returns the candidates that are open places, according to the places service.
async fn open_now(
    context: &Context,
    candidates: &[Candidate],
    zone: Tz,
) -> Result<HashSet<i64>, Fault> {
    let ids: Vec<i64> = candidates.iter().map(|candidate| candidate.id).collect();
    let mut open = HashSet::new();
    for ids in ids.chunks(ASKED_AT_ONCE) {
        let page = PageRequest {
            limit: MAX_LIMIT,
            ..PageRequest::default()
        };
        let request = ListListingsRequest {
            page: Some(page),
            ids: ids.to_vec(),
            open_now_in: zone.name().to_owned(),
            ..ListListingsRequest::default()
        };
        let request = Call::new(Caller::Operator, ASKING).request(request);
        let found = context.places.clone().list_listings(request).await?;
        open.extend(
            found
                .into_inner()
                .listings
                .into_iter()
                .map(|listing| listing.id),
        );
    }
    Ok(open)
}
