//! The outcome of an issue for each of its recipients.

use std::sync::Arc;

use chassis::mail::{Reply, Undelivered};
use chrono::TimeDelta;
use cityguide_proto::readers::v1::ExportRequest;
use newsletters_proto::v1::{AllowAddressRequest, ShowFatesRequest};
use testkit::{calls, until};
use vocabulary::newsletters::Kind;

use crate::{
    fixture::choice,
    press::{Office, Press, SUBJECT, print, printing, reply},
};

const ADA: (i64, &str) = (1, "ada@example.com");
const BOB: (i64, &str) = (2, "bob@example.com");
const CAT: (i64, &str) = (3, "cat@example.com");
const DAN: (i64, &str) = (4, "dan@example.com");

async fn has_fate(press: &Press, address: &str, fate: &str) {
    let wanted = format!("news 2026-11-21 {fate}");
    until(&format!("{address}: {wanted}"), async || {
        press.fates(address).await.contains(&wanted).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_address_that_is_none_is_written_to_once_and_never_again_until_it_is_allowed() {
    let press = Press::new().await;
    press.subscribe(&[ADA, BOB, CAT], &[Kind::News]).await;
    press
        .office
        .answer(BOB.1, Some(Undelivered::Refused(reply(550, [5, 1, 1]))));
    press
        .office
        .answer(CAT.1, Some(Undelivered::Refused(reply(554, [5, 7, 1]))));
    print(&press).await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    has_fate(&press, ADA.1, "accepted").await;
    has_fate(&press, BOB.1, "bounced").await;
    has_fate(&press, CAT.1, "bounced").await;

    let suppressed = async |address: &str| {
        let email = address.to_owned();
        let request = calls::operator(ShowFatesRequest { email });
        let found = press.fixture.issues.clone().show_fates(request).await;
        found.expect("answers").into_inner().suppressed
    };
    assert_eq!(suppressed(BOB.1).await.as_deref(), Some("bounced"));
    assert_eq!(
        suppressed(CAT.1).await,
        None,
        "its server did not like the letter"
    );
    for (_, address) in [BOB, CAT] {
        press.office.answer(address, None);
    }
    press.article("news", "Two", "2026-11-21T11:30:00Z").await;
    press.at("2026-11-22T11:30:00Z");
    press.until(Kind::News, "2026-11-22", "sent").await;
    assert_eq!(press.office.count(BOB.1, "Two"), 0);
    assert_eq!(press.office.count(CAT.1, "Two"), 1);
    assert_eq!(
        press.fates(BOB.1).await,
        ["news 2026-11-21 bounced", "news 2026-11-22 suppressed"]
    );

    let email = BOB.1.to_owned();
    let allowed = press.fixture.consents.clone();
    let request = calls::operator(AllowAddressRequest { email });
    allowed
        .clone()
        .allow_address(request)
        .await
        .expect("allows");
    assert_eq!(suppressed(BOB.1).await, None);
    press.article("news", "Three", "2026-11-22T11:30:00Z").await;
    press.at("2026-11-23T11:30:00Z");
    press.until(Kind::News, "2026-11-23", "sent").await;
    assert_eq!(press.office.count(BOB.1, "Three"), 1);
}

#[tokio::test]
async fn a_letter_that_a_server_wants_later_comes_later_and_holds_up_no_other() {
    let press = Press::new().await;
    press.subscribe(&[ADA, BOB], &[Kind::News]).await;
    let later = Undelivered::Later(reply(451, [4, 7, 1]));
    press.office.answer(ADA.1, Some(later));
    print(&press).await;
    has_fate(&press, BOB.1, "accepted").await;
    has_fate(&press, ADA.1, "deferred").await;
    press.office.answer(ADA.1, None);
    press.fixture.drain().await;
    assert_eq!(press.office.count(ADA.1, SUBJECT), 0);
    until("it comes", async || {
        pass(&press, TimeDelta::minutes(1)).await;
        (press.office.count(ADA.1, SUBJECT) == 1).then_some(())
    })
    .await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(press.office.count(BOB.1, SUBJECT), 1);
}

/// Advances the clock, and runs all work that is due then.
async fn pass(press: &Press, step: TimeDelta) {
    press.fixture.parts.clock.advance(step);
    press.fixture.drain().await;
}

/// Advances the clock by hours until a letter of the issue has failed.
async fn until_given_up(press: &Press, address: &str) {
    until("the letter is given up", async || {
        pass(press, TimeDelta::hours(1)).await;
        let fates = press.fates(address).await;
        fates
            .contains(&"news 2026-11-21 failed".to_owned())
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_letter_that_is_deferred_for_days_is_given_up() {
    let press = Press::new().await;
    press.subscribe(&[ADA], &[Kind::News]).await;
    let later = Undelivered::Later(reply(451, [4, 7, 1]));
    press.office.answer(ADA.1, Some(later));
    print(&press).await;
    has_fate(&press, ADA.1, "deferred").await;
    until_given_up(&press, ADA.1).await;
    press.until(Kind::News, "2026-11-21", "sent").await;
}

#[tokio::test]
async fn an_issue_ends_although_the_server_hangs_up_on_some_letters_for_days() {
    let press = Press::new().await;
    press.subscribe(&[ADA, BOB], &[Kind::News]).await;
    let away = Undelivered::Away("the server hung up".to_owned());
    press.office.answer(ADA.1, Some(away));
    print(&press).await;
    has_fate(&press, BOB.1, "accepted").await;
    until_given_up(&press, ADA.1).await;
    // Later than the rest after the outage.
    pass(&press, TimeDelta::hours(1)).await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(press.office.count(BOB.1, SUBJECT), 1);
}

#[tokio::test]
async fn while_no_mail_can_be_sent_an_issue_waits_and_then_reaches_everybody_once() {
    let press = Press::new().await;
    let readers: Vec<_> = (1..=210)
        .map(|id| (id, format!("reader{id}@example.com")))
        .collect();
    let readers: Vec<_> = readers
        .iter()
        .map(|(id, address)| (*id, address.as_str()))
        .collect();
    press.subscribe(&readers, &[Kind::News]).await;
    // The fifth letter of a group is the first to find the server unavailable.
    let away = Undelivered::Away("the server hung up".to_owned());
    press.office.answer("reader125@example.com", Some(away));
    print(&press).await;
    // A part has a hundred recipients and is sent in groups of ten.
    until(
        "those before it have it, and the others of its group",
        async || (press.office.total(SUBJECT) >= 129).then_some(()),
    )
    .await;
    assert_eq!(press.office.count("reader125@example.com", SUBJECT), 0);
    assert_eq!(press.office.count("reader131@example.com", SUBJECT), 0);
    press.office.answer("reader125@example.com", None);
    until("all have it", async || {
        // Advances slowly, so that no worker's lease ends while it sends.
        pass(&press, TimeDelta::milliseconds(100)).await;
        (press.office.total(SUBJECT) >= readers.len()).then_some(())
    })
    .await;
    let sent = press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(sent.fates.len(), 1, "{:?}", sent.fates);
    assert_eq!(
        (sent.fates[0].fate.as_str(), sent.fates[0].count),
        ("accepted", 210)
    );
    for (_, address) in readers {
        assert_eq!(press.office.count(address, SUBJECT), 1, "{address}");
    }
}

#[tokio::test]
async fn who_unsubscribes_before_an_issue_is_sent_does_not_get_it() {
    let press = Press::new().await;
    press.subscribe(&[ADA, DAN], &[Kind::News]).await;
    let later = Undelivered::Later(reply(451, [4, 7, 1]));
    press.office.answer(DAN.1, Some(later));
    print(&press).await;
    has_fate(&press, DAN.1, "deferred").await;
    let off = vec![choice(Kind::News, false)];
    press.fixture.change(DAN.0, (DAN.1, true), off).await;
    press.office.answer(DAN.1, None);
    until("it is withdrawn", async || {
        pass(&press, TimeDelta::minutes(1)).await;
        let fates = press.fates(DAN.1).await;
        fates
            .contains(&"news 2026-11-21 withdrawn".to_owned())
            .then_some(())
    })
    .await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(press.office.count(DAN.1, SUBJECT), 0);
}

#[tokio::test]
async fn a_reader_takes_along_what_became_of_issues_and_the_receipt_names_a_dead_address() {
    let press = Press::new().await;
    press.subscribe(&[ADA], &[Kind::News]).await;
    let none = Undelivered::Refused(reply(550, [5, 1, 1]));
    press.office.answer(ADA.1, Some(none));
    print(&press).await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    let export = calls::reader(ADA.0, ExportRequest::default());
    let export = press.fixture.readers.clone().export(export).await;
    let records = export.expect("exports").into_inner().records;
    let kept = records
        .iter()
        .find(|one| one.kind == "newsletter_deliveries");
    let kept = &kept.expect("a delivery").json;
    for text in [
        "\"issue\":\"2026-11-21\"",
        "\"fate\":\"bounced\"",
        "550 as the test wants",
    ] {
        assert!(kept.contains(text), "{text}: {kept}");
    }
    let erased = press
        .fixture
        .erase(&press.fixture.erasure(ADA.0, ADA.1))
        .await;
    let mut counts = erased.counts.iter();
    let counted = counts.find(|one| one.kind == "newsletter_deliveries");
    assert_eq!(counted.map(|one| one.count), Some(1));
    let mut kept = erased.kept.iter();
    let suppressed = kept.find(|one| one.kind == "newsletter_suppressions");
    assert_eq!(suppressed.map(|one| one.count), Some(1));
    assert_eq!(press.fates(ADA.1).await, Vec::<String>::new());
}

/// Subscribes fifty readers, half of them at `example.com` and half at `example.org`; returns their addresses.
async fn subscribe_two_domains(press: &Press) -> Vec<String> {
    let address = |id: i64| {
        let domain = if id % 2 == 0 { "com" } else { "org" };
        format!("reader{id}@example.{domain}")
    };
    let addresses: Vec<_> = (1..=50).map(address).collect();
    let readers: Vec<_> = (1..).zip(addresses.iter().map(String::as_str)).collect();
    press.subscribe(&readers, &[Kind::News]).await;
    addresses
}

/// The number of accepted letters to addresses with this ending.
fn accepted(office: &Office, addresses: &[String], ending: &str) -> usize {
    let addresses = addresses.iter().filter(|one| one.ends_with(ending));
    addresses.map(|one| office.count(one, SUBJECT)).sum()
}

#[tokio::test]
async fn a_letter_without_a_reply_delays_those_to_its_domain_and_no_other() {
    let press = Press::new().await;
    let readers = subscribe_two_domains(&press).await;
    let of = |ending: &str| accepted(&press.office, &readers, ending);
    let silent = Undelivered::Later(Reply::none("the letter took too long"));
    press.office.answer("reader2@example.com", Some(silent));
    print(&press).await;
    until("the others have it", async || {
        (of(".org") == 25).then_some(())
    })
    .await;
    press.fixture.drain().await;
    assert!(of(".com") < 10, "only those sent beside it: {}", of(".com"));
    press.office.answer("reader2@example.com", None);
    until("all have it", async || {
        pass(&press, TimeDelta::minutes(1)).await;
        (of(".com") == 25).then_some(())
    })
    .await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(of(""), 50, "nobody has it twice");
}

#[tokio::test]
async fn a_domain_gets_letters_at_its_pace_and_holds_up_no_other() {
    let office = Arc::new(Office::default());
    let mut settings = printing();
    settings.newsletters.paces =
        [("example.com".to_owned(), "15/min".parse().expect("a rate"))].into();
    let press = Press::idle(office.clone()).await.replaced(settings).await;
    let readers = subscribe_two_domains(&press).await;
    print(&press).await;
    let of = |ending: &str| accepted(&office, &readers, ending);
    until("the others have it", async || {
        (of(".org") == 25).then_some(())
    })
    .await;
    until("a bucket of letters", async || {
        (of(".com") == 15).then_some(())
    })
    .await;
    press.fixture.drain().await;
    assert_eq!(of(".com"), 15);
    // The buckets of one minute suffice for the remaining letters.
    until("all have it", async || {
        pass(&press, TimeDelta::seconds(20)).await;
        (of(".com") == 25).then_some(())
    })
    .await;
    press.until(Kind::News, "2026-11-21", "sent").await;
    assert_eq!(of(""), 50, "nobody has it twice");
}
