//! The service under test.

use std::{collections::BTreeMap, path::PathBuf};

use chassis::{
    error::Fault,
    role::{Callees, Service},
    rpc::Transport,
};
use newsletters::{NewsletterSettings, Newsletters, Settings, WebhookSettings};
use newsletters_proto::v1::{
    self as proto, ChangePreferencesRequest, ChangeSettingsRequest, Choice, ConfirmRequest,
    Confirmation, Draft, GetConfirmationRequest, GetPreferencesRequest, GetSettingsRequest,
    Preferences, ScheduleIssueRequest, ShowConsentsRequest, ShowConsentsResponse, SubscribeRequest,
    consents_client::ConsentsClient, issues_client::IssuesClient,
    mailed_links_client::MailedLinksClient, newsletters_client::NewslettersClient,
    readers_client::ReadersClient, reports_client::ReportsClient,
};
use testkit::{
    calls,
    database::TestDatabase,
    parts::{TestParts, parts_on, site},
    service::{TestService, nowhere},
    until,
};
use vocabulary::newsletters::Kind;

pub(crate) const ADA: i64 = 1;
/// The secret of the mail program that reports deliveries.
pub(crate) const WEBHOOK_SECRET: &str = "a secret of the test";
pub(crate) const ADDRESS: &str = "ada@example.com";

/// The service with its consumers and jobs.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) client: NewslettersClient<Transport>,
    pub(crate) links: MailedLinksClient<Transport>,
    pub(crate) consents: ConsentsClient<Transport>,
    pub(crate) readers: ReadersClient<Transport>,
    pub(crate) issues: IssuesClient<Transport>,
    pub(crate) reports: ReportsClient<Transport>,
    service: TestService,
}

/// The default settings, with which the timetable makes no issues.
pub(crate) fn settings() -> Settings {
    let timetable = [("news", "06:30"), ("foods", "fri 11:00")];
    let sections = [("foods", "food")];
    Settings {
        newsletters: NewsletterSettings {
            confirmations_per_day: 3,
            keep_consents_days: 1_095,
            keep_deliveries_days: 400,
            postal_address: String::new(),
            return_path: String::new(),
            returned_mail: PathBuf::new(),
            count_clicks: false,
            paces: BTreeMap::new(),
            webhooks: WebhookSettings {
                generic: WEBHOOK_SECRET.to_owned(),
                ..WebhookSettings::default()
            },
            timetable: timetable
                .map(|(kind, times)| (kind.to_owned(), times.to_owned()))
                .into(),
            sections: sections
                .map(|(kind, slug)| (kind.to_owned(), vec![slug.to_owned()]))
                .into(),
        },
        site: site(),
        timezone: Some(chrono_tz::America::Toronto),
    }
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let migrate = async |settings| Newsletters::SCHEMA.migrate(&settings).await;
        let parts = parts_on(TestDatabase::migrated("newsletters", migrate).await);
        let callees = ["places", "editorial", "bookmarks"].map(|owner| (owner, nowhere(&parts)));
        Self::on(parts, settings(), callees.into_iter().collect()).await
    }

    /// The service on these parts.
    pub(crate) async fn on(parts: TestParts, settings: Settings, callees: Callees) -> Self {
        let fixture = Self::idle_on(parts, settings, callees).await;
        fixture.service.run().await;
        fixture
    }

    /// The service on these parts without jobs: it only answers calls.
    pub(crate) async fn idle_on(parts: TestParts, settings: Settings, callees: Callees) -> Self {
        let role = Newsletters::create(parts.shared(), settings, callees).await;
        let service = TestService::without_background(&parts, role.expect("connects"));
        Self {
            client: NewslettersClient::new(service.transport()),
            links: MailedLinksClient::new(service.transport()),
            consents: ConsentsClient::new(service.transport()),
            readers: ReadersClient::new(service.transport()),
            issues: IssuesClient::new(service.transport()),
            reports: ReportsClient::new(service.transport()),
            parts,
            service,
        }
    }

    /// Runs all due work of the service.
    pub(crate) async fn drain(&self) {
        self.service.drain().await;
    }

    /// The transport, for clients that only a few tests need.
    pub(crate) fn transport(&self) -> Transport {
        self.service.transport()
    }

    /// Requests newsletters as a guest.
    pub(crate) async fn ask(&self, email: &str, kinds: &[Kind]) -> Result<(), Fault> {
        let request = SubscribeRequest {
            email: email.to_owned(),
            choices: kinds.iter().map(|kind| choice(*kind, true)).collect(),
            origin: Some(origin("form")),
        };
        self.client.clone().subscribe(calls::guest(request)).await?;
        Ok(())
    }

    /// Requests newsletters, and returns the secret of the mailed link.
    pub(crate) async fn ask_for_link(&self, email: &str, kinds: &[Kind]) -> String {
        let before = self.secrets("confirm");
        self.ask(email, kinds).await.expect("asks");
        let new = until("a request to confirm", async || {
            let secrets = self.secrets("confirm");
            secrets.into_iter().find(|secret| !before.contains(secret))
        });
        new.await
    }

    /// The secrets of the links to a page in the mail so far.
    pub(crate) fn secrets(&self, page: &str) -> Vec<String> {
        let start = format!("/newsletters/{page}/");
        let mut all = Vec::new();
        for letter in self.parts.letters() {
            // Long lines are folded (RFC 2045, 6.7).
            let letter = letter.replace("=\r\n", "").replace("=\n", "");
            let secret = letter.split(&start).nth(1);
            all.extend(
                secret
                    .and_then(|rest| rest.split('/').next())
                    .map(str::to_owned),
            );
        }
        all
    }

    pub(crate) async fn get_confirmation(&self, token: &str) -> Result<Confirmation, Fault> {
        let request = calls::guest(GetConfirmationRequest {
            token: token.to_owned(),
        });
        Ok(self
            .links
            .clone()
            .get_confirmation(request)
            .await?
            .into_inner())
    }

    pub(crate) async fn confirm(&self, token: &str) -> Result<Confirmation, Fault> {
        let request = calls::guest(ConfirmRequest {
            token: token.to_owned(),
        });
        Ok(self.links.clone().confirm(request).await?.into_inner())
    }

    /// Subscribes a guest; returns the token in the welcome mail.
    pub(crate) async fn subscribe(&self, email: &str, kinds: &[Kind]) -> String {
        let link = self.ask_for_link(email, kinds).await;
        let before = self.secrets("preferences");
        self.confirm(&link).await.expect("confirms");
        let token = until("a welcome", async || {
            let tokens = self.secrets("preferences");
            let is_new = tokens.len() > before.len();
            tokens.into_iter().next_back().filter(|_| is_new)
        });
        token.await
    }

    pub(crate) async fn preferences(&self, token: &str) -> Result<Preferences, Fault> {
        let request = calls::guest(GetPreferencesRequest {
            token: token.to_owned(),
        });
        Ok(self
            .links
            .clone()
            .get_preferences(request)
            .await?
            .into_inner())
    }

    pub(crate) async fn prefer(
        &self,
        token: &str,
        choices: Vec<Choice>,
    ) -> Result<Vec<String>, Fault> {
        let request = calls::guest(ChangePreferencesRequest {
            token: token.to_owned(),
            choices,
            origin: Some(origin("preferences")),
        });
        let changed = self.links.clone().change_preferences(request).await?;
        Ok(on(changed.into_inner().settings))
    }

    /// The newsletters that are on, according to a token.
    pub(crate) async fn on_by_token(&self, token: &str) -> Vec<String> {
        on(self.preferences(token).await.expect("a token").settings)
    }

    /// The settings of a reader without a confirmed address.
    pub(crate) async fn settings(&self, reader: i64) -> Vec<String> {
        self.settings_of(reader, "").await
    }

    /// The settings of a reader with a confirmed address.
    pub(crate) async fn settings_of(&self, reader: i64, verified_email: &str) -> Vec<String> {
        let verified_email = verified_email.to_owned();
        let request = calls::reader(reader, GetSettingsRequest { verified_email });
        let found = self.client.clone().get_settings(request).await;
        found.expect("answers").into_inner().on
    }

    /// Changes a reader's settings.
    pub(crate) async fn change(
        &self,
        reader: i64,
        (email, is_email_verified): (&str, bool),
        choices: Vec<Choice>,
    ) -> Vec<String> {
        let request = calls::reader(
            reader,
            ChangeSettingsRequest {
                choices,
                origin: Some(origin("settings")),
                email: email.to_owned(),
                is_email_verified,
            },
        );
        let changed = self.client.clone().change_settings(request).await;
        changed.expect("changes").into_inner().on
    }

    /// Schedules an issue for readers of contests, to be sent immediately.
    pub(crate) async fn print(&self, name: &str, subject: &str) {
        let request = calls::operator(ScheduleIssueRequest {
            kind: Kind::Contests.name().to_owned(),
            name: name.to_owned(),
            draft: Some(Draft {
                subject: subject.to_owned(),
                preheader: "Until Friday".to_owned(),
                text_markdown: "It is *red*.".to_owned(),
            }),
            send_at: None,
        });
        let scheduled = self.issues.clone().schedule_issue(request).await;
        scheduled.expect("schedules");
    }

    /// The data about an address that operators see.
    pub(crate) async fn known(&self, email: &str) -> ShowConsentsResponse {
        let request = calls::operator(ShowConsentsRequest {
            email: email.to_owned(),
        });
        let known = self.consents.clone().show_consents(request).await;
        known.expect("answers").into_inner()
    }

    /// The acts in the ledger about an address: `given news`.
    pub(crate) async fn acts(&self, email: &str) -> Vec<String> {
        let entries = self.known(email).await.entries.into_iter();
        let act = |entry: proto::ConsentEntry| format!("{} {}", entry.act, entry.kind);
        entries
            .map(|entry| act(entry).trim_end().to_owned())
            .collect()
    }
}

fn on(settings: Option<proto::Settings>) -> Vec<String> {
    settings.expect("settings").on
}

pub(crate) fn origin(way: &str) -> proto::Origin {
    proto::Origin {
        page: "/foods/pai/".to_owned(),
        way: way.to_owned(),
    }
}

pub(crate) fn choice(kind: Kind, is_on: bool) -> Choice {
    Choice {
        kind: kind.name().to_owned(),
        is_on,
        wording: if is_on {
            kind.consent("City Guide")
        } else {
            String::new()
        },
    }
}
