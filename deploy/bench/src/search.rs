//! `bench search`: suggestions and results among three million documents, and the time until a change is found.

mod documents;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::bail;
use cityguide_proto::exchange;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    bare::{BARE, Bare},
    core,
    cpu::Of,
    database::Database,
    harness::{Bench, Cpu, Turn, milliseconds},
    load::{self, Connection, Requests, get},
    pgbench::{PGBENCH, Script},
    plan::Plan,
    progress,
    results::{Measure, Target},
    statements::Statements,
};

/// Number of typed and searched names.
const NAMES: usize = 300;
/// Changes per round, and the timeout for finding a change.
const CHANGES: usize = 20;
const PATIENCE: Duration = Duration::from_secs(20);
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let database = bench.database().await?;
    database.settle().await?;
    forget_replays(&database).await?;
    progress("  three million documents");
    documents::fill(&database).await?;
    documents::require_names(&plan).await?;
    let names = documents::names(&database, NAMES).await?;
    if plan.site.keeps {
        return typing(bench, "GET search/suggest/, as people type", &names).await;
    }
    typing(bench, "GET search/suggest/, not kept", &names).await?;
    let all = names.iter().map(|name| search(&searched(name), ""));
    let requests = Requests::new(all, 200);
    searching(bench, &database, &names, &requests).await?;
    let name = "A change until it is found, ms p99";
    let follow = async || follow(&plan, &database).await;
    let measure = Measure::new(name, "", Target::AtMost(1000.0));
    let nothing = async || anyhow::Ok(Turn::default());
    bench.alternate(&[measure], follow, nothing).await
}

/// Deletes requests for replays. When the site starts as many processes with a new broker, services resend all their
/// events after ten seconds: three million articles, during the measurement.
async fn forget_replays(database: &Database) -> anyhow::Result<()> {
    let replay = exchange::REPLAY;
    let delete = format!(
        "DO $$ DECLARE one text; BEGIN
             FOR one IN SELECT schemaname FROM pg_tables WHERE tablename = 'outbox' LOOP
                 EXECUTE format('DELETE FROM %I.outbox WHERE exchange = %L', one, '{replay}');
             END LOOP;
         END $$"
    );
    database.run(&delete).await
}

fn encoded(query: &str) -> String {
    utf8_percent_encode(query, NON_ALPHANUMERIC).to_string()
}

fn search(query: &str, more: &str) -> Vec<u8> {
    get(&format!("/api/v2/search/?q={}{more}", encoded(query)))
}

/// Returns the requests of a person who types each name letter by letter and stops after the second word, because
/// further letters find nothing new.
fn keystrokes(names: &[String]) -> Vec<Vec<u8>> {
    let typed = names.iter().flat_map(|name| {
        let letters = name.char_indices();
        let typed = letters.map(|(at, letter)| &name[..at + letter.len_utf8()]);
        typed.take_while(|typed| typed.split(' ').count() <= 2)
    });
    let path = |typed| format!("/api/v2/search/suggest/?q={}", encoded(typed));
    typed.map(|typed| get(&path(typed))).collect()
}

/// Times the requests for letters that are typed one after the other.
async fn typing(bench: &mut Bench, name: &str, names: &[String]) -> anyhow::Result<()> {
    let site = bench.plan.site.address.clone();
    let requests = keystrokes(names);
    let bare = Bare::like(&site, &requests[requests.len() / 2]).await?;
    let ours = async || load::times(&site, Of::Site, &requests).await;
    let theirs = async || bare.times(&requests).await;
    let measures = Measure::times(name, BARE, [5.0, 5.0]);
    bench.alternate(&measures, ours, theirs).await
}

/// Returns the first two words of a name, which few documents contain together, as in usual searches.
fn searched(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').take(2).collect();
    words.join(" ").to_ascii_lowercase()
}

async fn searching(
    bench: &mut Bench,
    database: &Database,
    names: &[String],
    requests: &Arc<Requests>,
) -> anyhow::Result<()> {
    let row = |(n, name): (usize, &String)| format!("({n}, '{}')", searched(name));
    let rows: Vec<String> = names.iter().enumerate().map(row).collect();
    let rows = rows.join(", ");
    let table = format!(
        "CREATE SCHEMA IF NOT EXISTS reference;
         DROP TABLE IF EXISTS reference.searched;
         CREATE TABLE reference.searched AS
         SELECT n, array_agg(quote_literal(word)) AS terms, string_agg(quote_literal(word), ' & ') AS wanted
         FROM (VALUES {rows}) searched (n, words), string_to_table(words, ' ') word GROUP BY n;
         CREATE UNIQUE INDEX ON reference.searched (n)"
    );
    database.run(&table).await?;
    let text = Statements::of(&bench.plan.checkout).search(names.len())?;
    let script = Script::new("editorial", text, 1);
    let reference = format!("{PGBENCH}, the candidates");
    let measures = Measure::rate("GET search/, not kept", &reference, 0.3);
    core::beside_pgbench(bench, &measures, requests, &script).await
}

/// Renames articles, and searches until each is found by its new name; returns the p99 of the times.
async fn follow(plan: &Plan, database: &Database) -> anyhow::Result<Turn> {
    documents::indexed(database).await?;
    let mut connection = Connection::open(&plan.site.address).await?;
    let articles = format!(
        "SELECT id, version::bigint FROM editorial.items WHERE slug LIKE 'bench-%' ORDER BY id LIMIT {CHANGES}"
    );
    let mut times = Vec::new();
    for (id, version) in database.rows::<(i64, i64)>(&articles).await? {
        let name = format!("Renamed{}x{id}x{version}", std::process::id());
        let change = format!(
            "UPDATE editorial.items SET name = '{name}', version = version + 1 WHERE id = {id};
             INSERT INTO editorial.search_due (kind, id) VALUES ('item', {id})
             ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('editorial.search_turns')"
        );
        let begun = Instant::now();
        database.run(&change).await?;
        // Each attempt requests a different number of results, so that the gateway cannot answer from its cache: events
        // remove cached responses, and a change by SQL publishes no event.
        for attempt in 0.. {
            let request = search(&name, &format!("&limit={}", 1 + attempt % 100));
            let answer = connection.expect(&request, 200).await?;
            if String::from_utf8_lossy(&answer.body).contains("/news/bench-") {
                break;
            }
            if begun.elapsed() > PATIENCE {
                bail!("{name} is not found");
            }
            tokio::time::sleep(PAUSE).await;
        }
        times.push(milliseconds(begun.elapsed()));
    }
    Ok(Turn::of(vec![Turn::times(times, Cpu::new()).values[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_typed_letter_by_letter() {
        let typed = ["A", "Ab", "Ab%20", "Ab%20c"];
        let expected = typed.map(|typed| get(&format!("/api/v2/search/suggest/?q={typed}")));
        assert_eq!(keystrokes(&["Ab c d".to_owned()]), expected);
    }
}
