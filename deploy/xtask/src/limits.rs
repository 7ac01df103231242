//! Rate limits for sites on which one machine acts for many readers, although limits count by address.

/// The limits per client and of failed sign-ins, which are set to a rate that never refuses or delays.
const BY_CLIENT: [&str; 15] = [
    "ADS",
    "AD_EVENTS",
    "AD_IMPRESSIONS",
    "CONTACT",
    "EXPORTS",
    "FAILED_SIGN_IN",
    "FAILED_SIGN_IN_EVERYWHERE",
    "FAILED_SIGN_IN_OVERALL",
    "GUEST_NEWSLETTERS",
    "MAILED_LINKS",
    "READS",
    "REGISTRATION",
    "SEARCHES",
    "SIGN_IN",
    "TELEMETRY",
];
const PLENTY: &str = "1000000/s";

const READ_TIMEOUT: &str = "CITYGUIDE__RPC__READ_TIMEOUT_MILLISECONDS";

/// Settings for tests, which sign up many readers and write as fast as they can. Because many programs share few cores,
/// reads have the same timeout as other calls.
pub(crate) fn lifted() -> Vec<(String, String)> {
    let mut all = rates_lifted();
    all.push((READ_TIMEOUT.to_owned(), "5000".to_owned()));
    all
}

/// Like [`lifted`], but with the usual timeout of reads.
pub(crate) fn rates_lifted() -> Vec<(String, String)> {
    let rates = BY_CLIENT
        .into_iter()
        .chain(["TAKEOUTS", "UPLOADS", "WRITES"]);
    let mut all: Vec<_> = rates
        .map(|name| (variable(name), PLENTY.to_owned()))
        .collect();
    let connections = "CITYGUIDE__HTTP__MAX_CONNECTIONS_PER_CLIENT";
    all.push((connections.to_owned(), "1000000".to_owned()));
    all
}

/// Settings for the demo: as on a real site, except that more accounts can be created than a household needs. Limits
/// that are already set remain unchanged.
pub(crate) fn of_a_demo() -> Vec<(String, String)> {
    let name = variable("REGISTRATION");
    if std::env::var_os(&name).is_some() {
        return Vec::new();
    }
    vec![(name, "100/h".to_owned())]
}

fn variable(name: &str) -> String {
    format!("CITYGUIDE__LIMITS__{name}")
}
