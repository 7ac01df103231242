//! Selection of similar places.

use std::cmp::Reverse;

use super::listing::{Listing, ListingDetail};

/// Maximum number of similar places.
const MAX: usize = 12;

/// Selects the candidates that share the sub-type, the neighbourhood or both with the place, then other candidates; in
/// each group, reviewed places first, then the nearest. Ties are ordered by descending id.
pub(crate) fn most_similar(place: &Listing, candidates: Vec<ListingDetail>) -> Vec<Listing> {
    let mut ranked: Vec<_> = candidates
        .into_iter()
        .map(|candidate| (rank(place, &candidate), candidate.listing))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked
        .into_iter()
        .take(MAX)
        .map(|(_, listing)| listing)
        .collect()
}

/// Returns the rank of a candidate: smaller is more similar.
fn rank(place: &Listing, candidate: &ListingDetail) -> impl Ord + Copy + use<> {
    let other = &candidate.listing;
    let area = |listing: &Listing| listing.neighbourhood.as_ref().map(|area| area.id);
    let shares_sub_type = place.sub_type.is_some() && place.sub_type == other.sub_type;
    let shares_area = area(place).is_some() && area(place) == area(other);
    let alike = 2 * u8::from(shares_sub_type)
        + 2 * u8::from(shares_area)
        + u8::from(candidate.review.is_some());
    let centimetres = place
        .coordinates
        .zip(other.coordinates)
        .map_or(u64::MAX, |(here, there)| {
            whole_centimetres(here.metres_to(there))
        });
    (Reverse(alike), centimetres, Reverse(other.id))
}

/// Converts to an integer, because floating-point numbers have no total order.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a distance on Earth is neither negative nor above 2^53 cm"
)]
fn whole_centimetres(metres: f64) -> u64 {
    (metres * 100.0) as u64
}
