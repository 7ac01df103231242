//! `cityguide search`: the search index.

use std::time::Duration;

use chassis::call::{Call, Caller};
use clap::Subcommand;
use editorial_proto::v1::{ListMissesRequest, RebuildRequest, search_client::SearchClient};

use super::{
    console::print,
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

const TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Search {
    /// Index everything again; searches keep working meanwhile.
    Rebuild,
    /// List searches without results from readers in several networks, the most frequent first.
    Misses,
}

pub(super) async fn search(settings: &Settings, what: Search) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut search = SearchClient::new(system.transport(Target::Editorial)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    if let Search::Misses = what {
        let misses = search.list_misses(call.request(ListMissesRequest {})).await;
        let misses = misses.map_err(failure)?;
        for miss in misses.into_inner().misses {
            print(&format!("{:>6}  {}", miss.networks, miss.query))?;
        }
        return Ok(());
    }
    let marked = search.rebuild(call.request(RebuildRequest {})).await;
    let marked = marked.map_err(failure)?;
    print(&format!(
        "{} documents are indexed anew by the running site",
        marked.into_inner().documents
    ))
}
