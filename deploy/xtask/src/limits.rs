//! Limits for sites on which one machine acts for many readers: the site counts by address, and here there is
//! one.

/// The limits per client, and a rate that never refuses.
const BY_CLIENT: [&str; 5] = [
    "CONTACT",
    "FAILED_SIGN_IN",
    "FAILED_SIGN_IN_EVERYWHERE",
    "REGISTRATION",
    "SIGN_IN",
];
const PLENTY: &str = "1000000/s";

/// For tests, which sign up many readers and write as fast as they can.
pub(crate) fn lifted() -> Vec<(String, String)> {
    BY_CLIENT
        .into_iter()
        .chain(["WRITES"])
        .map(|name| (variable(name), PLENTY.to_owned()))
        .collect()
}

/// For a person who looks at the demo: as on a real site, except that more accounts may be made than a
/// household needs. Limits that are set already stay.
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
