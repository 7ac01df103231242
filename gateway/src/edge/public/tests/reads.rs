//! The limit of responses computed for one client.

use super::*;
use crate::edge::limits::Client;

#[tokio::test]
async fn a_client_has_a_number_of_computed_answers_and_what_is_kept_costs_none() {
    let desk = Desk::with_reads("2/min");
    let from = |name: &str| PublicRequest {
        client: Some(Client::new(name)),
        ..plain()
    };
    let ask = async |id: i64, request: &PublicRequest| match desk.ask_for(id, request).await {
        Ok(response) => response.status(),
        Err(error) => error.status(),
    };
    let (crawler, reader) = (from("192.0.2.1"), from("192.0.2.2"));
    for id in [1, 2, 1, 2, 1] {
        assert_eq!(ask(id, &crawler).await, StatusCode::OK);
    }
    assert_eq!(ask(3, &crawler).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(desk.computed(), 2);
    assert_eq!(ask(2, &crawler).await, StatusCode::OK, "it is at hand");
    assert_eq!(ask(3, &reader).await, StatusCode::OK, "another has his own");
    assert_eq!(ask(4, &plain()).await, StatusCode::OK, "a call of our own");
    desk.clock.advance(TimeDelta::seconds(30));
    assert_eq!(ask(5, &crawler).await, StatusCode::OK);
    assert_eq!(ask(6, &crawler).await, StatusCode::TOO_MANY_REQUESTS);
}
