//! Types and rules of places.

mod basemap;
mod best_of;
mod boundary;
mod burst;
mod facts;
mod hours;
mod inspection;
mod listing;
mod match_addresses;
mod match_index;
mod match_names;
mod match_rules;
mod match_verdict;
mod matching;
mod paths;
mod proposal;
mod rating;
mod review;
mod similar;

pub(crate) use basemap::Basemap;
pub(crate) use best_of::{BestOfEntry, BestOfList, BestOfProposal, EntryProposal};
pub(crate) use boundary::{Boundaries, Boundary};
pub(crate) use burst::{Burst, BurstRule, KEPT, MAX_LISTED, Origin, SourceKind, describe};
pub(crate) use facts::{Facts, with_facts};
pub(crate) use hours::{Hours, wall_clock};
pub(crate) use inspection::{DecisionProposal, Infraction, Inspection, InspectionRow, Severity};
pub(crate) use listing::{
    Listing, ListingDetail, ListingFilter, ListingType, Neighbourhood, Portrait, Ranking, SubType,
    Votes,
};
pub(crate) use match_index::{Establishment, MatchIndex, MatchPlace, MatchedPlace, Sought};
pub(crate) use match_verdict::Verdict;
pub(crate) use matching::{Basis, Doubt, Matcher};
pub(crate) use paths::{PagePath, first_free, numbered};
pub(crate) use proposal::{ListingProposal, NeighbourhoodProposal, TypeProposal};
pub(crate) use rating::{MapEntry, PlaceRating, Rated, Rating, Stars};
pub(crate) use review::Review;
pub(crate) use similar::most_similar;
