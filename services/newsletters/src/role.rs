//! The service's interface for the process.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    mail,
    postgres::{Part, Schema},
    role::{Callees, Core, Parts, Role, Service},
};
use chrono_tz::Tz;
use cityguide_proto::{Contract, exchange, key};
use moka::future::Cache;
use newsletters_proto::v1::{
    archive_server::ArchiveServer, consents_server::ConsentsServer, issues_server::IssuesServer,
    mailed_links_server::MailedLinksServer, newsletters_server::NewslettersServer,
    readers_server::ReadersServer, reports_server::ReportsServer,
    third_parties_server::ThirdPartiesServer,
};
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{
    consumers::profile_changed,
    context::{Context, KEPT_PAGES},
    domain::{Addresses, Paces, ReturnPath, Site},
    editorial::Editorial,
    grpc::Api,
    jobs,
    returned::Mailbox,
    settings::{Reporters, Sections, Settings, Timetable},
    store::address_key,
    usecases::{
        evidence::link_entries,
        purge::{purge_consents, purge_deliveries, purge_guests, purge_paces, purge_requests},
        returned::take_returned,
        timetable::enter_due_issues,
    },
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "newsletters",
    own: &MIGRATOR,
    parts: &[Part::Erased, Part::Events, Part::Jobs],
};

/// Maximum time for which a ledger entry may be unlinked.
const UNLINKED: Duration = Duration::from_secs(5);
/// Interval between checks of the timetable.
const LOOKED_AT: Duration = Duration::from_secs(5);

/// Interval between checks for returned mail.
const RETURNED: Duration = Duration::from_secs(5);

/// The newsletters service.
#[derive(Debug)]
pub struct Newsletters {
    core: Core,
    context: Context,
    background: Context,
}

#[async_trait]
impl Service for Newsletters {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    const CONTRACT: Contract = newsletters_proto::CONTRACT;
    /// These services return the content published since the last issue.
    const CALLS: &'static [&'static str] = Editorial::NAMES;
    const SENDS_MAIL: bool = true;
    /// Issues are sent according to the site's time zone.
    const READS_SITE_FILE: bool = true;
    type Settings = Settings;

    async fn create(parts: Parts, settings: Settings, callees: Callees) -> Result<Self, Fault> {
        settings.newsletters.validate()?;
        let timetable = Arc::new(Timetable::new(&settings.newsletters)?);
        let sections = Arc::new(Sections::new(&settings.newsletters)?);
        let reporters = Arc::new(Reporters::new(&settings.newsletters.webhooks)?);
        let entropy = Arc::clone(&parts.entropy);
        let core = Core::open(&SCHEMA, parts).await?;
        let mut fresh = [0; 32];
        entropy.fill(&mut fresh);
        let key = address_key::ensure(&core.pools.calls, &fresh).await?;
        let addresses = Addresses::new(&key);
        let site = Site {
            sender: mail::Site::new(&settings.site, &core.post())?,
            postal_address: settings.newsletters.postal_address.clone(),
            mark: addresses.mark(),
            counts_clicks: settings.newsletters.count_clicks,
        };
        let zone = settings.timezone.unwrap_or_else(|| {
            tracing::warn!("no site file (site.file): issues are scheduled in UTC");
            Tz::UTC
        });
        let editorial = Editorial::connect(&callees, zone)?;
        let return_path = ReturnPath::new(&settings.newsletters.return_path, &addresses);
        let paces = Arc::new(Paces::new(&settings.newsletters.paces));
        let kept = Cache::new(KEPT_PAGES);
        let context = |pool: &PgPool| Context {
            pool: pool.clone(),
            jobs: core.jobs.clone(),
            outbox: core.outbox.clone(),
            clock: core.clock(),
            entropy: Arc::clone(&entropy),
            site: site.clone(),
            addresses: addresses.clone(),
            confirmations_per_day: settings.newsletters.confirmations_per_day.into(),
            keep_consents: settings.newsletters.keep_consents(),
            keep_deliveries: settings.newsletters.keep_deliveries(),
            editorial: editorial.clone(),
            post: core.post(),
            timetable: Arc::clone(&timetable),
            sections: Arc::clone(&sections),
            reporters: Arc::clone(&reporters),
            return_path: return_path.clone(),
            mailbox: Mailbox::at(&settings.newsletters.returned_mail),
            paces: Arc::clone(&paces),
            pages: kept.clone(),
            zone,
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            core,
        })
    }
}

#[async_trait]
impl Role for Newsletters {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = Api {
            context: self.context.clone(),
        };
        Routes::new(NewslettersServer::new(api.clone()))
            .add_service(MailedLinksServer::new(api.clone()))
            .add_service(ConsentsServer::new(api.clone()))
            .add_service(ReadersServer::new(api.clone()))
            .add_service(IssuesServer::new(api.clone()))
            .add_service(ArchiveServer::new(api.clone()))
            .add_service(ReportsServer::new(api.clone()))
            .add_service(ThirdPartiesServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let addresses = profile_changed::profile_changed(self.background.clone());
        let (queue, key) = (profile_changed::QUEUE, key::PROFILE_CHANGED);
        self.core
            .consume(queue, exchange::LIFECYCLE, key, addresses)
            .await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        let context = &self.background;
        let core = &self.core;
        core.send_mail(life);
        core.run_jobs(life, jobs::ASK_TO_CONFIRM, context, jobs::ask_to_confirm);
        self.start_issues(life);
        let periodic = &self.core.periodic;
        periodic.every(life, "link consents", UNLINKED, context, link_entries);
        periodic.hourly(
            life,
            "purge requests for newsletters",
            context,
            purge_requests,
        );
        periodic.hourly(
            life,
            "purge guests without newsletters",
            context,
            purge_guests,
        );
        periodic.hourly(life, "purge evidence of consent", context, purge_consents);
        periodic.hourly(life, "purge paces of domains", context, purge_paces);
        periodic.hourly(
            life,
            "purge deliveries of newsletters",
            context,
            purge_deliveries,
        );
    }
}

impl Newsletters {
    /// Starts the jobs that compose and send issues.
    fn start_issues(&self, life: &Lifecycle) {
        let (core, context) = (&self.core, &self.background);
        core.run_jobs(life, jobs::COMPOSE_ISSUE, context, jobs::compose_issue);
        core.run_jobs(life, jobs::LIST_RECIPIENTS, context, jobs::list_recipients);
        core.run_jobs(life, jobs::SEND_ISSUE, context, jobs::send_issue);
        if core.is_copy {
            return;
        }
        if context.mailbox.is_some() {
            let (name, often) = ("take returned newsletters", RETURNED);
            core.periodic
                .every(life, name, often, context, take_returned);
        }
        if context.site.postal_address.is_empty() {
            tracing::warn!("newsletters.postal_address is not set: the timetable sends no issues");
            return;
        }
        core.periodic.every(
            life,
            "enter due issues",
            LOOKED_AT,
            context,
            enter_due_issues,
        );
    }
}
