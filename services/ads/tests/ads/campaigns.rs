//! Imports of campaigns.

use ads_proto::v1::{
    Campaign, Creative, GetCampaignRequest, PauseCampaignRequest, Priority, ShowCampaignsRequest,
    creative::Content,
};
use chassis::bus::Durability;
use cityguide_proto::{events::v1::PlanChanged, exchange, intake::v1::Counts};
use prost::Message as _;
use testkit::{bus::Recorder, calls, until};
use tonic::Code;

use crate::fixture::{Fixture, KAYAKS, advertiser, campaign, changed_campaign};

#[tokio::test]
async fn a_campaign_is_stored_once_and_changed_where_it_differs() {
    let fixture = Fixture::empty().await;
    let both = || vec![advertiser("paddlers"), campaign(&fixture, 100)];
    let first = fixture.import(both()).await;
    assert_eq!(first.kinds.len(), 2);
    assert!(first.changes.iter().all(|change| change.is_new));
    let again = fixture.import(both()).await;
    let counts = again.kinds.iter().map(|kind| kind.counts.expect("counts"));
    let unchanged = Counts {
        unchanged: 1,
        ..Counts::default()
    };
    assert_eq!(counts.collect::<Vec<_>>(), [unchanged, unchanged]);
    let renamed = changed_campaign(&fixture, 200, |campaign| campaign.name.push('!'));
    let changed = fixture.import(vec![renamed]).await;
    assert_eq!(changed.changes[0].fields, ["name", "line_items"]);
}

#[tokio::test]
async fn a_campaign_is_found_whenever_it_runs() {
    let fixture = Fixture::with_goal(100).await;
    let find = async |source_id: &str| {
        let source_id = source_id.to_owned();
        let request = calls::guest(GetCampaignRequest { source_id });
        fixture.delivery.clone().get_campaign(request).await
    };
    let later = changed_campaign(&fixture, 100, |campaign| {
        campaign.starts_at.clone_from(&campaign.ends_at);
        let end = campaign.ends_at.as_mut().expect("an end");
        end.seconds += 86_400;
    });
    fixture.import(vec![later]).await;
    let pause = calls::operator(PauseCampaignRequest {
        source_id: KAYAKS.to_owned(),
        is_paused: true,
    });
    let paused = fixture.campaigns.clone().pause_campaign(pause).await;
    paused.expect("pauses");
    let found = find(KAYAKS).await.expect("there").into_inner();
    assert!(found.line_items[0].creatives[0].id > 0);
    assert!(!found.advertiser_name.is_empty());
    let none = find("nothing").await.expect_err("there is none");
    assert_eq!(none.code(), Code::NotFound);
}

#[tokio::test]
async fn a_change_is_told_with_its_revision_and_what_changes_nothing_is_not() {
    let fixture = Fixture::empty().await;
    let (bus, durability) = (fixture.parts.bus.as_ref(), Durability::Durable);
    let published = Recorder::on(bus, "published", exchange::ADS, "#", durability).await;
    let pause = async |source_id: &str, is_paused| {
        let source_id = source_id.to_owned();
        let request = calls::operator(PauseCampaignRequest {
            source_id,
            is_paused,
        });
        fixture.campaigns.clone().pause_campaign(request).await
    };
    let mut revisions = vec![fixture.sync(0).await.revision];
    for _ in 0..2 {
        let both = vec![advertiser("paddlers"), campaign(&fixture, 100)];
        fixture.import(both).await;
    }
    revisions.push(fixture.sync(0).await.revision);
    pause("nothing", true).await.expect_err("there is none");
    for is_paused in [true, false] {
        pause(KAYAKS, is_paused).await.expect("pauses");
        revisions.push(fixture.sync(0).await.revision);
    }
    let heard = until("each change is published", async || {
        let heard = published.heard();
        (heard.len() >= 3).then_some(heard)
    })
    .await;
    let heard = heard.iter().map(|message| {
        let event = PlanChanged::decode(&*message.payload);
        event.expect("an event").revision
    });
    assert_eq!(heard.collect::<Vec<_>>(), revisions[1..]);
    assert!(revisions.is_sorted_by(|one, next| one < next));
}

#[tokio::test]
async fn a_line_item_that_its_campaign_no_longer_has_is_served_no_more() {
    let fixture = Fixture::with_goal(100).await;
    let before = fixture.ids().await;
    let replaced = changed_campaign(&fixture, 100, |campaign| {
        campaign.line_items[0].source_id = "other".to_owned();
    });
    fixture.import(vec![replaced]).await;
    let plan = fixture.sync(0).await.plan.expect("a plan");
    let items = &plan.campaigns[0].line_items;
    assert_eq!(items.len(), 1);
    assert_ne!(items[0].id, before.0);
    fixture.import(vec![campaign(&fixture, 100)]).await;
    assert_eq!(
        fixture.ids().await,
        before,
        "it is the same when it is back"
    );
}

#[tokio::test]
async fn what_cannot_be_served_is_refused_with_a_reason_and_nothing_is_stored() {
    type Change = fn(&mut Campaign);
    fn creative(campaign: &mut Campaign) -> &mut Creative {
        &mut campaign.line_items[0].creatives[0]
    }
    let wrong: [(Change, &str); 12] = [
        (|c| c.source_id = "Not a slug".to_owned(), "slug"),
        (
            |c| c.advertiser_source_id = "nobody".to_owned(),
            "there is no advertiser",
        ),
        (|c| c.ends_at = c.starts_at, "ends"),
        (|c| c.line_items.clear(), "line_items"),
        (|c| c.line_items[0].goal = 0, "goal"),
        (
            |c| c.line_items[0].priority = Priority::House.into(),
            "goal",
        ),
        (|c| c.line_items[0].share_of_voice = 50, "share_of_voice"),
        (|c| c.line_items[0].creatives.clear(), "creatives"),
        (
            |c| creative(c).landing = "javascript:alert(1)".to_owned(),
            "href",
        ),
        (|c| creative(c).width = 0, "size"),
        (
            |c| creative(c).content = Some(Content::Html("x".repeat(70_000))),
            "html",
        ),
        (
            |c| {
                creative(c).content =
                    Some(Content::Image("https://elsewhere.example/a.png".to_owned()));
            },
            "picture",
        ),
    ];
    let fixture = Fixture::empty().await;
    for (change, reason) in wrong {
        let items = vec![
            advertiser("paddlers"),
            changed_campaign(&fixture, 100, change),
        ];
        let report = fixture.import(items).await;
        assert!(!report.applied, "{reason}");
        assert!(
            report.refusals[0].reason.contains(reason),
            "{:?}",
            report.refusals
        );
        let stored = fixture
            .parts
            .database
            .number("SELECT count(*) FROM ads.advertisers")
            .await;
        assert_eq!(stored, 0, "{reason}");
    }
}

#[tokio::test]
async fn a_paused_campaign_is_not_served_until_it_goes_on() {
    let fixture = Fixture::with_goal(100).await;
    let mut campaigns = fixture.campaigns.clone();
    let mut pause = async |source_id: &str, is_paused| {
        let request = PauseCampaignRequest {
            source_id: source_id.to_owned(),
            is_paused,
        };
        campaigns.pause_campaign(calls::operator(request)).await
    };
    pause(KAYAKS, true).await.expect("pauses");
    let paused = fixture.sync(0).await;
    assert_eq!(paused.plan.expect("a plan").campaigns, []);
    pause(KAYAKS, false).await.expect("goes on");
    let served = fixture.sync(paused.revision).await;
    assert_eq!(served.plan.expect("a new plan").campaigns.len(), 1);
    let unknown = pause("nothing", true).await.expect_err("unknown");
    assert_eq!(unknown.code(), Code::NotFound);
}

#[tokio::test]
async fn operators_alone_see_and_change_campaigns() {
    let fixture = Fixture::with_goal(100).await;
    let request = calls::guest(ShowCampaignsRequest {});
    let refused = fixture.campaigns.clone().show_campaigns(request).await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    let request = calls::operator(ShowCampaignsRequest {});
    let shown = fixture.campaigns.clone().show_campaigns(request).await;
    let shown = shown.expect("answers").into_inner().campaigns;
    assert_eq!(shown[0].source_id, KAYAKS);
    // Half of the flight has passed.
    assert_eq!(shown[0].line_items[0].expected, 50);
}
