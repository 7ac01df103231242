//! `cityguide consent`: evidence of consent to newsletters and third-party content.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    instant,
};
use clap::Subcommand;
use newsletters_proto::v1::{
    AllowAddressRequest, ConsentEntry, ShowConsentsRequest, ShowConsentsResponse,
    VerifyConsentsRequest, consents_client::ConsentsClient,
};

use super::{
    console::print,
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Consent {
    /// Show the requests, consents and withdrawals of an address, and the newsletters that it receives.
    Show {
        /// The email address
        address: String,
    },
    /// Verify the hash chain of the ledger, and print the digest of its last link.
    Verify,
    /// Allow emails to an address again, after its owner refused further requests or its server rejected emails.
    Allow {
        /// The email address
        address: String,
    },
}

pub(super) async fn consent(settings: &Settings, what: Consent) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut consents = ConsentsClient::new(system.transport(Target::Newsletters)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    match what {
        Consent::Show { address: email } => {
            let request = call.request(ShowConsentsRequest { email });
            let known = consents.show_consents(request).await;
            show(&known.map_err(failure)?.into_inner())
        }
        Consent::Verify => verify(&mut consents).await,
        Consent::Allow { address } => {
            let request = AllowAddressRequest {
                email: address.clone(),
            };
            let allowed = consents.allow_address(call.request(request)).await;
            allowed.map_err(|status| format!("{address}: {}", failure(status)))?;
            print(&format!("{address} can be written to again"))
        }
    }
}

fn show(known: &ShowConsentsResponse) -> Result<(), String> {
    for entry in &known.entries {
        print(&line(entry))?;
    }
    let whose = if known.is_reader {
        "a reader"
    } else {
        "a guest"
    };
    let gets = match known.on.as_slice() {
        [] => "gets nothing".to_owned(),
        on => format!("{whose} who gets {}", on.join(", ")),
    };
    let refused = if known.is_refused {
        "; does not want to be asked again"
    } else {
        ""
    };
    let suppressed = known.suppressed.as_ref();
    let suppressed = suppressed.map(|why| format!("; takes no mail: it {why}"));
    print(&format!(
        "{} entries; {gets}{refused}{}",
        known.entries.len(),
        suppressed.unwrap_or_default()
    ))
}

/// Formats an entry as one line.
fn line(entry: &ConsentEntry) -> String {
    let at = entry.at.as_ref().and_then(instant::from_proto);
    let at = at.map(instant::to_rfc3339).unwrap_or_default();
    let ConsentEntry {
        act,
        kind,
        way,
        page,
        network,
        wording,
        digest,
        ..
    } = entry;
    let place = entry
        .position
        .map_or_else(|| "-".to_owned(), |place| place.to_string());
    let mut line = format!("{place}  {at}  {act} {kind}  by {way}");
    for (label, text) in [("on", page), ("from", network), ("link", digest)] {
        if !text.is_empty() {
            line = format!("{line}  {label} {text}");
        }
    }
    if wording.is_empty() {
        line
    } else {
        format!("{line}\n    \"{wording}\"")
    }
}

async fn verify(consents: &mut ConsentsClient<chassis::rpc::Transport>) -> Result<(), String> {
    let (mut entries, mut emptied) = (0, 0);
    let mut next = VerifyConsentsRequest::default();
    loop {
        let request = Call::new(Caller::Operator, TIMEOUT).request(next);
        let followed = consents.verify_consents(request).await;
        let followed = followed.map_err(failure)?.into_inner();
        entries += followed.entries;
        emptied += followed.emptied;
        if let Some(place) = followed.broken_at {
            return Err(format!(
                "the chain is broken at {place}: {entries} entries before it hold"
            ));
        }
        if followed.is_end {
            let digest = chassis::digest::text(&followed.digest);
            return print(&format!(
                "{entries} entries hold, {emptied} of them emptied; the last link is {digest}"
            ));
        }
        next = VerifyConsentsRequest {
            after: followed.last,
            digest: followed.digest,
        };
    }
}
