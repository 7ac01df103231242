//! Types and rules of places.

mod boundary;
mod hours;
mod listing;
mod paths;
mod proposal;
mod report;
mod review;

pub(crate) use boundary::{Boundaries, Boundary};
pub(crate) use hours::Hours;
pub(crate) use listing::{
    Coordinates, Listing, ListingDetail, ListingFilter, ListingType, Neighbourhood, SubType,
};
pub(crate) use paths::{PagePath, first_free};
pub(crate) use proposal::{ListingProposal, NeighbourhoodProposal, TypeProposal};
pub(crate) use report::Report;
pub(crate) use review::Review;
