//! Mail providers' reports: undeliverable addresses receive no more emails, and complaints end all subscriptions.

use chassis::{email::Email, error::Fault};
use vocabulary::newsletters::Kind;

use super::choose;
use crate::{
    context::Context,
    domain::{Choice, Choices, Origin, Way, issue::Fate},
    error::Error,
    providers::{Event, Provider, Report, Reported},
    store::{deliveries, subscribers, suppressions},
};

/// Processes a report. A repetition has no effect.
///
/// # Errors
/// `NotFound` if the provider is not configured; otherwise the errors of [`Report::read`].
pub(crate) async fn report(
    context: &Context,
    provider: &str,
    report: &Report<'_>,
) -> Result<(), Error> {
    let provider = Provider::named(provider).ok_or_else(Fault::not_found)?;
    let reporter = context.reporters.get(provider);
    let reporter = reporter.ok_or_else(Fault::not_found)?;
    for reported in report.read(reporter, context.clock.now()).await? {
        take(context, &reported).await?;
    }
    Ok(())
}

async fn take(context: &Context, reported: &Reported) -> Result<(), Error> {
    // An invalid address has no subscriber.
    let Ok(email) = Email::parse(&reported.email) else {
        return Ok(());
    };
    let (key, now) = (email.key(), context.clock.now());
    let (reason, fate) = match reported.event {
        Event::Bounced => ("bounced", Fate::Bounced),
        Event::Complained => ("complained", Fate::Complained),
    };
    let mut transaction = context.pool.begin().await?;
    let address = context.addresses.hash(&key);
    suppressions::insert(&mut transaction, &[address], reason, now).await?;
    deliveries::mark_last(&mut transaction, &key, fate, now).await?;
    if reported.event == Event::Complained {
        let off: Choices = Kind::ALL.map(|kind| (kind, Choice::Off)).into();
        let origin = Origin {
            page: String::new(),
            way: Way::Complaint,
        };
        let reader = subscribers::lock_reader(&mut transaction, &key).await?;
        let guest = subscribers::lock_guest(&mut transaction, &key).await?;
        for subscriber in reader.iter().chain(&guest) {
            choose(context, &mut transaction, subscriber, &off, &origin).await?;
        }
    }
    transaction.commit().await?;
    metrics::counter!("newsletter_reports_total", "event" => reason).increment(1);
    Ok(())
}
