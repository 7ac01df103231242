//! `cityguide receipts`: verification of erasure receipts.

use std::{fs, path::PathBuf, time::Duration};

use chassis::call::{Call, Caller};
use clap::Subcommand;
use identity_proto::v1::{VerifyReceiptRequest, departures_client::DeparturesClient};
use serde::Deserialize;
use serde_json::Value;

use super::{
    console::print,
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a receipt file, in bytes.
const LARGEST: u64 = 64 << 10;

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Receipts {
    /// Check whether this site has signed a receipt, and print what it states.
    Verify {
        /// The file that the reader has downloaded, or a file with only the signature.
        file: PathBuf,
    },
}

/// A receipt as returned by the API.
#[derive(Deserialize)]
struct Downloaded {
    jws: String,
    /// Human-readable; only the signed content counts.
    statement: Value,
}

pub(super) async fn receipts(settings: &Settings, what: Receipts) -> Result<(), String> {
    let Receipts::Verify { file } = what;
    let name = file.display();
    let size = fs::metadata(&file).map_err(|error| format!("{name}: {error}"))?;
    if size.len() > LARGEST {
        return Err(format!("{name} is too large for a receipt"));
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("{name}: {error}"))?;
    let downloaded: Option<Downloaded> = serde_json::from_str(&text).ok();
    let jws = match &downloaded {
        Some(receipt) => receipt.jws.clone(),
        None => text.trim().to_owned(),
    };
    let system = Operated::connect(settings).await?;
    let mut departures = DeparturesClient::new(system.transport(Target::Identity)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let verified = departures.verify_receipt(call.request(VerifyReceiptRequest { jws }));
    let verified = verified
        .await
        .map_err(|status| format!("{name}: {}", failure(status)))?;
    let signed: Value = serde_json::from_str(&verified.into_inner().statement)
        .map_err(|error| format!("{name}: its statement cannot be read: {error}"))?;
    if downloaded.is_some_and(|receipt| receipt.statement != signed) {
        return Err(format!(
            "{name}: its statement is not the one that this site has signed"
        ));
    }
    let statement = serde_json::to_string_pretty(&signed).map_err(|error| error.to_string())?;
    print(&format!("This site has signed it:\n{statement}"))
}
