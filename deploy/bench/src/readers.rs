//! `bench readers`: few and many saved items of 100,000 readers; and calls with known and unknown email addresses,
//! which response times must not reveal.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::{
    core,
    database::Database,
    fill::{self, CAST, Cast, SIZES},
    harness::{Bench, Cpu, Turn},
    lists,
    load::{self, Connection},
    pgbench::Script,
    results::{Measure, Target},
    statements::Statements,
    writes::{self, Write},
};

/// Items per page.
const LIMIT: usize = 12;
const FIRST: &str = "GET favourites/, the first page of each reader";
const WALK: &str = "GET favourites/, a walk by next";
const END: &str = "GET favourites/, the last pages of a walk by next";
/// A password hash with the service's parameters.
const HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$\
                    BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
/// Requests with each kind of address per round.
const ADDRESSES: usize = 200;

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let database = bench.database().await?;
    let cast = Cast::prepare(&database).await?;
    let password = format!(
        "UPDATE identity.profiles SET password_hash = '{HASH}' WHERE email_key LIKE 'bench-%'"
    );
    database.run(&password).await?;
    let mut sizes = Vec::new();
    let has_lists = [FIRST, WALK, END].iter().any(|name| bench.wants(name));
    // Rates are measured only at the larger size.
    for (size, _) in SIZES.into_iter().skip(usize::from(!has_lists)) {
        let collector = fill::saved_things(&database, cast, size).await?;
        sizes.push(pages(bench, cast, &collector).await?);
    }
    rates(bench, &database, cast).await?;
    if let [small, large] = sizes.as_slice() {
        let reference = format!("at {}", SIZES[0].1);
        for ((name, small), (_, large)) in small.iter().zip(large) {
            lists::compare(bench, name, &reference, [large, small]);
        }
        if let [_, (_, walk), (_, end)] = large.as_slice() {
            let name = format!("{END}, {}", SIZES[1].1);
            lists::compare(bench, &name, "all of its pages", [end, walk]);
        }
    }
    // The log-ins use a wrong password.
    for (name, path, status) in [
        ("POST email-login/, known address", "email-login", 400),
        ("POST reset-password/, known address", "reset-password", 200),
    ] {
        addresses(bench, name, path, status).await?;
    }
    Ok(())
}

/// Measures the rates of reads and writes with many saved items.
async fn rates(bench: &mut Bench, database: &Database, cast: Cast) -> anyhow::Result<()> {
    let statements = Statements::of(&bench.plan.checkout);
    let text = cast.script() + &statements.map()?;
    let script = Script::new("bookmarks", text, 1);
    let path = "/api/v2/favourites/listing_ids/";
    core::signed_in(bench, cast, "GET favourites/listing_ids/", path, &script).await?;
    let ids = format!("ARRAY(SELECT generate_series(:listing, :listing + {LIMIT} - 1))");
    let place = cast.first_place_script();
    let text = cast.script() + &place + &statements.favourites(LIMIT, &ids)?;
    let script = Script::new("bookmarks,places", text, 1);
    let path = "/api/v2/favourites/";
    core::signed_in(bench, cast, "GET favourites/", path, &script).await?;
    for (write, name) in [
        (Write::Favourite, "POST, DELETE favourites/"),
        (Write::Vote, "POST ratings/, another vote"),
    ] {
        writes::measure(bench, database, cast, write, name).await?;
    }
    Ok(())
}

/// Measures the times of lists. The collector's list must contain every item exactly once.
async fn pages(
    bench: &Bench,
    cast: Cast,
    collector: &str,
) -> anyhow::Result<Vec<(&'static str, Vec<Turn>)>> {
    let site = &bench.plan.site.address;
    let favourites = lists::pages(site, collector, "/api/v2/favourites/", LIMIT).await?;
    let mut all = Vec::new();
    for (name, pages) in [
        (FIRST, cast.gets("/api/v2/favourites/").as_slice()),
        (WALK, &favourites),
        (END, &favourites[favourites.len() * 3 / 4..]),
    ] {
        all.push((name, lists::relative_times(bench, name, pages).await?));
    }
    Ok(all)
}

/// Compares calls with addresses that have an account and calls with addresses that do not, on the same connection. The
/// calls are mixed: the work after a response takes longer than the next response, and must slow both kinds equally.
async fn addresses(bench: &mut Bench, name: &str, path: &str, status: u16) -> anyhow::Result<()> {
    if !bench.wants(name) {
        return Ok(());
    }
    let path = format!("/api/v2/profiles/{path}/");
    let mut connection = Connection::open(&bench.plan.site.address).await?;
    let mut order: Vec<usize> = (0..2 * ADDRESSES).collect();
    order.sort_by_key(|turn| BuildHasherDefault::<DefaultHasher>::new().hash_one(turn));
    let both = async || {
        let mut times = [Vec::new(), Vec::new()];
        for turn in &order {
            let (is_unknown, reader) = (turn % 2 == 1, turn / 2 % CAST + 1);
            let name = if is_unknown { "nobody" } else { "bench" };
            let body = format!(
                r#"{{"email":"{name}-{reader}@example.com","password":"a wrong password"}}"#
            );
            let request = load::request("POST", &path, "", &body);
            times[turn % 2].push(connection.time(&request, status).await?);
        }
        let [known, unknown] = times.map(|times| Turn::times(times, Cpu::new()));
        anyhow::Ok((known, unknown))
    };
    let rounds = bench.rounds(name, both).await?;
    let name = format!("{name}, ms p50");
    let measure = Measure::new(name, "an unknown address", Target::Near(0.05));
    bench.record(&[measure], &rounds);
    Ok(())
}
