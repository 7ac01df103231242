//! Saving and removing a place, and changing a vote, with a running relay and consumer: requests count only after their
//! events have been handled.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use serde_json::Value;

use crate::{
    cpu::{self, Of},
    database::Database,
    fill::{Cast, FREE, READERS_EACH},
    harness::{Bench, Turn},
    load::{self, CONNECTIONS, Connection},
    pgbench::{self, PGBENCH, Script},
    plan::Plan,
    progress,
    results::Measure,
    statements::Statements,
};

/// The measured writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Write {
    /// Saving and removing a place.
    Favourite,
    /// Changing a vote.
    Vote,
}

/// The work of all connections.
struct Work {
    write: Write,
    cast: Cast,
    /// Number of writes of each connection: a vote must differ from the previous vote.
    done: Vec<AtomicUsize>,
}

pub(crate) async fn measure(
    bench: &mut Bench,
    database: &Database,
    cast: Cast,
    write: Write,
    name: &str,
) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let statements = Statements::of(&plan.checkout);
    let free = format!("\\set listing {} + :client_id % {FREE}\n", cast.listing(0));
    // The search path lists the reference's tables first, then the service's functions.
    let script = match write {
        Write::Favourite => {
            let text = cast.script() + &free + &statements.favourite_toggled()?;
            Script::new("reference,bookmarks", text, 2)
        }
        Write::Vote => {
            let place = cast.first_place_script();
            let text = cast.script() + &place + &statements.vote_changed()?;
            Script::new("reference,places", text, 1)
        }
    };
    let done = (0..CONNECTIONS).map(|_| AtomicUsize::new(0)).collect();
    let work = Arc::new(Work { write, cast, done });
    let ours = async || {
        database.run("TRUNCATE identity.inbox").await?;
        turn(&plan, database, &work).await
    };
    let theirs = async || {
        database.run("TRUNCATE reference.outbox").await?;
        pgbench::rate(&plan, &script).await
    };
    let measures = Measure::rate(name, PGBENCH, 0.4);
    bench.alternate(&measures, ours, theirs).await
}

async fn turn(plan: &Plan, database: &Database, work: &Arc<Work>) -> anyhow::Result<Turn> {
    let (begun, turn) = (Instant::now(), plan.turn());
    let writing = async {
        let done = load::together(CONNECTIONS, |at| {
            let (work, site) = (Arc::clone(work), plan.site.address.clone());
            async move {
                let mut connection = Connection::open(&site).await?;
                let mut done = 0;
                while begun.elapsed() < turn {
                    done += work.once(at, &mut connection).await?;
                }
                Ok(done)
            }
        });
        let done = done.await?;
        let answered = begun.elapsed().as_secs_f64();
        let is_vote = work.write == Write::Vote;
        let schema = if is_vote { "places" } else { "bookmarks" };
        database.delivered(schema, done).await?;
        anyhow::Ok((done, answered))
    };
    let ((done, answered), used) = cpu::during(Of::Site, writing).await?;
    let seconds = begun.elapsed().as_secs_f64();
    progress(&format!(
        "      answered in {answered:.2} s, delivered in {seconds:.2} s"
    ));
    Ok(Turn::rate(done, seconds, used))
}

impl Work {
    /// Sends the next related requests of a connection; returns their number.
    async fn once(&self, at: usize, connection: &mut Connection) -> anyhow::Result<u64> {
        let n = self.done[at].fetch_add(1, Ordering::Relaxed);
        let session = self.cast.session(at, n);
        let (path, place, stars) = match self.write {
            Write::Favourite => ("favourites", self.cast.listing(at % FREE), String::new()),
            // Initial votes are 5, so changes begin at 1.
            Write::Vote => {
                let stars = format!(",\"rating\":{}", n / READERS_EACH % 5 + 1);
                ("ratings", self.cast.first_place(at, n), stars)
            }
        };
        let path = &format!("/api/v2/{path}/");
        let body = format!("{{\"listing\":{place}{stars}}}");
        let post = load::request("POST", path, &session, &body);
        if self.write == Write::Vote {
            connection.expect(&post, 200).await?;
            return Ok(1);
        }
        let record: Value = connection.expect(&post, 201).await?.json()?;
        let path = format!("{path}{}/", record["id"]);
        let delete = load::request("DELETE", &path, &session, "");
        connection.expect(&delete, 204).await?;
        Ok(2)
    }
}
