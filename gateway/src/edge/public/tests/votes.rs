//! Invalidation after a vote on a place.

use cityguide_proto::events::v1::ListingRated;

use super::*;

#[tokio::test]
async fn a_vote_drops_the_answers_about_its_place_and_no_list() {
    let desk = Desk::new();
    let list = async || {
        let key = CacheKey::list("/all/", &Params::default(), &[Tag::Areas, Tag::Listings]);
        let thing = Arc::clone(&desk.thing);
        let compute = async move || {
            thing.computed.fetch_add(1, Ordering::Relaxed);
            Content::json(&json!({"word": "all"}))
        };
        let request = plain();
        let answer = desk.cache.serve(&request, key, Freshness::Usual, compute);
        answer.await.expect("answers");
    };
    list().await;
    for id in [1, 2] {
        desk.ask_for(id, &plain()).await.expect("answers");
    }
    assert_eq!(desk.computed(), 3);
    desk.hear(key::LISTING_RATED, &ListingRated { listing_id: 1 })
        .await;
    list().await;
    desk.ask_for(2, &plain()).await.expect("answers");
    assert_eq!(desk.computed(), 3);
    desk.ask_for(1, &plain()).await.expect("answers");
    assert_eq!(desk.computed(), 4);
}
