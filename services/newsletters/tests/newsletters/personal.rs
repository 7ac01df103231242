//! The content of an issue for readers who have saved items.

use std::sync::Arc;

use chrono::TimeDelta;
use vocabulary::newsletters::Kind;
use vocabulary::saved;

use crate::press::{Office, Press, event, printing};

const ADA: (i64, &str) = (1, "ada@example.com");
const BOB: (i64, &str) = (2, "bob@example.com");
const ANNEX: [&str; 5] = ["Bowl", "Cup", "Fork", "Knife", "Spoon"];

/// The letter with a subject that an address received.
fn letter(office: &Office, address: &str, subject: &str) -> String {
    let to = format!("To: {address}\r\n");
    let taken = office.taken().into_iter();
    let mut letters = taken.filter(|one| one.contains(&to) && one.contains(subject));
    // Long lines are folded (RFC 2045, 6.7).
    let letter = letters.next().expect("a letter");
    letter.replace("=\r\n", "")
}

/// Opens places long before the day's issue, which is about an article; Ada saves three of them.
async fn fed(press: &Press) {
    press.fixture.parts.clock.advance(-TimeDelta::days(40));
    press.open(Some("Annex"), &ANNEX).await;
    press.open(Some("Junction"), &["Plate"]).await;
    for name in ["Plate", "Bowl", "Fork"] {
        let id = press.id_of(name).await;
        press.save(ADA.0, saved::Kind::Favourites, id).await;
    }
    press.subscribe(&[ADA, BOB], &[Kind::Foods]).await;
    press.at("2026-11-27T15:00:00Z");
    press.article("food", "Soup", "2026-11-27T14:00:00Z").await;
    press.at("2026-11-27T16:00:00Z");
}

#[tokio::test]
async fn who_has_saved_places_gets_others_of_that_neighbourhood() {
    let office = Arc::new(Office::default());
    let press = Press::idle(office.clone()).await.replaced(printing()).await;
    fed(&press).await;
    press.until(Kind::Foods, "2026-11-27", "sent").await;
    let (ada, bob) = (
        letter(&office, ADA.1, "Soup"),
        letter(&office, BOB.1, "Soup"),
    );
    assert!(ada.contains("IN ANNEX, WHERE YOU SAVED PLACES"), "{ada}");
    for (name, is_there) in [
        ("Cup", true),
        ("Knife", true),
        ("Spoon", true),
        ("Bowl", false),
        ("Plate", false),
    ] {
        let path = format!("/restaurants/{}/", name.to_lowercase());
        assert_eq!(ada.contains(&path), is_there, "{name}: {ada}");
        assert!(!bob.contains(&path), "{name}: {bob}");
    }
}

#[tokio::test]
async fn while_nobody_can_tell_what_was_saved_all_get_the_issue_in_time() {
    let office = Arc::new(Office::default());
    let press = Press::idle(office.clone()).await.without_bookmarks().await;
    fed(&press).await;
    press.until(Kind::Foods, "2026-11-27", "sent").await;
    for (_, address) in [ADA, BOB] {
        let letter = letter(&office, address, "Soup");
        assert!(!letter.contains("/restaurants/"), "{letter}");
    }
}

#[tokio::test]
async fn events_that_a_reader_has_saved_are_in_the_letter_if_they_are_soon_and_not_in_it_anyway() {
    let office = Arc::new(Office::default());
    let mut settings = printing();
    let times = ("events".to_owned(), "thu 09:00".to_owned());
    settings.newsletters.timetable.extend([times]);
    let press = Press::idle(office.clone()).await.replaced(settings).await;
    // An issue contains at most twelve events: the first events in its order.
    for number in 1..=14 {
        press
            .publish(event(&format!("Concert {number}"), "2026-11-27"))
            .await;
    }
    press.publish(event("Film", "2026-11-30")).await;
    press.publish(event("Fair", "2026-12-24")).await;
    for name in ["Concert 1", "Film", "Fair"] {
        let id = press.event_id(name).await;
        press.save(ADA.0, saved::Kind::EventBookmarks, id).await;
    }
    press.subscribe(&[ADA, BOB], &[Kind::Events]).await;
    press.at("2026-11-26T14:00:00Z");
    press.until(Kind::Events, "2026-11-26", "sent").await;
    let ada = letter(&office, ADA.1, "Concert");
    let (_, own) = ada.split_once("YOU SAVED").expect("a section");
    let (own, _) = own.split_once("Unsubscribe").expect("the end of the text");
    assert!(own.contains("/events/film/"), "{own}");
    assert!(
        !own.contains("/events/concert-1/") && !ada.contains("/events/fair/"),
        "{ada}"
    );
    assert!(!letter(&office, BOB.1, "Concert").contains("/events/film/"));
}
