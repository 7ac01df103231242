//! The site that sends the mails.

use std::{collections::BTreeMap, path::PathBuf};

use chassis::{
    email::Email,
    error::{Code, Fault},
    limits::Rate,
    mail::SiteSettings,
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::newsletters::Kind;

use crate::{
    domain::Times,
    providers::{Provider, Reporter, Topic},
};

/// The settings of newsletters.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `[newsletters]`.
    pub newsletters: NewsletterSettings,
    /// The site, for its mails.
    pub site: SiteSettings,
    /// The site's time zone, which determines when issues are due; `None` for UTC.
    pub timezone: Option<Tz>,
}

/// `[newsletters]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewsletterSettings {
    /// Maximum number of confirmation emails per mailbox and day; further requests are stored without sending an email.
    pub confirmations_per_day: u32,
    /// Days for which evidence of a consent is kept after its withdrawal.
    pub keep_consents_days: u32,
    /// Postal address of the publisher, which the laws of many countries require in each newsletter. Without it, no
    /// issues are sent by the timetable.
    pub postal_address: String,
    /// When the issues of each newsletter are sent, in the site's time zone: `"06:30"` for a daily newsletter,
    /// `"thu 09:00"` for a weekly one. Newsletters without an entry have only manually scheduled issues.
    pub timetable: BTreeMap<String, String>,
    /// Slugs of the article sections that each newsletter contains.
    pub sections: BTreeMap<String, Vec<String>>,
    /// Days for which the outcome of an issue for each recipient is kept.
    pub keep_deliveries_days: u32,
    /// Return address for undeliverable emails: `bounces@guide.example`. Each email adds its own tag, as in
    /// `bounces+1-2-0123456789abcdef@guide.example`. If empty, undeliverable emails are returned to the sender of the
    /// site's emails and not processed.
    pub return_path: String,
    /// Maildir into which a mail server on this machine delivers returned emails, which are processed and deleted.
    /// Empty for none.
    pub returned_mail: PathBuf,
    /// Whether to count clicks on each link of an issue, in total and without identifying readers.
    pub count_clicks: bool,
    /// Maximum rate of emails per domain: `"gmail.com" = "600/min"`, `"*"` for all others.
    pub paces: BTreeMap<String, Rate>,
    /// `[newsletters.webhooks]`.
    pub webhooks: WebhookSettings,
}

/// `[newsletters.webhooks]` of the settings: secrets of providers that report bounces and complaints. A provider
/// without a secret is disabled.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// Secret of a program that signs its reports; may come from `newsletters.webhooks.generic_file`.
    pub generic: String,
    /// Mailgun's HTTP webhook signing key, a secret; may come from `newsletters.webhooks.mailgun_file`.
    pub mailgun: String,
    /// The password that Postmark sends, a secret; may come from `newsletters.webhooks.postmark_file`.
    pub postmark: String,
    /// ARN of the Amazon SNS topic to which SES reports.
    pub ses: String,
    /// Address of SNS. If empty, Amazon's address in the topic's region.
    pub sns_url: String,
}

chassis::opaque_debug!(WebhookSettings);

/// Configured providers of delivery reports.
#[derive(Debug)]
pub(crate) struct Reporters(Vec<(Provider, Reporter)>);

impl Reporters {
    pub(crate) fn new(settings: &WebhookSettings) -> Result<Self, Fault> {
        let mut all = Vec::new();
        let mut by_secret = |provider, secret: &String, reporter: fn(String) -> Reporter| {
            if !secret.is_empty() {
                all.push((provider, reporter(secret.clone())));
            }
        };
        by_secret(Provider::Generic, &settings.generic, Reporter::Generic);
        by_secret(Provider::Mailgun, &settings.mailgun, Reporter::Mailgun);
        by_secret(Provider::Postmark, &settings.postmark, Reporter::Postmark);
        if !settings.ses.is_empty() {
            let topic = Topic::new(&settings.ses, &settings.sns_url)?;
            all.push((Provider::Ses, Reporter::Ses(topic)));
        }
        Ok(Self(all))
    }

    /// Returns the reporter of a provider, if it is configured.
    pub(crate) fn get(&self, provider: Provider) -> Option<&Reporter> {
        let found = self.0.iter().find(|(known, _)| *known == provider);
        found.map(|(_, reporter)| reporter)
    }
}

impl NewsletterSettings {
    /// Rejects invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        for (name, value) in [
            ("confirmations_per_day", self.confirmations_per_day),
            ("keep_consents_days", self.keep_consents_days),
            ("keep_deliveries_days", self.keep_deliveries_days),
        ] {
            if value == 0 {
                let message = format!("settings: newsletters.{name} must be 1 or more");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        let is_plain = Email::parse(&self.return_path).is_ok() && !self.return_path.contains('+');
        if !self.return_path.is_empty() && !is_plain {
            let message = "settings: newsletters.return_path must be an address without a +";
            return Err(Fault::new(Code::Invalid, message));
        }
        if self.return_path.is_empty() && !self.returned_mail.as_os_str().is_empty() {
            let message =
                "settings: newsletters.return_path is missing: newsletters.returned_mail is set";
            return Err(Fault::new(Code::Invalid, message));
        }
        Timetable::new(self)?;
        Sections::new(self)?;
        Reporters::new(&self.webhooks)?;
        Ok(())
    }

    pub(crate) fn keep_deliveries(&self) -> TimeDelta {
        TimeDelta::days(self.keep_deliveries_days.into())
    }

    pub(crate) fn keep_consents(&self) -> TimeDelta {
        TimeDelta::days(self.keep_consents_days.into())
    }
}

fn kind(table: &str, name: &str) -> Result<Kind, Fault> {
    Kind::named(name).ok_or_else(|| refusal(table, name, "is no newsletter"))
}

fn refusal(table: &str, name: &str, why: &str) -> Fault {
    let message = format!("settings: newsletters.{table}.{name} {why}");
    Fault::new(Code::Invalid, message)
}

/// The scheduled times of each newsletter's issues.
#[derive(Debug, Clone)]
pub(crate) struct Timetable(Vec<(Kind, Times)>);

impl Timetable {
    pub(crate) fn new(settings: &NewsletterSettings) -> Result<Self, Fault> {
        let mut all = Vec::new();
        let named = settings.timetable.iter();
        for (name, times) in named.filter(|(_, times)| !times.is_empty()) {
            let kind = kind("timetable", name)?;
            let times = Times::parse(kind, times);
            all.push((kind, times.map_err(|why| refusal("timetable", name, &why))?));
        }
        Ok(Self(all))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Kind, Times)> {
        self.0.iter()
    }

    pub(crate) fn get(&self, kind: Kind) -> Option<Times> {
        let found = self.0.iter().find(|(known, _)| *known == kind);
        found.map(|(_, times)| *times)
    }
}

/// The article sections of each newsletter.
#[derive(Debug, Clone)]
pub(crate) struct Sections(Vec<(Kind, Vec<String>)>);

impl Sections {
    pub(crate) fn new(settings: &NewsletterSettings) -> Result<Self, Fault> {
        let all = settings.sections.iter();
        let all = all.map(|(name, slugs)| Ok((kind("sections", name)?, slugs.clone())));
        Ok(Self(all.collect::<Result<_, Fault>>()?))
    }

    pub(crate) fn get(&self, kind: Kind) -> &[String] {
        let found = self.0.iter().find(|(known, _)| *known == kind);
        found.map_or(&[], |(_, slugs)| slugs.as_slice())
    }
}
