//! Processes that are killed at any moment: each day has one issue, all readers receive it, and few receive it twice.

use std::{
    collections::HashMap,
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use rand::{Rng, SeedableRng, rngs::StdRng};
use testkit::{
    certificates::TestAuthority,
    smtp::{Offer, Received, SmtpServer},
    until,
};
use tokio::runtime::{Builder, Runtime};
use vocabulary::newsletters::Kind;

use crate::press::{Office, Press, mailer};

const READERS: i64 = 600;
const KILLS: usize = 10;
/// The maximum number of letters in transit when a sender is killed: ten for each of two parts.
const ON_THEIR_WAY: usize = 20;
const SUBJECT: &str = "Win a canoe";

fn readers() -> usize {
    usize::try_from(READERS).expect("a number")
}

fn runtime() -> Runtime {
    let built = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    built.expect("a runtime")
}

/// The issue's letters, without the welcome letters.
fn issues(server: &SmtpServer) -> Vec<Received> {
    let subject = format!("Subject: {SUBJECT}\r\n");
    let mut letters = server.received();
    letters.retain(|one| one.content.contains(&subject));
    letters
}

/// A process that sends until it is killed: its tasks end at any point, and its connections are cut.
fn sender(press: &Arc<Press>) -> Runtime {
    let (process, press) = (runtime(), Arc::clone(press));
    process.spawn(async move {
        let _running = press.another().await;
        std::future::pending::<()>().await;
    });
    process
}

/// A process that reports its start and then immediately does all due work, until it is killed.
fn scheduler(press: &Arc<Press>, report: mpsc::Sender<()>) -> Runtime {
    let (process, press) = (runtime(), Arc::clone(press));
    process.spawn(async move {
        let running = press.another().await;
        report.send(()).expect("the test waits");
        running.drain().await;
        std::future::pending::<()>().await;
    });
    process
}

#[test]
fn an_issue_reaches_everybody_however_often_its_sender_is_killed() {
    let here = runtime();
    let (press, server) = here.block_on(async {
        let server = SmtpServer::start(Offer::Clear, &TestAuthority::default(), None).await;
        let press = Arc::new(Press::idle(mailer(&server)).await);
        let readers: Vec<_> = (1..=READERS)
            .map(|id| (id, format!("reader{id}@example.com")))
            .collect();
        let readers: Vec<_> = readers
            .iter()
            .map(|(id, one)| (*id, one.as_str()))
            .collect();
        press.subscribe(&readers, &[Kind::Contests]).await;
        (press, server)
    });
    // The welcome emails are not part of this test.
    let process = sender(&press);
    here.block_on(until("all are welcomed", async || {
        (server.received().len() == readers()).then_some(())
    }));
    process.shutdown_background();
    here.block_on(press.fixture.print("canoe", SUBJECT));
    let mut moments = StdRng::seed_from_u64(7);
    for kill in 0..KILLS {
        let process = sender(&press);
        // In some rounds the server closes connections; in others it defers letters.
        server.hang_up(kill % 3 == 1);
        server.refuse_with((kill % 4 == 2).then_some("451 4.7.1 later"));
        // Killed after some letters or, if all letters are deferred, once it has connected.
        let (letters, greetings) = (issues(&server).len(), server.greetings());
        let more = moments.random_range(5..45);
        here.block_on(until("it sends", async || {
            let goal = readers().min(letters + more);
            let is_sending = issues(&server).len() >= goal;
            (is_sending || (kill % 4 == 2 && server.greetings() > greetings)).then_some(())
        }));
        process.shutdown_background();
        // Lets the leases of the killed process expire.
        press.fixture.parts.clock.advance(TimeDelta::minutes(6));
    }
    let before = issues(&server).len();
    assert!(before >= 40, "{before} were sent by those that were killed");
    server.hang_up(false);
    server.refuse_with(None);
    let process = sender(&press);
    let begun = Instant::now();
    let sent = here.block_on(async {
        loop {
            let issue = press.issues().await.remove(0);
            if issue.state == "sent" || begun.elapsed() > Duration::from_secs(30) {
                break issue;
            }
            // Advances slowly; otherwise the sender's leases would expire while it sends.
            press.fixture.parts.clock.advance(TimeDelta::seconds(20));
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    process.shutdown_background();
    assert_eq!(sent.state, "sent", "{sent:?}");
    let accepted: Vec<_> = sent
        .fates
        .iter()
        .map(|one| (one.fate.as_str(), one.count))
        .collect();
    assert_eq!(accepted, [("accepted", READERS)]);

    let mut letters: HashMap<String, usize> = HashMap::new();
    for one in issues(&server) {
        *letters.entry(one.envelope.1).or_default() += 1;
    }
    assert_eq!(letters.len(), readers());
    let twice: usize = letters.values().map(|count| count - 1).sum();
    assert!(
        twice <= before.min(KILLS * ON_THEIR_WAY),
        "{twice} of {before} came twice"
    );
    here.shutdown_background();
}

#[test]
fn a_day_has_one_issue_over_both_clock_changes_while_schedulers_are_killed_and_the_clock_goes_back()
{
    let here = runtime();
    let office = Arc::new(Office::default());
    let press = here.block_on(async {
        let press = Arc::new(Press::idle(office.clone()).await);
        press
            .subscribe(&[(1, "ada@example.com")], &[Kind::News])
            .await;
        press
    });
    let mut moments = StdRng::seed_from_u64(11);
    // 6:30 in Toronto, on the days on which its clocks go on and back an hour.
    for (day, due) in [("2027-03-14", "10:30"), ("2027-11-07", "11:30")] {
        let at = |minutes| {
            press.at(&format!("{day}T{due}:00Z"));
            press
                .fixture
                .parts
                .clock
                .advance(TimeDelta::minutes(minutes));
        };
        at(-60);
        let subject = format!("Of {day}");
        here.block_on(press.article("news", &subject, &format!("{day}T08:00:00Z")));
        for minutes in [0, -59] {
            at(minutes);
            let (report, started) = mpsc::channel();
            let schedulers = [(); 2].map(|()| scheduler(&press, report.clone()));
            for _ in &schedulers {
                started.recv().expect("it starts");
            }
            // Killed at any point of its work, or after it.
            std::thread::sleep(Duration::from_millis(moments.random_range(0..70)));
            for scheduler in schedulers {
                scheduler.shutdown_background();
            }
        }
        // By then, the leases of the killed schedulers have expired.
        at(30);
        let last = here.block_on(press.another());
        here.block_on(until("it is sent", async || {
            last.drain().await;
            (office.count("ada@example.com", &subject) > 0).then_some(())
        }));
        at(-30);
        here.block_on(last.drain());
        assert_eq!(office.count("ada@example.com", &subject), 1, "{day}");
    }
    let issues = here.block_on(press.issues());
    let names: Vec<_> = issues.iter().map(|issue| issue.name.as_str()).collect();
    assert_eq!(names, ["2027-11-07", "2027-03-14"]);
    here.shutdown_background();
}
