//! The service's interface to the process.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    mail,
    postgres::{Part, ReplayConsumer, Schema},
    role::{Callees, Core, Parts, Role, Service},
    sealed::Sealer,
};
use cityguide_proto::{Contract, exchange, key};
use identity_proto::v1::{
    accounts_server::AccountsServer, calendar_feeds_server::CalendarFeedsServer,
    calendars_server::CalendarsServer, departures_server::DeparturesServer,
    facebook_logins_server::FacebookLoginsServer, identity_server::IdentityServer,
    passkeys_server::PasskeysServer,
};
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{
    consumers::{LastUpdatedConsumer, PhotoRefusedConsumer, calendar_bookmark_changed},
    context::Context,
    domain::{FeedSecrets, PasswordHasher, Pseudonyms, RelyingParty, Signer, Site},
    facebook::Facebook,
    google::Google,
    grpc::Api,
    jobs::{
        erase,
        last_backup::measure_backup,
        password_reset,
        purge::{
            purge_audit, purge_calendars, purge_ceremonies, purge_links, purge_receipts,
            purge_sessions,
        },
        third_parties,
    },
    owners::Owners,
    register::Register,
    settings::Settings,
    usecases::{calendar_grant::reseal, change_profile::replay_names},
};

/// The interval at which the age of the last backup is measured.
const MINUTE: Duration = Duration::from_mins(1);

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "identity",
    own: &MIGRATOR,
    parts: &[Part::Erased, Part::Events, Part::Jobs],
};

/// The identity service.
#[derive(Debug)]
pub struct Identity {
    core: Core,
    context: Context,
    background: Context,
    owners: Owners,
    /// The maximum duration of a reader's call.
    longest_request: Duration,
}

#[async_trait]
impl Service for Identity {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    const CONTRACT: Contract = identity_proto::CONTRACT;
    /// These services erase departed readers' data, and return data for readers' calendars.
    const CALLS: &'static [&'static str] = Owners::NAMES;
    const SENDS_MAIL: bool = true;
    /// Mails contain the site's name.
    const READS_SITE_FILE: bool = true;
    const CALLS_THIRD_PARTIES: bool = true;
    type Settings = Settings;

    async fn create(
        parts: Parts,
        settings: Self::Settings,
        callees: Callees,
    ) -> Result<Self, Fault> {
        let longest_request = parts.longest_request;
        let (cache, entropy) = (Arc::clone(&parts.cache), Arc::clone(&parts.entropy));
        let core = Core::open(&SCHEMA, parts).await?;
        let passwords = PasswordHasher::new(&settings.passwords, entropy.as_ref())?;
        let feed_secrets = FeedSecrets::new(&core.keys());
        let pseudonyms = Pseudonyms::new(&core.keys());
        let audit_kept = settings.audit.kept();
        let signer = Arc::new(Signer::new(&core.keys()));
        let sealer = Sealer::new(&core.keys(), "calendar tokens")?;
        let site = Site(mail::Site::new(&settings.site, &core.post())?);
        let google = Google::new(&settings.calendar.google, &site.origin)?;
        let facebook = Facebook::new(&settings.facebook, &site.origin, &core.keys())?;
        let register = Register::open(&settings.erasures, &core.keys())?;
        let relying_party = RelyingParty::new(&site, &core.keys())?.map(Arc::new);
        let context = |pool: &PgPool| Context {
            pool: pool.clone(),
            site: site.clone(),
            jobs: core.jobs.clone(),
            outbox: core.outbox.clone(),
            cache: Arc::clone(&cache),
            clock: core.clock(),
            passwords: passwords.clone(),
            feed_secrets: feed_secrets.clone(),
            relying_party: relying_party.clone(),
            pseudonyms: pseudonyms.clone(),
            audit_kept,
            sealer: sealer.clone(),
            google: google.clone(),
            facebook: facebook.clone(),
            signer: Arc::clone(&signer),
            register: register.clone(),
            entropy: Arc::clone(&entropy),
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            core,
            owners: Owners::connect(&callees)?,
            longest_request,
        })
    }
}

#[async_trait]
impl Role for Identity {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = Api {
            context: self.context.clone(),
            owners: self.owners.clone(),
        };
        Routes::new(IdentityServer::new(api.clone()))
            .add_service(AccountsServer::new(api.clone()))
            .add_service(CalendarFeedsServer::new(api.clone()))
            .add_service(CalendarsServer::new(api.clone()))
            .add_service(DeparturesServer::new(api.clone()))
            .add_service(FacebookLoginsServer::new(api.clone()))
            .add_service(PasskeysServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let consumer = LastUpdatedConsumer::new(self.background.clone());
        let queue = LastUpdatedConsumer::QUEUE;
        self.core
            .consume(queue, exchange::LAST_UPDATES, "#", consumer)
            .await?;
        let background = self.background.clone();
        let calendar = calendar_bookmark_changed::calendar_bookmark_changed(background);
        let (queue, key) = (
            calendar_bookmark_changed::QUEUE,
            key::CALENDAR_BOOKMARK_CHANGED,
        );
        self.core
            .consume(queue, exchange::CALENDAR, key, calendar)
            .await?;
        let refused = PhotoRefusedConsumer::new(self.background.clone());
        let (queue, key) = (PhotoRefusedConsumer::QUEUE, key::PHOTO_REFUSED);
        self.core
            .consume(queue, exchange::PHOTOS, key, refused)
            .await?;
        let context = self.background.clone();
        let names = ReplayConsumer::new(move |since| {
            let context = context.clone();
            async move { replay_names(&context, since).await }
        });
        let (queue, key) = ("identity.name_replays", exchange::LIFECYCLE);
        self.core.consume(queue, exchange::REPLAY, key, names).await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        let (core, context) = (&self.core, &self.background);
        core.send_mail(life);
        core.run_jobs(
            life,
            password_reset::POLICY,
            context,
            password_reset::reset_password,
        );
        let with_owners = (context.clone(), self.owners.clone(), self.longest_request);
        core.run_jobs(life, erase::POLICY, &with_owners, erase::erase_account);
        core.run_jobs(life, erase::POLICY, context, erase::register_erasure);
        core.run_jobs(life, erase::POLICY, context, erase::repeat_erasure);
        self.start_third_party_jobs(life);
        let periodic = &self.core.periodic;
        periodic.every(
            life,
            "measure the age of the backup",
            MINUTE,
            context,
            measure_backup,
        );
        periodic.hourly(
            life,
            "purge ended sessions",
            &self.background,
            purge_sessions,
        );
        periodic.hourly(life, "purge mailed links", &self.background, purge_links);
        periodic.hourly(
            life,
            "purge passkeys' ceremonies",
            &self.background,
            purge_ceremonies,
        );
        periodic.hourly(life, "purge receipts", &self.background, purge_receipts);
        periodic.hourly(life, "purge the audit log", &self.background, purge_audit);
    }
}

impl Identity {
    fn start_third_party_jobs(&self, life: &Lifecycle) {
        let context = &self.background;
        let with_owners = (context.clone(), self.owners.clone());
        let (core, policy) = (&self.core, third_parties::POLICY);
        core.run_jobs(life, policy, &with_owners, third_parties::sync);
        core.run_jobs(life, policy, &with_owners, third_parties::save);
        core.run_jobs(life, policy, context, third_parties::revoke_grant);
        core.run_jobs(life, policy, context, third_parties::disconnect_facebook);
        let periodic = &self.core.periodic;
        periodic.hourly(life, "purge calendars", context, purge_calendars);
        periodic.hourly(
            life,
            "encrypt calendar tokens with the first key",
            context,
            reseal,
        );
    }
}
