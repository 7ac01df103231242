//! POST and DELETE of a favourite, with relay and consumer at work: a request counts once its event has been
//! handled, so a rate that only piles up events does not count.

use std::time::Instant;

use anyhow::Context;
use async_trait::async_trait;

use crate::{
    case::{Case, Sides},
    cpu,
    database::{self, Cast, Database, MADE_FROM, REFERENCE},
    figures::{Figures, Measure, Target},
    kinds::FAVOURITES,
    load::{self, CONNECTIONS, Connection},
    pgbench::{self, Script},
    plan::Plan,
    references,
};

pub(crate) const CREATE: &str = "POST favourites/";
pub(crate) const DELETE: &str = "DELETE favourites/{id}/";

/// The reference's own tables, and the service's functions.
const REFERENCE_AND_FUNCTIONS: &str = "reference,bookmarks";
/// The schema of the service.
const OURS: &str = "bookmarks";
/// Records prepared for deletion, per connection and second: more than pgbench can delete.
const EACH_SECOND: usize = 500;
const MEASURES: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.4),
}];

struct Favourites {
    is_create: bool,
    plan: Plan,
    cast: Cast,
    database: Database,
    script: Script,
}

pub(super) async fn create(plan: &Plan, cast: Cast) -> anyhow::Result<Case> {
    let text = cast.script() + &references::created(&plan.checkout, &FAVOURITES)?;
    Ok(Case {
        name: CREATE.to_owned(),
        measures: MEASURES,
        sides: Box::new(Favourites::new(true, plan, cast, text).await?),
    })
}

pub(super) async fn delete(plan: &Plan, cast: Cast) -> anyhow::Result<Case> {
    let each = EACH_SECOND * usize::try_from(plan.seconds)?;
    let text = [
        cast.script(),
        format!("\\set id {MADE_FROM} + :client_id * {each} + :n\n"),
        references::deleted(&plan.checkout, &FAVOURITES)?,
    ];
    Ok(Case {
        name: DELETE.to_owned(),
        measures: MEASURES,
        sides: Box::new(Favourites::new(false, plan, cast, text.concat()).await?),
    })
}

impl Favourites {
    async fn new(is_create: bool, plan: &Plan, cast: Cast, text: String) -> anyhow::Result<Self> {
        Ok(Self {
            is_create,
            plan: plan.clone(),
            cast,
            database: Database::open(&plan.database).await?,
            script: Script {
                schema: REFERENCE_AND_FUNCTIONS,
                text,
                requests: 1,
            },
        })
    }

    fn records_each(&self) -> usize {
        EACH_SECOND * usize::try_from(self.plan.seconds).unwrap_or(1)
    }

    /// The state in which each turn begins.
    async fn set(&mut self, schema: &str) -> anyhow::Result<()> {
        if self.is_create {
            self.database.clear(schema).await
        } else {
            let each = self.records_each();
            self.database.fill(schema, &self.cast, each).await
        }
    }

    /// A connection's n-th request, and the expected status.
    fn request(&self, connection: usize, n: usize) -> (Vec<u8>, u16) {
        let session = database::session(self.cast.reader(connection, n));
        if self.is_create {
            let body = format!("{{\"listing\":{}}}", self.cast.listing(n));
            (
                load::request("POST", "/api/v2/favourites/", Some(&session), &body),
                201,
            )
        } else {
            let id = MADE_FROM + database::number(connection * self.records_each() + n);
            let path = format!("/api/v2/favourites/{id}/");
            (load::request("DELETE", &path, Some(&session), ""), 204)
        }
    }
}

#[async_trait]
impl Sides for Favourites {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        self.set(OURS).await?;
        // All requests, prepared before the clock starts.
        let requests: Vec<Vec<_>> = (0..CONNECTIONS)
            .map(|at| {
                (0..self.records_each())
                    .map(|n| self.request(at, n))
                    .collect()
            })
            .collect();
        let (requests, turn) = (std::sync::Arc::new(requests), self.plan.turn());
        let before = cpu::of_site();
        let begun = Instant::now();
        let done = load::together(|at| {
            let (requests, site) = (requests.clone(), self.plan.site.clone());
            async move {
                let mut connection = Connection::open(&site).await?;
                let mut done = 0;
                for (request, status) in requests.get(at).context("a connection's requests")? {
                    if begun.elapsed() >= turn {
                        break;
                    }
                    connection.expect(request, *status).await?;
                    done += 1;
                }
                Ok(done)
            }
        })
        .await?;
        let answered = begun.elapsed().as_secs_f64();
        self.database.delivered(OURS, done).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        crate::progress(&format!(
            "      answered in {answered:.2} s, delivered in {seconds:.2} s"
        ));
        Ok(Figures::of_rate(done, seconds, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        self.set(REFERENCE).await?;
        pgbench::run(&self.plan, &self.script)
    }

    fn reference_name(&self) -> String {
        "pgbench, the same transaction".to_owned()
    }
}
