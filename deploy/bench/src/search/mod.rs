//! `bench search`: suggestions and answers among three million documents, and the index that follows changes meanwhile.

mod fill;
mod following;
mod importing;
mod statements;

use cityguide_proto::exchange;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    bare::Bare,
    beside::{Beside, Of},
    case::Case,
    core::Results,
    database::Database,
    figures::{Measure, Target},
    load::{self, Connection},
    pgbench::Script,
    plan::Plan,
    progress,
    rate::Rate,
};

const SUGGEST_KEPT: &str = "GET search/suggest/, as people type";
const SUGGEST: &str = "GET search/suggest/, not kept";
const SEARCH: &str = "GET search/, not kept";

/// Names that are typed, and searched for.
const NAMES: i64 = 300;

const TYPED: &[Measure] = &[
    Measure {
        unit: "ms p50",
        target: Target::AtMost(5.0),
    },
    Measure {
        unit: "ms p99",
        target: Target::AtMost(5.0),
    },
];
const FOUND: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.3),
}];

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    database.settle().await?;
    forget_replays(&mut database).await?;
    progress("  three million documents");
    fill::documents(&mut database).await?;
    fill::held_by(&plan.gateways).await?;
    let names = fill::names(&mut database, NAMES).await?;
    let is_wanted = |name: &str| {
        let only = plan.only.as_ref();
        only.is_none_or(|only| name.contains(only.as_str()))
    };
    let mut rows = Vec::new();
    let typed = if plan.keeps { SUGGEST_KEPT } else { SUGGEST };
    if is_wanted(typed) {
        progress(&format!("  {typed}"));
        rows.extend(typing(plan, typed, &names).await?.run(plan.rounds).await?);
    }
    if !plan.keeps {
        if is_wanted(SEARCH) {
            progress(&format!("  {SEARCH}"));
            let case = searching(plan, &mut database, &names).await?;
            rows.extend(case.run(plan.rounds).await?);
        }
        rows.extend(following::rows(plan, &mut database, &names, is_wanted).await?);
        rows.extend(importing::rows(plan, &mut database, &names, is_wanted).await?);
    }
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}

/// Forgets requests for a replay. Many processes start with a broker that has no queues yet, for which services tell each
/// other everything again after ten seconds: three million articles, while letters are typed.
async fn forget_replays(database: &mut Database) -> anyhow::Result<()> {
    let replay = exchange::REPLAY;
    database
        .run(&format!(
            "DO $$ DECLARE one text; BEGIN
                 FOR one IN SELECT schemaname FROM pg_tables WHERE tablename = 'outbox' LOOP
                     EXECUTE format('DELETE FROM %I.outbox WHERE exchange = %L', one, '{replay}');
                 END LOOP;
             END $$"
        ))
        .await
}

/// The requests of somebody who types each name, letter by letter, until it is found.
fn keystrokes(names: &[String]) -> Vec<Vec<u8>> {
    let mut requests = Vec::new();
    for name in names {
        for (at, letter) in name.char_indices() {
            let typed = &name[..at + letter.len_utf8()];
            // After the second word nothing new is found.
            if typed.split(' ').count() > 2 {
                break;
            }
            requests.push(get("search/suggest/", typed));
        }
    }
    requests
}

fn get(path: &str, query: &str) -> Vec<u8> {
    let query = utf8_percent_encode(query, NON_ALPHANUMERIC);
    load::request("GET", &format!("/api/v2/{path}?q={query}"), None, "")
}

/// The same, for as many things.
fn get_first(path: &str, query: &str, limit: u32) -> Vec<u8> {
    let query = utf8_percent_encode(query, NON_ALPHANUMERIC);
    let address = format!("/api/v2/{path}?q={query}&limit={limit}");
    load::request("GET", &address, None, "")
}

/// Letters that are typed one after the other.
async fn typing(plan: &Plan, name: &str, names: &[String]) -> anyhow::Result<Case> {
    let requests = keystrokes(names);
    let middle = &requests[requests.len() / 2];
    let mut connection = Connection::open(&plan.site).await?;
    let answer = connection.expect(middle, 200).await?;
    let beside = Beside {
        plan: plan.clone(),
        bare: Bare::start(&answer.body, 200).await?,
        requests,
        of: Of::Times,
    };
    Ok(beside.case(name, TYPED))
}

/// The first two words of a name, which few documents have together, as is usual for what is searched for.
fn searched(name: &str) -> Vec<String> {
    let words = name.split(' ').take(2);
    words.map(str::to_ascii_lowercase).collect()
}

/// A search for each name.
fn searches(names: &[String]) -> Vec<Vec<u8>> {
    let requests = names.iter();
    requests
        .map(|name| get("search/", &searched(name).join(" ")))
        .collect()
}

async fn searching(plan: &Plan, database: &mut Database, names: &[String]) -> anyhow::Result<Case> {
    database.run(statements::SEARCHED).await?;
    for (n, words) in (0_i32..).zip(names.iter().map(|name| searched(name))) {
        let wanted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        sqlx::query("INSERT INTO reference.searched VALUES ($1, $2, $3)")
            .bind(n)
            .bind(&wanted)
            .bind(wanted.join(" & "))
            .execute(&mut database.connection)
            .await?;
    }
    Ok(Case {
        name: SEARCH.to_owned(),
        measures: FOUND,
        sides: Box::new(Rate {
            plan: plan.clone(),
            requests: searches(names),
            script: Script {
                schema: "editorial",
                text: statements::search(&plan.checkout, names.len())?,
                requests: 1,
            },
            reference: "pgbench, the statement of the candidates",
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_typed_letter_by_letter() {
        let requests = keystrokes(&["Ab c d".to_owned()]);
        let paths: Vec<String> = requests
            .iter()
            .map(|request| {
                String::from_utf8_lossy(request)
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect();
        assert_eq!(
            paths,
            ["A", "Ab", "Ab%20", "Ab%20c"]
                .map(|typed| format!("GET /api/v2/search/suggest/?q={typed} HTTP/1.1"))
        );
    }
}
