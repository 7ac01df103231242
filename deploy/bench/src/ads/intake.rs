//! POST `ads/events/`: events, one a call, beside the insert of as many rows.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use anyhow::ensure;
use async_trait::async_trait;

use super::slots::Slots;
use crate::{
    case::{Case, Sides},
    cpu,
    database::Database,
    figures::{Figures, Measure, Target},
    load::{self, CONNECTIONS, Connection},
    pgbench::{self, Script},
    plan::Plan,
};

pub(super) const NAME: &str = "POST ads/events/, one event a call";

const MEASURES: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.4),
}];
/// Events prepared per second of a turn: more than are taken.
const EACH_SECOND: usize = 12_000;

/// A copy of a day's partition, with its key and its index.
const TABLE: &str = "
    DROP SCHEMA IF EXISTS reference CASCADE;
    CREATE SCHEMA reference;
    CREATE TABLE reference.events (LIKE ads.events INCLUDING ALL);
    CREATE INDEX ON reference.events (batch_id);";
const INSERT: &str = "\\set event :client_id * 100000000 + :n
    INSERT INTO events (day, opportunity, kind, batch_id, at, creative_id, position, verdict)
    VALUES (current_date, md5((:event)::text)::uuid, 1, :n, now(), 1, 'lead', 0);\n";

struct Intake {
    plan: Plan,
    database: Database,
    script: Script,
}

pub(super) async fn case(plan: &Plan, database: &mut Database) -> anyhow::Result<Case> {
    database.run(TABLE).await?;
    Ok(Case {
        name: NAME.to_owned(),
        measures: MEASURES,
        sides: Box::new(Intake {
            plan: plan.clone(),
            database: Database::open(&plan.database).await?,
            script: Script {
                schema: "reference",
                text: INSERT.to_owned(),
                requests: 1,
            },
        }),
    })
}

/// The request of an impression, from a browser.
fn impression(token: &str) -> Vec<u8> {
    let body = format!(r#"{{"events":[{{"kind":"impression","token":"{token}"}}]}}"#);
    format!(
        "POST /api/v2/ads/events/ HTTP/1.1\r\nhost: site\r\ncontent-type: application/json\r\n\
         user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Requests for the impressions of ads that pages have just been given, enough for a turn.
async fn impressions(plan: &Plan) -> anyhow::Result<Vec<Vec<u8>>> {
    let wanted = EACH_SECOND * usize::try_from(plan.seconds)?;
    let mut connection = Connection::open(&plan.site).await?;
    let mut requests = Vec::with_capacity(wanted);
    let mut page = 0;
    while requests.len() < wanted {
        let slots = Slots::ask(&mut connection, page).await?;
        requests.extend(slots.tokens().map(|token| impression(&token)));
        page += 1;
        ensure!(page < 2 * wanted, "pages without ads");
    }
    Ok(requests)
}

#[async_trait]
impl Sides for Intake {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let requests = Arc::new(impressions(&self.plan).await?);
        let next = Arc::new(AtomicUsize::new(0));
        let turn = self.plan.turn();
        let before = cpu::of_site();
        let begun = Instant::now();
        let done = load::together(|_| {
            let (requests, next) = (Arc::clone(&requests), Arc::clone(&next));
            let site = self.plan.site.clone();
            async move {
                let mut connection = Connection::open(&site).await?;
                let mut done = 0;
                while begun.elapsed() < turn {
                    let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let answer = connection.expect(request, 200).await?;
                    ensure!(
                        answer.body.windows(9).any(|word| word == b"\"counted\""),
                        "an event was not counted: {}",
                        String::from_utf8_lossy(&answer.body)
                    );
                    done += 1;
                }
                Ok(done)
            }
        })
        .await?;
        let seconds = begun.elapsed().as_secs_f64();
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        self.database.run("TRUNCATE reference.events").await?;
        pgbench::run(&self.plan, &self.script)
    }

    fn reference_name(&self) -> String {
        format!("pgbench, the insert of one event, {CONNECTIONS} clients")
    }
}
