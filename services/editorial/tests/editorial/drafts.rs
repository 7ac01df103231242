//! Drafts, and an editor's decision to show them.

use chassis::{
    actor::{Actor, with_actor},
    clock::Clock as _,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use editorial_proto::v1::{
    Draft, ImportItem, Kind, ListDraftsRequest, PublishDraftsRequest, ShowDraftRequest,
    ShowDraftResponse, WithdrawDraftsRequest, drafts_client::DraftsClient,
};
use testkit::{calls, until};

use crate::fixture::{Fixture, all, article};

fn draft(name: &str) -> ImportItem {
    ImportItem {
        is_draft: true,
        ..article(name, "news", 5)
    }
}

async fn drafts(fixture: &Fixture) -> Vec<Draft> {
    let mut client = DraftsClient::new(fixture.service.transport());
    let request = calls::operator(ListDraftsRequest {});
    let listed = client
        .list(request)
        .await
        .expect("an answer")
        .into_inner()
        .drafts;
    listed.into_iter().rev().collect()
}

async fn show(fixture: &Fixture, id: i64) -> Result<ShowDraftResponse, Fault> {
    let mut client = DraftsClient::new(fixture.service.transport());
    let request = calls::operator(ShowDraftRequest { id });
    Ok(client.show(request).await?.into_inner())
}

async fn publish(fixture: &Fixture, ids: &[i64]) -> Result<Vec<Draft>, Fault> {
    let mut client = DraftsClient::new(fixture.service.transport());
    let request = PublishDraftsRequest { ids: ids.to_vec() };
    let call = async { client.publish(calls::operator(request)).await };
    let published = with_actor(Actor::operator("vera"), call).await?;
    Ok(published.into_inner().drafts)
}

async fn withdraw(fixture: &Fixture, ids: &[i64]) -> Result<Vec<Draft>, Fault> {
    let mut client = DraftsClient::new(fixture.service.transport());
    let request = calls::operator(WithdrawDraftsRequest { ids: ids.to_vec() });
    Ok(client.withdraw(request).await?.into_inner().drafts)
}

async fn count(fixture: &Fixture) -> i64 {
    let listed = fixture.list(all(Kind::Article)).await.expect("answers");
    listed.page.expect("a page").count
}

#[tokio::test]
async fn a_draft_is_listed_and_read_and_shown_to_readers_once_an_editor_publishes_it() {
    let fixture = Fixture::with([draft("One"), draft("Two"), article("Three", "news", 6)]).await;
    let waiting = drafts(&fixture).await;
    let [one, two] = &waiting[..] else {
        panic!("{waiting:?}");
    };
    assert_eq!(
        (one.name.as_str(), one.path.as_str()),
        ("One", "/news/one/")
    );
    assert_eq!(
        (two.source_id.as_str(), two.kind()),
        ("test:two", Kind::Article)
    );
    let shown = show(&fixture, one.id).await.expect("a draft");
    assert_eq!(shown.text.trim(), "All of One.");
    assert_eq!(
        (shown.excerpt.as_str(), shown.authors),
        ("About One.", vec!["Ada King".to_owned()])
    );

    let published = publish(&fixture, &[one.id, one.id])
        .await
        .expect("published");
    assert_eq!(published.len(), 1);
    let now = instant::to_proto(fixture.parts.clock.now());
    assert_eq!(
        (published[0].released_at, published[0].released_by.as_str()),
        (Some(now), "vera")
    );
    fixture.resolve("/news/one/").await.expect("shown");
    assert_eq!(count(&fixture).await, 2);
    let last = fixture.published().await.pop().expect("an event");
    assert!(last.is_available && last.name == "One" && last.version == 2);
    assert_eq!(&drafts(&fixture).await[..], std::slice::from_ref(two));
    show(&fixture, one.id).await.expect("still to be read");
}

#[tokio::test]
async fn a_published_draft_stays_so_whatever_its_source_says_until_it_is_withdrawn() {
    let fixture = Fixture::with([draft("One")]).await;
    let id = drafts(&fixture).await[0].id;
    publish(&fixture, &[id]).await.expect("published");

    let again = fixture.import([draft("One")]).await;
    assert_eq!(again.kinds[0].counts.expect("counts").unchanged, 1);
    let corrected = ImportItem {
        body_markdown: "Corrected.".to_owned(),
        ..draft("One")
    };
    let changed = fixture.import([corrected.clone()]).await;
    assert_eq!(changed.kinds[0].counts.expect("counts").changed, 1);
    let detail = fixture.get(Kind::Article, id, true).await.expect("shown");
    assert!(detail.body_html.contains("Corrected."), "{detail:?}");

    let withdrawn = withdraw(&fixture, &[id]).await.expect("withdrawn");
    assert_eq!(withdrawn[0].released_at, None);
    assert_eq!(count(&fixture).await, 0);
    let last = fixture.published().await.pop().expect("an event");
    assert!(!last.is_available && last.version == 4);
    // A later import publishes the item.
    let shown = ImportItem {
        is_draft: false,
        ..corrected
    };
    fixture.import([shown.clone()]).await;
    assert_eq!(drafts(&fixture).await.len(), 1);
    assert_eq!(count(&fixture).await, 0);
    publish(&fixture, &[id]).await.expect("published again");
    fixture.import([shown]).await;
    assert_eq!(count(&fixture).await, 1);
}

#[tokio::test]
async fn a_draft_of_a_later_date_is_shown_from_then_on() {
    let fixture = Fixture::new().await;
    let tomorrow = fixture.parts.clock.now() + TimeDelta::days(1);
    let later = ImportItem {
        published_at: Some(instant::to_proto(tomorrow)),
        ..draft("Later")
    };
    fixture.import([later]).await;
    let id = drafts(&fixture).await[0].id;
    publish(&fixture, &[id]).await.expect("published");
    assert_eq!(count(&fixture).await, 0);
    fixture.service.run().await;
    fixture.parts.clock.advance(TimeDelta::days(1));
    until("it appears", async || {
        (count(&fixture).await == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_decision_is_about_drafts_alone_and_of_several_all_or_none() {
    let file = ImportItem {
        source_id: "content:articles/file".to_owned(),
        ..draft("File")
    };
    let fixture = Fixture::with([draft("One"), file, article("Three", "news", 6)]).await;
    let waiting = drafts(&fixture).await;
    let (one, file) = (waiting[0].id, waiting[1].id);
    let shown = fixture.only(Kind::Article).await.id;
    let too_many: Vec<i64> = (1..=201).collect();
    for (ids, code, why) in [
        (vec![one, shown], Code::NotFound, "is no draft"),
        (vec![one, 1_000_000], Code::NotFound, "1000000 is no draft"),
        (vec![one, file], Code::Conflict, "content:articles/file"),
        (vec![], Code::Invalid, "1 to 200"),
        (too_many, Code::Invalid, "1 to 200"),
    ] {
        let refused = publish(&fixture, &ids).await.expect_err("refused");
        assert_eq!(refused.code, code, "{ids:?}");
        assert!(refused.message.contains(why), "{refused:?}");
    }
    let refused = withdraw(&fixture, &[shown])
        .await
        .expect_err("never a draft");
    assert_eq!(refused.code, Code::Conflict);
    assert_eq!(
        show(&fixture, shown).await.expect_err("no draft").code,
        Code::NotFound
    );
    assert_eq!(drafts(&fixture).await.len(), 2);
    assert_eq!(count(&fixture).await, 1);
}

#[tokio::test]
async fn a_file_that_takes_a_published_draft_over_decides_from_then_on() {
    let fixture = Fixture::with([draft("One")]).await;
    let id = drafts(&fixture).await[0].id;
    publish(&fixture, &[id]).await.expect("published");
    let file = ImportItem {
        source_id: "content:articles/ours".to_owned(),
        moved_from: vec!["/news/one/".to_owned()],
        ..draft("Ours")
    };
    let report = fixture.import([file]).await;
    assert_eq!(report.refusals, []);
    assert_eq!(count(&fixture).await, 0);
    let waiting = drafts(&fixture).await;
    assert_eq!(
        (waiting[0].id, waiting[0].path.as_str()),
        (id, "/news/ours/")
    );
}

#[tokio::test]
async fn an_import_takes_over_no_draft_that_an_editor_has_published_or_withdrawn() {
    for is_withdrawn in [false, true] {
        let fixture = Fixture::with([draft("One")]).await;
        let id = drafts(&fixture).await[0].id;
        publish(&fixture, &[id]).await.expect("published");
        if is_withdrawn {
            withdraw(&fixture, &[id]).await.expect("withdrawn");
        }
        let other = ImportItem {
            source_id: "other:one".to_owned(),
            moved_from: vec!["/news/one/".to_owned()],
            yields: true,
            ..article("Another", "news", 5)
        };
        let report = fixture.import([other]).await;
        assert!(report.applied, "{report:?}");
        let shown = show(&fixture, id).await.expect("a draft, or one before");
        assert_eq!(shown.text.trim(), "All of One.");
        let is_draft = drafts(&fixture).await.iter().any(|draft| draft.id == id);
        assert_eq!(is_draft, is_withdrawn);
        assert_eq!(count(&fixture).await, if is_withdrawn { 1 } else { 2 });
    }
}
