//! Sends an issue to a part of its recipients.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use chassis::{
    error::{Code, Fault},
    mail::{Reply, Undelivered},
};
use chrono::TimeDelta;
use futures::future::join_all;
use tokio::time::Instant;

use super::{compose::unrenderable, personal::for_readers};
use crate::{
    context::Context,
    domain::{
        Recipient, Rendered,
        answer::{is_of_address, said},
        domain_of,
        issue::{Content, Fate, Issue, Section, letter_id},
    },
    error::Error,
    store::{
        deliveries::{self, Due, Mark},
        issues, paces, suppressions,
    },
    tasks::SendIssue,
};

/// Number of emails that a worker sends concurrently. At most this many emails are sent twice if the process crashes.
const AT_A_TIME: i64 = 10;
/// Time after which a worker leaves the rest of its part to another worker, which limits the delay caused by a crashed
/// process.
const TURN: Duration = Duration::from_mins(1);
/// Maximum time for which servers may defer an email (RFC 5321, 4.5.4.1, requires four or five days, but news would be
/// outdated).
const DEFERRED_AT_MOST: TimeDelta = TimeDelta::days(2);
/// Pause before a deferred email is sent again.
const PAUSE: Duration = Duration::from_mins(5);

/// Pause before emails that their domain's rate limit has held back are sent.
const HELD: Duration = Duration::from_mins(1);

/// The progress of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sent {
    /// All emails were sent.
    All,
    /// The servers of this many recipients have deferred the email.
    Deferred(usize),
}

/// Sends an issue to the recipients of a part who have not received it. Emails deferred for too long fail.
///
/// # Errors
/// `Unavailable` if no mail can be sent now; the outcomes until then are recorded.
pub(crate) async fn send(context: &Context, part: &SendIssue) -> Result<Sent, Error> {
    let Some(issue) = issues::get(&context.pool, part.issue_id).await? else {
        return Ok(Sent::All);
    };
    let Some(contents) = &issue.content else {
        return Ok(Sent::All);
    };
    let readers = deliveries::readers(&context.pool, issue.id, (part.after, part.until)).await?;
    let own = for_readers(context, &issue, contents, &readers).await;
    let letters = Letters::new(context, &issue, contents, own)?;
    let is_late = context.clock.now() - issue.send_at > DEFERRED_AT_MOST;
    let (begun, mut after, mut deferred) = (Instant::now(), part.after, 0);
    let mut held = Vec::new();
    loop {
        if begun.elapsed() > TURN {
            hand_on(context, part, after, deferred > 0 || !held.is_empty()).await?;
            return Ok(Sent::All);
        }
        let bounds = (after, part.until);
        let due = deliveries::due(&context.pool, issue.id, bounds, &held, AT_A_TIME).await?;
        let Some(last) = due.last() else { break };
        after = last.subscriber_id;
        let (outcomes, slow) = hand_over(context, &letters, due).await?;
        held.extend(slow);
        let outage = outcomes.iter().find_map(Outcome::outage);
        let marks: Vec<_> = outcomes
            .into_iter()
            .filter_map(|outcome| outcome.mark(is_late))
            .collect();
        deferred += marks
            .iter()
            .filter(|mark| mark.0.fate == Fate::Deferred)
            .count();
        record(context, issue.id, marks).await?;
        if let Some(why) = outage {
            return Err(Fault::new(Code::Unavailable, why).into());
        }
    }
    if deferred > 0 {
        return Ok(Sent::Deferred(deferred));
    }
    if !held.is_empty() {
        append_for_later(context, part, HELD).await?;
        return Ok(Sent::All);
    }
    issues::finish(&context.pool, issue.id, context.clock.now()).await?;
    Ok(Sent::All)
}

/// Emails to a part of an issue's recipients.
struct Letters {
    issue_id: i64,
    of_all: Arc<Rendered>,
    /// Emails with a personal section, by subscriber.
    own: HashMap<i64, Arc<Rendered>>,
}

impl Letters {
    fn new(
        context: &Context,
        issue: &Issue,
        contents: &Content,
        own: HashMap<i64, Section>,
    ) -> Result<Self, Error> {
        let render = |own: Option<&Section>| {
            Rendered::new(&context.site, issue.kind, Some(issue.id), contents, own).map(Arc::new)
        };
        let of_all = render(None).map_err(|why| unrenderable(&why))?;
        // Most recipients with a personal section have the same section.
        let mut made: Vec<(Section, Arc<Rendered>)> = Vec::new();
        let mut letters = HashMap::new();
        for (subscriber, section) in own {
            let known = made.iter().find(|(known, _)| *known == section);
            if let Some((_, rendered)) = known {
                letters.insert(subscriber, Arc::clone(rendered));
            } else if let Ok(rendered) = render(Some(&section)) {
                letters.insert(subscriber, Arc::clone(&rendered));
                made.push((section, rendered));
            }
            // An issue of the maximum size has no space for a personal section.
        }
        Ok(Self {
            issue_id: issue.id,
            of_all,
            own: letters,
        })
    }

    fn of(&self, subscriber: i64) -> &Rendered {
        self.own.get(&subscriber).unwrap_or(&self.of_all)
    }
}

/// Queues the rest of a part for later.
async fn append_for_later(
    context: &Context,
    part: &SendIssue,
    pause: Duration,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let queue = &context.jobs;
    queue
        .append_for_later(&mut transaction, part, pause)
        .await?;
    queue.commit(transaction).await?;
    Ok(())
}

/// Queues the recipients after `reached` for another worker, and the deferred or held-back recipients before it for
/// later.
async fn hand_on(
    context: &Context,
    part: &SendIssue,
    reached: i64,
    has_left: bool,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let rest = SendIssue {
        after: reached,
        ..*part
    };
    context.jobs.append(&mut transaction, &rest).await?;
    if has_left {
        let behind = SendIssue {
            until: reached,
            ..*part
        };
        let queue = &context.jobs;
        queue
            .append_for_later(&mut transaction, &behind, PAUSE)
            .await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}

struct Outcome {
    subscriber_id: i64,
    address: Vec<u8>,
    came: Came,
}

enum Came {
    /// The email was not sent.
    Not(Fate),
    /// The email was held back by its domain's rate limit.
    Held,
    Sent(Result<Reply, Undelivered>),
}

impl Outcome {
    /// Whether the email took too long or was interrupted while the mail server accepted others.
    fn has_no_reply(&self) -> bool {
        matches!(&self.came, Came::Sent(Err(Undelivered::Later(reply))) if reply.code == 0)
    }

    fn outage(&self) -> Option<String> {
        match &self.came {
            Came::Sent(Err(Undelivered::Away(why))) => Some(why.clone()),
            _ => None,
        }
    }

    /// Returns the outcome to record, and the address if it is undeliverable; `None` if the email is to be sent again.
    fn mark(self, is_late: bool) -> Option<(Mark, Option<Vec<u8>>)> {
        let mut bad = None;
        let (fate, answer) = match self.came {
            Came::Not(fate) => (fate, String::new()),
            Came::Held if is_late => (Fate::Failed, "its domain's pace was too slow".to_owned()),
            Came::Sent(Ok(reply)) => (Fate::Accepted, said(&reply)),
            // Otherwise an email for which the server always closes the connection would keep its issue from finishing.
            Came::Sent(Err(Undelivered::Away(why))) if is_late => (Fate::Failed, why),
            Came::Held | Came::Sent(Err(Undelivered::Away(_))) => return None,
            Came::Sent(Err(Undelivered::Later(reply))) if is_late => (Fate::Failed, said(&reply)),
            Came::Sent(Err(Undelivered::Later(reply))) => (Fate::Deferred, said(&reply)),
            Came::Sent(Err(Undelivered::Refused(reply))) => {
                bad = is_of_address(&reply).then_some(self.address);
                (Fate::Bounced, said(&reply))
            }
        };
        let mark = Mark {
            subscriber_id: self.subscriber_id,
            fate,
            answer,
        };
        Some((mark, bad))
    }
}

/// Hands emails for active subscriptions to the mail server, within the rate limits of their domains. Returns the
/// outcomes, and the domains whose other emails must wait: they have reached their limit, or an email took too long.
async fn hand_over(
    context: &Context,
    written: &Letters,
    due: Vec<Due>,
) -> Result<(Vec<Outcome>, BTreeSet<String>), Error> {
    let hashes: Vec<_> = due
        .iter()
        .map(|one| context.addresses.hash(&one.email_key))
        .collect();
    let suppressed = suppressions::among(&context.pool, &hashes).await?;
    let is_sent = |one: &Due, address: &Vec<u8>| one.is_wanted && !suppressed.contains(address);
    let held = held_back(context, due.iter().zip(&hashes), is_sent).await?;
    let domains = due.iter().map(|one| domain_of(&one.email_key).to_owned());
    let domains: Vec<_> = domains.collect();
    let letters = due.into_iter().zip(hashes).map(async |(one, address)| {
        let came = if !one.is_wanted {
            Came::Not(Fate::Withdrawn)
        } else if suppressed.contains(&address) {
            Came::Not(Fate::Suppressed)
        } else if held.contains(&one.subscriber_id) {
            Came::Held
        } else {
            Came::Sent(letter(context, written, &one).await)
        };
        Outcome {
            subscriber_id: one.subscriber_id,
            address,
            came,
        }
    });
    let outcomes = join_all(letters).await;
    let waiting = outcomes
        .iter()
        .zip(domains)
        .filter(|(outcome, _)| outcome.has_no_reply() || matches!(outcome.came, Came::Held));
    let waiting = waiting.map(|(_, domain)| domain).collect();
    Ok((outcomes, waiting))
}

/// Returns the subscribers whose emails must wait for their domains' rate limits.
async fn held_back(
    context: &Context,
    due: impl Iterator<Item = (&Due, &Vec<u8>)>,
    is_sent: impl Fn(&Due, &Vec<u8>) -> bool,
) -> Result<HashSet<i64>, Error> {
    let mut of_domains: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (one, _) in due.filter(|(one, address)| is_sent(one, address)) {
        let domain = domain_of(&one.email_key).to_owned();
        of_domains
            .entry(domain)
            .or_default()
            .push(one.subscriber_id);
    }
    let wanted = of_domains.iter().filter_map(|(domain, subscribers)| {
        let rate = context.paces.of(domain)?;
        let wanted = u32::try_from(subscribers.len()).unwrap_or(u32::MAX);
        Some((domain.clone(), (rate, wanted)))
    });
    let wanted: BTreeMap<_, _> = wanted.collect();
    if wanted.is_empty() {
        return Ok(HashSet::new());
    }
    let taken = paces::take(&context.pool, &wanted, context.clock.now()).await?;
    let held = taken.iter().flat_map(|(domain, taken)| {
        let subscribers = of_domains.get(domain).into_iter().flatten();
        subscribers.skip(usize::try_from(*taken).unwrap_or(usize::MAX))
    });
    Ok(held.copied().collect())
}

async fn letter(context: &Context, letters: &Letters, to: &Due) -> Result<Reply, Undelivered> {
    let unwritable = |why: &str| Undelivered::Refused(Reply::none(why));
    let recipient = Recipient {
        email: &to.email,
        token: &to.token,
    };
    let (issue_id, rendered) = (letters.issue_id, letters.of(to.subscriber_id));
    let mail = rendered.mail(recipient);
    let mut mail = mail.ok_or_else(|| unwritable("no server takes the address"))?;
    let back = context.return_path.as_ref();
    let back = back.map(|path| path.of(issue_id, to.subscriber_id));
    mail.return_path = back.and_then(|address| address.parse().ok());
    let id = letter_id(&context.addresses, issue_id, to.subscriber_id);
    let letter = context.post.write(id, &mail, context.clock.now());
    let letter = letter.map_err(|fault| unwritable(&fault.message))?;
    context.post.mailer.send(&letter).await
}

/// Records the outcomes of emails before further emails are sent.
async fn record(
    context: &Context,
    issue_id: i64,
    marks: Vec<(Mark, Option<Vec<u8>>)>,
) -> Result<(), Error> {
    let (marks, bad): (Vec<_>, Vec<_>) = marks.into_iter().unzip();
    let bad: Vec<_> = bad.into_iter().flatten().collect();
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    deliveries::mark(&mut transaction, issue_id, &marks, now).await?;
    if !bad.is_empty() {
        suppressions::insert(&mut transaction, &bad, "bounced", now).await?;
    }
    transaction.commit().await?;
    for mark in &marks {
        metrics::counter!("newsletter_deliveries_total", "fate" => mark.fate.name()).increment(1);
    }
    Ok(())
}
