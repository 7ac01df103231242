//! An answer that the gateway keeps, requested as browsers do: in brotli, and again with its tag.

use anyhow::Context;

use crate::{
    bare::Bare,
    beside::{Beside, Of},
    case::Case,
    figures::{Measure, Target},
    load::Connection,
    plan::Plan,
};

pub(crate) const HIT: &str = "GET listings/, kept";
pub(crate) const KNOWN: &str = "GET listings/, known to the client";

const HIT_REACH: [Measure; 1] = [Measure {
    unit: "1/s",
    target: Target::AtLeast(0.85),
}];
const KNOWN_REACH: [Measure; 1] = [Measure {
    unit: "1/s",
    target: Target::AtLeast(0.9),
}];

const PATH: &str = "/api/v2/listings/";

/// The bytes of the first page of places.
pub(super) async fn hit(plan: &Plan) -> anyhow::Result<Case> {
    let request = request("");
    let mut connection = Connection::open(&plan.site).await?;
    let answer = connection.expect(&request, 200).await?;
    let bare = Bare::start(&answer.body, 200).await?;
    Ok(case(plan, HIT, &HIT_REACH, request, 200, bare))
}

/// An answer of 304: the client's copy is current.
pub(super) async fn known(plan: &Plan) -> anyhow::Result<Case> {
    let mut connection = Connection::open(&plan.site).await?;
    let answer = connection.expect(&request(""), 200).await?;
    let tag = answer.tag.context("a public answer without its tag")?;
    let request = request(&format!("if-none-match: {tag}\r\n"));
    let bare = Bare::start(&[], 304).await?;
    Ok(case(plan, KNOWN, &KNOWN_REACH, request, 304, bare))
}

fn case(
    plan: &Plan,
    name: &'static str,
    measures: &'static [Measure],
    request: Vec<u8>,
    status: u16,
    bare: Bare,
) -> Case {
    let beside = Beside {
        plan: plan.clone(),
        requests: vec![request],
        bare,
        of: Of::Rate(status),
    };
    beside.case(name, measures)
}

fn request(headers: &str) -> Vec<u8> {
    format!("GET {PATH} HTTP/1.1\r\nhost: site\r\naccept-encoding: br\r\n{headers}\r\n")
        .into_bytes()
}
