//! The service with a campaign, and helpers for tests.

use ads::{AdSettings, Ads, Settings};
use ads_proto::v1::{
    Advertiser, Campaign, Creative, Event, EventKind, ImportAdvertiser, ImportCampaign,
    ImportRequest, LineItem, Outcome, Priority, RecordEventsRequest, ReportCampaignRequest,
    ReportCampaignResponse, SyncRequest, SyncResponse, Targeting,
    campaigns_client::CampaignsClient, creative::Content, delivery_client::DeliveryClient,
    import_request::Item,
};
use chassis::{
    instant,
    keys::Keys,
    role::{Callees, Parts, Service},
    rpc::Transport,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::intake::v1::{Finish, Report};
use testkit::{
    calls,
    parts::{TestParts, parts},
    service::TestService,
};

/// The source id of the fixture's campaign.
pub(crate) const KAYAKS: &str = "kayaks";

/// The service, and its callers.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) campaigns: CampaignsClient<Transport>,
    pub(crate) delivery: DeliveryClient<Transport>,
    service: TestService,
}

impl Fixture {
    /// The service without campaigns.
    pub(crate) async fn empty() -> Self {
        let parts = parts().await;
        Self::on(parts).await
    }

    /// The service on existing parts.
    pub(crate) async fn on(parts: TestParts) -> Self {
        let shared = parts.shared();
        Self::with(parts, shared).await
    }

    /// Restarts the service with other keys of the system.
    pub(crate) async fn restarted(self, keys: Keys) -> Self {
        self.service.stop().await;
        let shared = self.parts.shared();
        Self::with(self.parts, Parts { keys, ..shared }).await
    }

    /// Runs all due work, including the deletion of expired events, twice.
    pub(crate) async fn drain(&self) {
        self.service.drain().await;
    }

    async fn with(parts: TestParts, shared: Parts) -> Self {
        Ads::SCHEMA
            .migrate(&parts.database.settings())
            .await
            .expect("migrates");
        let settings = Settings {
            ads: AdSettings {
                keep_events_days: 30,
                keep_reports_days: 90,
            },
            timezone: Some(chrono_tz::Canada::Eastern),
        };
        let role = Ads::create(shared, settings, Callees::default());
        let service = TestService::start(&parts, role.await.expect("starts")).await;
        Self {
            campaigns: CampaignsClient::new(service.transport()),
            delivery: DeliveryClient::new(service.transport()),
            parts,
            service,
        }
    }

    /// The service with a campaign of this goal that began yesterday.
    pub(crate) async fn with_goal(goal: i64) -> Self {
        let fixture = Self::empty().await;
        let report = fixture
            .import(vec![advertiser("paddlers"), campaign(&fixture, goal)])
            .await;
        assert!(report.applied, "{report:?}");
        fixture
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        chassis::clock::Clock::now(&*self.parts.clock)
    }

    pub(crate) async fn import(&self, items: Vec<Item>) -> Report {
        let finish = Finish {
            all_or_nothing: true,
            ..Finish::default()
        };
        let items = items.into_iter().chain([Item::Finish(finish)]);
        let messages: Vec<_> = items
            .map(|item| ImportRequest { item: Some(item) })
            .collect();
        let stream = calls::operator(tokio_stream::iter(messages));
        let report = self.campaigns.clone().import(stream).await;
        report.expect("imports").into_inner()
    }

    pub(crate) async fn sync(&self, revision: i64) -> SyncResponse {
        self.sync_with(SyncRequest {
            server: vec![1; 16],
            revision,
            ..SyncRequest::default()
        })
        .await
    }

    pub(crate) async fn sync_with(&self, request: SyncRequest) -> SyncResponse {
        let synced = self.delivery.clone().sync(calls::operator(request)).await;
        synced.expect("syncs").into_inner()
    }

    /// The ids of the line item and the creative that are served.
    pub(crate) async fn ids(&self) -> (i64, i64) {
        let plan = self.sync(0).await.plan.expect("a plan");
        let item = &plan.campaigns[0].line_items[0];
        (item.id, item.creatives[0].id)
    }

    pub(crate) async fn record(&self, events: Vec<Event>) -> Vec<Outcome> {
        let request = calls::guest(RecordEventsRequest { events });
        let recorded = self.delivery.clone().record_events(request).await;
        recorded.expect("records").into_inner().outcomes().collect()
    }

    pub(crate) async fn report(&self) -> ReportCampaignResponse {
        let request = calls::operator(ReportCampaignRequest {
            source_id: KAYAKS.to_owned(),
        });
        let reported = self.campaigns.clone().report_campaign(request).await;
        reported.expect("reports").into_inner()
    }
}

pub(crate) fn advertiser(slug: &str) -> Item {
    Item::Advertiser(ImportAdvertiser {
        position: "advertisers.toml, line 1".to_owned(),
        advertiser: Some(Advertiser {
            source_id: slug.to_owned(),
            name: "The Paddlers".to_owned(),
            website: "https://paddlers.example/".to_owned(),
        }),
    })
}

/// A campaign from yesterday to tomorrow.
pub(crate) fn campaign(fixture: &Fixture, goal: i64) -> Item {
    changed_campaign(fixture, goal, |_| {})
}

/// Returns the campaign of [`campaign`] with a change.
pub(crate) fn changed_campaign(
    fixture: &Fixture,
    goal: i64,
    change: impl Fn(&mut Campaign),
) -> Item {
    let now = fixture.now();
    let mut campaign = Campaign {
        source_id: KAYAKS.to_owned(),
        advertiser_source_id: "paddlers".to_owned(),
        name: "Kayaks in the morning".to_owned(),
        category: "outdoors".to_owned(),
        starts_at: Some(instant::to_proto(now - TimeDelta::days(1))),
        ends_at: Some(instant::to_proto(now + TimeDelta::days(1))),
        line_items: vec![LineItem {
            source_id: "home".to_owned(),
            priority: Priority::Standard.into(),
            goal,
            targeting: Some(Targeting {
                pages: vec!["home".to_owned()],
                ..Targeting::default()
            }),
            creatives: vec![Creative {
                source_id: "wide".to_owned(),
                width: 970,
                height: 250,
                weight: 1,
                landing: "https://paddlers.example/mornings/".to_owned(),
                alternative: "A kayak at dawn".to_owned(),
                content: Some(Content::Html("<p>Paddle!</p>".to_owned())),
                ..Creative::default()
            }],
            ..LineItem::default()
        }],
        ..Campaign::default()
    };
    change(&mut campaign);
    Item::Campaign(ImportCampaign {
        position: "campaigns/kayaks.toml".to_owned(),
        campaign: Some(campaign),
    })
}

/// An event of an opportunity that was served this many milliseconds ago.
pub(crate) fn event(
    fixture: &Fixture,
    (line_item_id, creative_id): (i64, i64),
    (opportunity, kind, milliseconds): (u8, EventKind, i64),
) -> Event {
    let served_at = fixture.now() - TimeDelta::milliseconds(milliseconds);
    Event {
        kind: kind.into(),
        opportunity: vec![opportunity; 16],
        line_item_id,
        creative_id,
        position: "lead".to_owned(),
        served_at: Some(instant::to_proto(served_at)),
        is_bot: false,
        is_excess: false,
    }
}
