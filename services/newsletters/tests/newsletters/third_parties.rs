//! Readers' choices about whether pages may load third-party content: the last choice of each reader, and the ledger of
//! all choices.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use cityguide_proto::readers::v1::ExportRequest;
use newsletters_proto::v1::{
    ChooseRequest, GetChoiceRequest, ThirdPartyChoice, third_parties_client::ThirdPartiesClient,
};
use testkit::{calls, within_hours};

use crate::fixture::{ADA, ADDRESS, Fixture, origin};

const BOB: i64 = 2;
const WORDS: &str = "Maps of others may be loaded.";

fn request(wording: Option<&str>) -> ChooseRequest {
    ChooseRequest {
        is_allowed: wording.is_some(),
        wording: wording.unwrap_or_default().to_owned(),
        origin: Some(origin("settings")),
        email: ADDRESS.to_owned(),
    }
}

impl Fixture {
    async fn third_parties(&self, reader: i64) -> ThirdPartyChoice {
        let mut client = ThirdPartiesClient::new(self.transport());
        let choice = client.get_choice(calls::reader(reader, GetChoiceRequest {}));
        choice.await.expect("answers").into_inner()
    }

    async fn choose(&self, request: ChooseRequest) -> Result<ThirdPartyChoice, Fault> {
        let mut client = ThirdPartiesClient::new(self.transport());
        let chosen = client.choose(calls::reader(ADA, request)).await?;
        Ok(chosen.into_inner())
    }

    /// Allows third-party content with this wording, or refuses it.
    async fn answer(&self, wording: Option<&str>) -> ThirdPartyChoice {
        self.choose(request(wording)).await.expect("chooses")
    }
}

#[tokio::test]
async fn each_choice_is_an_entry_with_the_words_that_were_shown() {
    let fixture = Fixture::new().await;
    assert_eq!(
        fixture.third_parties(ADA).await,
        ThirdPartyChoice::default()
    );
    for wording in [None, Some(WORDS), Some("Maps and videos."), None] {
        let chosen = fixture.answer(wording).await;
        assert_eq!(chosen.is_allowed, Some(wording.is_some()));
        assert_eq!(chosen.wording, wording.unwrap_or_default());
        assert_eq!(fixture.third_parties(ADA).await, chosen);
    }
    assert_eq!(
        fixture.third_parties(BOB).await,
        ThirdPartyChoice::default()
    );
    let entries = fixture.known(ADDRESS).await.entries;
    let choices: Vec<_> = entries
        .iter()
        .map(|entry| (entry.act.as_str(), entry.wording.as_str()))
        .collect();
    assert_eq!(
        choices,
        [
            ("refused", ""),
            ("given", WORDS),
            ("given", "Maps and videos."),
            ("withdrawn", ""),
        ]
    );
    for entry in &entries {
        assert_eq!(entry.kind, "third_parties");
        assert_eq!(
            (entry.page.as_str(), entry.way.as_str()),
            ("/foods/pai/", "settings")
        );
    }
    let followed = fixture.verify().await;
    assert_eq!((followed.entries, followed.broken_at), (4, None));
}

#[tokio::test]
async fn a_repeat_within_a_day_changes_nothing_and_a_later_one_confirms() {
    let fixture = Fixture::new().await;
    let first = fixture.answer(Some(WORDS)).await;
    fixture.parts.clock.advance(TimeDelta::hours(23));
    assert_eq!(fixture.answer(Some(WORDS)).await, first);
    assert_eq!(fixture.acts(ADDRESS).await.len(), 1);
    fixture.parts.clock.advance(TimeDelta::hours(1));
    assert_ne!(fixture.answer(Some(WORDS)).await.at, first.at);
    assert_eq!(fixture.acts(ADDRESS).await.len(), 2);
}

#[tokio::test]
async fn answers_that_are_sent_at_once_are_recorded_once() {
    let fixture = Fixture::new().await;
    let sent = (0..8).map(|_| fixture.answer(Some(WORDS)));
    let answers = futures::future::join_all(sent).await;
    assert!(answers.iter().all(|one| *one == answers[0]));
    assert_eq!(fixture.acts(ADDRESS).await, ["given third_parties"]);
}

#[tokio::test]
async fn consent_without_words_a_page_or_an_address_is_refused_and_nothing_is_stored() {
    let fixture = Fixture::new().await;
    let wrong: [fn(&mut ChooseRequest); 5] = [
        |request| request.wording = " ".to_owned(),
        |request| request.wording = "a".repeat(1_001),
        |request| request.origin = None,
        |request| request.origin = Some(origin("erasure")),
        |request| request.email = "ada".to_owned(),
    ];
    for spoil in wrong {
        let mut request = request(Some(WORDS));
        spoil(&mut request);
        let refused = fixture.choose(request.clone()).await.expect_err("refused");
        assert_eq!(refused.code, Code::Invalid, "{request:?}");
    }
    let mut client = ThirdPartiesClient::new(fixture.transport());
    let guest = client.choose(calls::guest(request(None))).await;
    assert_eq!(
        guest.expect_err("a guest").code(),
        tonic::Code::Unauthenticated
    );
    assert_eq!(
        fixture.third_parties(ADA).await,
        ThirdPartyChoice::default()
    );
    assert!(fixture.acts(ADDRESS).await.is_empty());
}

#[tokio::test]
async fn an_export_tells_the_choice_and_an_erasure_ends_it() {
    let fixture = Fixture::new().await;
    fixture.answer(Some(WORDS)).await;
    let request = calls::reader(
        ADA,
        ExportRequest {
            verified_email: ADDRESS.to_owned(),
            after: String::new(),
        },
    );
    let export = fixture.readers.clone().export(request).await;
    let records = export.expect("exports").into_inner().records;
    let kinds: Vec<_> = records.iter().map(|record| record.kind.as_str()).collect();
    assert_eq!(kinds, ["third_party_choices", "newsletter_consents"]);
    assert!(records[0].json.contains(WORDS), "{}", records[0].json);

    let request = fixture.erasure(ADA, ADDRESS);
    for _ in 0..2 {
        let erased = fixture.erase(&request).await;
        let counts: Vec<_> = erased
            .counts
            .iter()
            .map(|one| (one.kind.as_str(), one.count))
            .collect();
        assert_eq!(counts, [("third_party_choices", 1)]);
        assert_eq!(erased.kept[0].count, 2);
    }
    assert_eq!(
        fixture.third_parties(ADA).await,
        ThirdPartyChoice::default()
    );
    assert_eq!(
        fixture.acts(ADDRESS).await,
        ["given third_parties", "withdrawn third_parties"]
    );
}

#[tokio::test]
async fn evidence_is_emptied_when_it_was_kept_long_enough_and_consent_that_stands_is_not() {
    let fixture = Fixture::new().await;
    fixture.answer(Some(WORDS)).await;
    fixture.answer(None).await;
    fixture.answer(Some(WORDS)).await;
    assert_eq!(fixture.verify().await.entries, 3);
    fixture.parts.clock.advance(TimeDelta::days(1_096));
    within_hours("the purges", async || {
        (fixture.acts(ADDRESS).await == ["given third_parties"]).then_some(())
    })
    .await;
    let followed = fixture.verify().await;
    assert_eq!((followed.emptied, followed.broken_at), (2, None));
    assert_eq!(fixture.third_parties(ADA).await.wording, WORDS);
}
