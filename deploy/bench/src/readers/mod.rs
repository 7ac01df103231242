//! `bench readers`: saved things of 100,000 readers, few and many, and known beside unknown addresses, which answers must
//! not tell apart by their time.

mod addresses;
mod fill;
mod pages;
mod sign_ins;
mod writes;

use crate::{
    case::Case,
    core::Results,
    database::{Cast, Database},
    figures::Row,
    kinds::{self, FAVOURITES, Kind},
    pgbench::Script,
    plan::Plan,
    progress, read, references,
};

/// Saved things, and their number in words.
const SIZES: [(usize, &str); 2] = [(30_000, "30 thousand"), (3_000_000, "3 million")];

const MAP: &str = "GET favourites/listing_ids/";
const PAGE: &str = "GET favourites/";
const RATE: &str = "POST ratings/, another vote";
const SIGN_IN: &str = "POST email-login/";
/// The places of a page.
const LIMIT: usize = 12;

/// What is measured at one size.
#[derive(Debug, Clone, Copy)]
enum What {
    Map,
    Page,
    Toggles(Kind),
    Rates,
    SignIns,
}

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    let cast = database.prepare().await?;
    let cast = fill::among_open(&mut database, cast).await?;
    sign_ins::give_password(&mut database).await?;
    let is_wanted = |name: &str| {
        plan.only
            .as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
    };
    let lists = [pages::FIRST, pages::FAVOURITES, pages::END, pages::RATINGS];
    let has_lists = lists.iter().any(|name| is_wanted(name));
    let mut rows = Vec::new();
    let mut times = Vec::new();
    let mut collector = None;
    for (size, words) in SIZES {
        let wanted: Vec<_> = cases(words)
            .into_iter()
            .filter(|(name, _)| is_wanted(name))
            .collect();
        if wanted.is_empty() && !has_lists {
            continue;
        }
        let collector = match collector {
            Some(known) => known,
            None => *collector.insert(fill::crowd(&mut database).await?),
        };
        fill::fill(&mut database, cast, size).await?;
        for (name, what) in wanted {
            progress(&format!("  {name}"));
            rows.extend(case(plan, cast, name, what).await?.run(plan.rounds).await?);
        }
        if has_lists {
            times.push(pages::times(plan, cast, collector, is_wanted).await?);
        }
    }
    if let [small, large] = times.as_slice() {
        let of_large = SIZES[1].1;
        rows.extend(crate::pages::compare(
            large,
            small,
            &format!("the same at {}", SIZES[0].1),
        ));
        rows.extend(pages::to_the_end(large, of_large));
    }
    rows.extend(compare_addresses(plan, is_wanted).await?);
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}

/// The cases at a size, by name.
fn cases(size: &str) -> Vec<(String, What)> {
    let toggles = kinds::ALL
        .iter()
        .map(|kind| (format!("POST, DELETE {}/", kind.name), What::Toggles(*kind)));
    let named = |name: &str, what| (name.to_owned(), what);
    let reads = [named(MAP, What::Map), named(PAGE, What::Page)];
    let others = [named(RATE, What::Rates), named(SIGN_IN, What::SignIns)];
    let all = reads.into_iter().chain(toggles).chain(others);
    all.map(|(name, what)| (format!("{name}, {size}"), what))
        .collect()
}

async fn case(plan: &Plan, cast: Cast, name: String, what: What) -> anyhow::Result<Case> {
    let checkout = &plan.checkout;
    match what {
        What::Map => {
            let script = Script {
                schema: "bookmarks",
                text: cast.script() + &references::map(checkout, &FAVOURITES)?,
                requests: 1,
            };
            read::case(plan, cast, name, "/api/v2/favourites/listing_ids/", script).await
        }
        What::Page => {
            let ids = format!("ARRAY(SELECT generate_series(:listing, :listing + {LIMIT} - 1))");
            let text = [
                cast.script(),
                fill::first_place_script(cast),
                references::bookmarked(checkout, &FAVOURITES, LIMIT, &ids)?,
            ];
            let script = Script {
                schema: "bookmarks,places",
                text: text.concat(),
                requests: 1,
            };
            read::case(plan, cast, name, "/api/v2/favourites/", script).await
        }
        What::Toggles(kind) => writes::toggles(plan, cast, &kind, name).await,
        What::Rates => writes::rates(plan, cast, name).await,
        What::SignIns => sign_ins::case(plan, name),
    }
}

async fn compare_addresses(
    plan: &Plan,
    is_wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for form in addresses::FORMS.iter().filter(|form| is_wanted(form.name)) {
        progress(&format!("  {}", form.name));
        rows.push(addresses::compare(plan, form).await?);
    }
    Ok(rows)
}
