//! The numbers of saved items for the dashboard.

use chassis::postgres::stamps::Stamp;
use vocabulary::saved::Kind;

use crate::{context::Context, error::Error, store::bookmarks};

/// The stamps of every kind that ever changed, which include the number of records, and the number of to-dos that are
/// done.
pub(crate) async fn count_bookmarks(
    context: &Context,
    profile_id: i64,
) -> Result<(Vec<Stamp>, i64), Error> {
    let stamps = context.stamps.by_reader(profile_id).await?;
    let has_todos = stamps
        .iter()
        .any(|stamp| stamp.kind == Kind::Todos.name() && stamp.count > 0);
    let done = if has_todos {
        bookmarks::count_done(&context.pool, profile_id, true).await?
    } else {
        0
    };
    Ok((stamps, done))
}
