//! The pages of a list, one after the other, as a client that follows `next` requests them.

use std::{collections::HashSet, time::Instant};

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::load::{self, Connection};

#[derive(Deserialize)]
struct Page {
    results: Vec<Item>,
    count: usize,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    id: i64,
}

/// The requests of all pages of a list, from this path to the end. The list must hold every item exactly once, on pages of
/// this length; the very last page may be shorter and is left out.
pub(crate) async fn pages(
    site: &str,
    session: Option<&str>,
    path: String,
    length: usize,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut connection = Connection::open(site).await?;
    let mut pages = Vec::new();
    let mut seen = HashSet::new();
    let mut path = Some(path);
    let mut count = 0;
    while let Some(next) = path {
        let request = load::request("GET", &next, session, "");
        let answer = connection.expect(&request, 200).await?;
        let page: Page = serde_json::from_slice(&answer.body).context("a page is no page")?;
        seen.extend(page.results.iter().map(|item| item.id));
        (count, path) = (page.count, page.next);
        pages.push(request);
    }
    ensure!(
        seen.len() == count && pages.len() == count.div_ceil(length),
        "{} pages with {} items of {count}",
        pages.len(),
        seen.len()
    );
    pages.pop();
    Ok(pages)
}

/// Requests these pages one after the other; returns the milliseconds of each.
pub(crate) async fn times(address: &str, pages: &[Vec<u8>]) -> anyhow::Result<Vec<f64>> {
    let mut connection = Connection::open(address).await?;
    let mut times = Vec::with_capacity(pages.len());
    for request in pages {
        times.push(time(&mut connection, request).await?);
    }
    Ok(times)
}

/// Requests one page; returns the milliseconds that it took.
pub(crate) async fn time(connection: &mut Connection, page: &[u8]) -> anyhow::Result<f64> {
    let begun = Instant::now();
    connection.expect(page, 200).await?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}
