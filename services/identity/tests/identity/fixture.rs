//! The service under test.

use std::path::PathBuf;

use chassis::{
    blobs::S3Settings,
    error::{Code, Fault},
    keys::Keys,
    mail::SiteSettings,
    role::{Parts, Service},
};
use identity::{
    AuditSettings, CalendarSettings, FacebookSettings, GoogleSettings, Identity, PasswordSettings,
    RegisterSettings, Settings,
};
use identity_proto::v1::{
    AuthenticateRequest, RegisterRequest, RequireProofRequest, SessionStarted, SignInRequest,
    SignOutRequest, accounts_client::AccountsClient, calendar_feeds_client::CalendarFeedsClient,
    calendars_client::CalendarsClient, departures_client::DeparturesClient,
    facebook_logins_client::FacebookLoginsClient, identity_client::IdentityClient,
    passkeys_client::PasskeysClient,
};
use testkit::{
    calls,
    database::TestDatabase,
    facebook::{APP_ID, APP_SECRET},
    google::{CLIENT_ID, CLIENT_SECRET},
    parts::{TestParts, parts_on},
    service::{TestService, nowhere},
    until,
};

pub(crate) const PASSWORD: &str = "correct horse";

/// A replica of the service, on parts that other replicas can share.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) client: IdentityClient<chassis::rpc::Transport>,
    pub(crate) accounts: AccountsClient<chassis::rpc::Transport>,
    pub(crate) departures: DeparturesClient<chassis::rpc::Transport>,
    pub(crate) feeds: CalendarFeedsClient<chassis::rpc::Transport>,
    pub(crate) passkeys: PasskeysClient<chassis::rpc::Transport>,
    pub(crate) calendars: CalendarsClient<chassis::rpc::Transport>,
    pub(crate) facebook: FacebookLoginsClient<chassis::rpc::Transport>,
    _service: TestService,
}

/// A database with the service's schema.
pub(crate) async fn database() -> TestDatabase {
    TestDatabase::migrated("identity", async |settings| {
        Identity::SCHEMA.migrate(&settings).await
    })
    .await
}

/// The third parties of a site.
pub(crate) struct ThirdParties {
    pub(crate) calendar: CalendarSettings,
    pub(crate) facebook: FacebookSettings,
}

impl Default for ThirdParties {
    /// Third parties at addresses where no server listens.
    fn default() -> Self {
        let nobody = "http://127.0.0.1:1";
        Self {
            calendar: calendars_of(nobody),
            facebook: facebook_at(nobody),
        }
    }
}

/// Facebook settings for a stand-in at this address.
pub(crate) fn facebook_at(facebook: &str) -> FacebookSettings {
    FacebookSettings {
        app_id: APP_ID.to_owned(),
        app_secret: APP_SECRET.to_owned(),
        dialog_url: format!("{facebook}/dialog"),
        graph_url: format!("{facebook}/graph"),
    }
}

/// Calendar settings for a Google stand-in at this address.
pub(crate) fn calendars_of(google: &str) -> CalendarSettings {
    CalendarSettings {
        google: GoogleSettings {
            client_id: CLIENT_ID.to_owned(),
            client_secret: CLIENT_SECRET.to_owned(),
            authorization_url: format!("{google}/auth"),
            token_url: format!("{google}/token"),
            revocation_url: format!("{google}/revoke"),
            api_url: format!("{google}/calendar"),
        },
    }
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::on(parts_on(database().await)).await
    }

    /// The service on the test's own parts, which use [`database`].
    pub(crate) async fn on(parts: TestParts) -> Self {
        let keys = parts.shared().keys;
        Self::with(parts, keys, ThirdParties::default()).await
    }

    /// The service of a site with this address.
    pub(crate) async fn at(site_url: &str) -> Self {
        let parts = parts_on(database().await);
        let keys = parts.shared().keys;
        Self::start(parts, keys, ThirdParties::default(), site_url).await
    }

    /// The service with these system keys and the test's third parties.
    pub(crate) async fn with(parts: TestParts, keys: Keys, others: ThirdParties) -> Self {
        Self::start(parts, keys, others, "https://guide.test").await
    }

    async fn start(parts: TestParts, keys: Keys, others: ThirdParties, site_url: &str) -> Self {
        let passwords = PasswordSettings {
            max_threads: 0,
            max_memory_bytes: 1 << 30,
        };
        let settings = Settings {
            audit: AuditSettings { keep_days: 365 },
            passwords,
            site: SiteSettings {
                url: site_url.to_owned(),
                name: None,
                color: None,
            },
            calendar: others.calendar,
            facebook: others.facebook,
            erasures: RegisterSettings {
                folder: PathBuf::new(),
                s3: S3Settings::default(),
            },
        };
        // Calls to these services are tested with the whole system.
        let owners = ["bookmarks", "places", "editorial", "photos", "newsletters"];
        let owners = owners.map(|owner| (owner, nowhere(&parts)));
        let owners = owners.into_iter().collect();
        let shared = Parts {
            keys,
            ..parts.shared()
        };
        let role = Identity::create(shared, settings, owners)
            .await
            .expect("connects");
        let service = TestService::start(&parts, role).await;
        service.assert_ready().await;
        Self {
            client: IdentityClient::new(service.transport()),
            accounts: AccountsClient::new(service.transport()),
            departures: DeparturesClient::new(service.transport()),
            feeds: CalendarFeedsClient::new(service.transport()),
            passkeys: PasskeysClient::new(service.transport()),
            calendars: CalendarsClient::new(service.transport()),
            facebook: FacebookLoginsClient::new(service.transport()),
            parts,
            _service: service,
        }
    }

    /// Another replica on the same database, with an empty cache.
    pub(crate) async fn replica(&self) -> Self {
        Self::on(self.parts.clone().with_empty_cache()).await
    }

    pub(crate) async fn register(&self, email: &str) -> Result<SessionStarted, Fault> {
        self.register_with(registration(email)).await
    }

    /// Whether the reader of a session has proved their identity recently.
    pub(crate) async fn require_proof(&self, session: &SessionStarted) -> Result<(), Code> {
        let session_token = session.session_token.clone();
        let request = calls::reader(session.profile_id, RequireProofRequest { session_token });
        let answer = self.client.clone().require_proof(request).await;
        answer.map(drop).map_err(|status| Fault::from(status).code)
    }

    pub(crate) async fn register_with(
        &self,
        registration: RegisterRequest,
    ) -> Result<SessionStarted, Fault> {
        let answer = self
            .client
            .clone()
            .register(calls::guest(registration))
            .await?;
        Ok(answer.into_inner())
    }

    pub(crate) async fn sign_in(
        &self,
        email: &str,
        password: &str,
    ) -> Result<SessionStarted, Fault> {
        let request = SignInRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            device: "test".to_owned(),
        };
        Ok(self
            .client
            .clone()
            .sign_in(calls::guest(request))
            .await?
            .into_inner())
    }

    pub(crate) async fn sign_out(&self, session_token: &str) -> Result<(), Fault> {
        let request = SignOutRequest {
            session_token: session_token.to_owned(),
        };
        self.client.clone().sign_out(calls::guest(request)).await?;
        Ok(())
    }

    pub(crate) async fn authenticate(&self, session_token: &str) -> Result<i64, Fault> {
        let request = AuthenticateRequest {
            session_token: session_token.to_owned(),
        };
        let answer = self
            .client
            .clone()
            .authenticate(calls::guest(request))
            .await?;
        Ok(answer.into_inner().profile_id)
    }
}

impl Fixture {
    /// The only letter to an address whose subject contains `subject`, once it is sent; earlier letters are not
    /// removed, so each subject can be requested only once.
    pub(crate) async fn letter(&self, to: &str, subject: &str) -> String {
        let wanted = |letter: &String| {
            letter.contains(&format!("To: {to}\r\n"))
                && letter
                    .lines()
                    .any(|line| line.starts_with("Subject: ") && line.contains(subject))
        };
        until("the letter is sent", async || {
            self.parts.letters().into_iter().rfind(wanted)
        })
        .await
    }

    /// The number of sent and queued emails.
    pub(crate) async fn letters_in_all(&self) -> usize {
        let queued = "SELECT count(*) FROM identity.jobs";
        until("no job waits", async || {
            (self.parts.database.number(queued).await == 0).then_some(())
        })
        .await;
        self.parts.letters().len()
    }
}

/// The secret of the link in a letter.
pub(crate) fn secret(letter: &str) -> String {
    // Removes the soft line breaks of quoted-printable. The letter's plain text precedes its HTML.
    let text = letter.replace("=\r\n", "");
    let (_, after) = text.split_once("/accounts/").expect("a link");
    let (_, after) = after.split_once('#').expect("a secret");
    after
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        .collect()
}

pub(crate) fn registration(email: &str) -> RegisterRequest {
    RegisterRequest {
        full_name: "Ada King".to_owned(),
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
        password_repeat: PASSWORD.to_owned(),
        device: "test".to_owned(),
    }
}

/// Returns the reason for a refusal: the names of the invalid fields, or the code.
pub(crate) fn refusal(fault: &Fault) -> String {
    if fault.code == Code::Invalid {
        fields(fault).join(" ")
    } else {
        format!("{:?}", fault.code)
    }
}

/// Returns the names of the invalid fields.
pub(crate) fn fields(fault: &Fault) -> Vec<&str> {
    let mut names: Vec<&str> = fault
        .fields
        .iter()
        .map(|error| error.field.as_str())
        .collect();
    names.sort_unstable();
    names
}
