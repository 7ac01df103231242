//! The section of the settings that newsletters reads.

use std::{collections::BTreeMap, path::PathBuf};

use chassis::{
    email::Email,
    error::{Code, Fault},
    limits::Rate,
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
    /// `site.url`, the address that readers see: links in mails lead there.
    pub site_url: String,
    /// The name by which mails call the site, unless `mail.from` has one; `None`: its host.
    pub site_name: Option<String>,
    /// The site's zone, by whose clocks issues are due; `None`: UTC.
    pub timezone: Option<Tz>,
}

/// `[newsletters]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewsletterSettings {
    /// Mails within a day that ask one mailbox to confirm; further requests are kept without one.
    pub confirmations_per_day: u32,
    /// Days that evidence of a consent is kept after it was withdrawn.
    pub keep_consents_days: u32,
    /// Where the publisher can be written to by post: the laws of many countries want it in each newsletter. Issues are
    /// made by the timetable only if it is set.
    pub postal_address: String,
    /// When the issues of each newsletter are made, by the site's clocks: `"06:30"` for a daily one, `"thu 09:00"` for a
    /// weekly one. A newsletter without has no issues but those that are scheduled by hand.
    pub timetable: BTreeMap<String, String>,
    /// The sections of articles that a newsletter brings, by their slugs.
    pub sections: BTreeMap<String, Vec<String>>,
    /// Days that it is kept what became of an issue for each of its recipients.
    pub keep_deliveries_days: u32,
    /// Where letters come back to that cannot be delivered after all: `bounces@guide.example`. Each letter adds a tag of its
    /// own, as in `bounces+1-2-0123456789abcdef@guide.example`. Empty: to the sender of the site's mail, unread.
    pub return_path: String,
    /// The Maildir that a mail server on this machine puts those into; they are read and deleted. Empty: none.
    pub returned_mail: PathBuf,
    /// Whether it is counted how often each link of an issue is followed, of all readers together and without who they are.
    pub count_clicks: bool,
    /// How many letters the servers of a domain get in which time: `"gmail.com" = "600/min"`, `"*"` for all others.
    pub paces: BTreeMap<String, Rate>,
    /// `[newsletters.webhooks]`.
    pub webhooks: WebhookSettings,
}

/// `[newsletters.webhooks]` of the settings: the secrets of those who report bounces and complaints. Without its secret a
/// provider is none.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// Of a program that signs its reports; a secret, may come from `newsletters.webhooks.generic_file`.
    pub generic: String,
    /// Mailgun's HTTP webhook signing key; a secret, may come from `newsletters.webhooks.mailgun_file`.
    pub mailgun: String,
    /// The password that Postmark sends; a secret, may come from `newsletters.webhooks.postmark_file`.
    pub postmark: String,
    /// The ARN of the topic of Amazon SNS to which SES reports.
    pub ses: String,
    /// Where SNS answers. Empty: at Amazon, in the topic's region.
    pub sns_url: String,
}

impl std::fmt::Debug for WebhookSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookSettings").finish_non_exhaustive()
    }
}

/// Those who report what became of letters.
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

    /// The one of a provider, if the site has it.
    pub(crate) fn get(&self, provider: Provider) -> Option<&Reporter> {
        let found = self.0.iter().find(|(known, _)| *known == provider);
        found.map(|(_, reporter)| reporter)
    }
}

impl NewsletterSettings {
    /// Refuses invalid settings.
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

/// When the issues of each kind are made.
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

/// The sections of articles that each kind brings.
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
