//! Saving and removing a thing of each kind, and changing a vote, with relay and consumer at work: requests count once
//! their events have been handled.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use anyhow::Context;
use async_trait::async_trait;
use serde::Deserialize;
use sqlx::AssertSqlSafe;

use super::fill;
use crate::{
    case::{Case, Sides},
    cpu,
    database::{self, Cast, Database},
    figures::{Figures, Measure, Target},
    kinds::{Kind, RATINGS},
    load::{self, CONNECTIONS, Connection},
    pgbench::{self, Script},
    plan::Plan,
    references,
};

const MEASURES: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.4),
}];

#[derive(Deserialize)]
struct Saved {
    id: i64,
}

struct Writes {
    plan: Plan,
    database: Database,
    work: Arc<Work>,
    schema: &'static str,
    script: Script,
    reference: &'static str,
}

/// What all connections do.
struct Work {
    kind: Kind,
    cast: Cast,
    /// Things to save, which no acting reader has; without any, each reader's first vote is changed.
    targets: Vec<i64>,
    /// Each connection's requests so far: votes are to differ from the ones before them.
    done: Vec<AtomicUsize>,
}

/// POST and DELETE of a thing that a reader does not have.
pub(super) async fn toggles(
    plan: &Plan,
    cast: Cast,
    kind: &Kind,
    name: String,
) -> anyhow::Result<Case> {
    let mut database = Database::open(&plan.database).await?;
    let free = fill::free(kind);
    let targets = format!("{} LIMIT {free}", fill::targets(kind, cast));
    let targets: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(targets))
        .fetch_all(&mut database.connection)
        .await?;
    let first = targets.first().context("there is nothing to save")?;
    let text = format!(
        "{}\\set listing {first} + :client_id % {free}\n{}",
        cast.script(),
        references::toggled(&plan.checkout, kind)?
    );
    let reference = if kind.name == RATINGS.name {
        "pgbench, the same transactions"
    } else {
        "pgbench, the same statements"
    };
    Ok(case(
        plan,
        cast,
        kind,
        name,
        (database, targets),
        (text, 2),
        reference,
    ))
}

/// POST of another vote on a place that a reader has voted on.
pub(super) async fn rates(plan: &Plan, cast: Cast, name: String) -> anyhow::Result<Case> {
    let database = Database::open(&plan.database).await?;
    let text = [
        cast.script(),
        fill::first_place_script(cast),
        references::rated(&plan.checkout)?,
    ];
    let reference = "pgbench, the same transaction";
    let (targets, text) = (Vec::new(), text.concat());
    Ok(case(
        plan,
        cast,
        &RATINGS,
        name,
        (database, targets),
        (text, 1),
        reference,
    ))
}

fn case(
    plan: &Plan,
    cast: Cast,
    kind: &Kind,
    name: String,
    (database, targets): (Database, Vec<i64>),
    (text, requests): (String, u32),
    reference: &'static str,
) -> Case {
    let done = (0..CONNECTIONS).map(|_| AtomicUsize::new(0));
    Case {
        name,
        measures: MEASURES,
        sides: Box::new(Writes {
            plan: plan.clone(),
            database,
            work: Arc::new(Work {
                kind: *kind,
                cast,
                targets,
                done: done.collect(),
            }),
            schema: kind.schema,
            script: Script {
                // The reference's own tables, and the service's functions and places.
                schema: if kind.schema == RATINGS.schema {
                    "reference,places"
                } else {
                    "reference,bookmarks"
                },
                text,
                requests,
            },
            reference,
        }),
    }
}

impl Work {
    /// The next requests of a connection, which belong together; returns their number.
    async fn once(&self, at: usize, connection: &mut Connection) -> anyhow::Result<u64> {
        let n = self.done[at].fetch_add(1, Ordering::Relaxed);
        let reader = self.cast.reader(at, n);
        let session = database::session(reader);
        let Kind { name, field, .. } = self.kind;
        let path = format!("/api/v2/{name}/");
        let post = |target: i64, stars: Option<usize>| {
            let stars = stars.map_or_else(String::new, |stars| format!(",\"rating\":{stars}"));
            let body = format!("{{\"{field}\":{target}{stars}}}");
            load::request("POST", &path, Some(&session), &body)
        };
        if self.targets.is_empty() {
            // Acting readers' votes are 5 at first, and here begin at 1.
            let stars = n / database::READERS_EACH % 5 + 1;
            let place = fill::first_place(self.cast, reader);
            connection.expect(&post(place, Some(stars)), 200).await?;
            return Ok(1);
        }
        let target = self.targets[at % self.targets.len()];
        let stars = (name == RATINGS.name).then_some(5);
        let answer = connection.expect(&post(target, stars), 201).await?;
        let Saved { id } = serde_json::from_slice(&answer.body).context("a record without id")?;
        let delete = load::request("DELETE", &format!("{path}{id}/"), Some(&session), "");
        connection.expect(&delete, 204).await?;
        Ok(2)
    }
}

#[async_trait]
impl Sides for Writes {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        self.database.run("TRUNCATE identity.inbox").await?;
        let before = cpu::of_site();
        let (begun, turn) = (Instant::now(), self.plan.turn());
        let done = load::together(|at| {
            let (work, site) = (self.work.clone(), self.plan.site.clone());
            async move {
                let mut connection = Connection::open(&site).await?;
                let mut done = 0;
                while begun.elapsed() < turn {
                    done += work.once(at, &mut connection).await?;
                }
                Ok(done)
            }
        })
        .await?;
        let answered = begun.elapsed().as_secs_f64();
        self.database.delivered(self.schema, done).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        crate::progress(&format!(
            "      answered in {answered:.2} s, delivered in {seconds:.2} s"
        ));
        Ok(Figures::of_rate(done, seconds, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        self.database.run("TRUNCATE reference.outbox").await?;
        pgbench::run(&self.plan, &self.script)
    }

    fn reference_name(&self) -> String {
        self.reference.to_owned()
    }
}
