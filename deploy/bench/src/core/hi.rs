//! `profiles/hi/`: a signed-in read.

use crate::{case::Case, database::Cast, pgbench::Script, plan::Plan, read, references};

pub(crate) const NAME: &str = "GET profiles/hi/";
const PATH: &str = "/api/v2/profiles/hi/";

pub(super) async fn case(plan: &Plan, cast: Cast) -> anyhow::Result<Case> {
    let text = cast.script() + &references::stamps(&plan.checkout)?;
    let script = Script {
        schema: "bookmarks",
        text,
        requests: 1,
    };
    read::case(plan, cast, NAME.to_owned(), PATH, script).await
}
