//! Device names, with which readers can recognise a session that is not theirs.

use woothee::parser::Parser;

/// A name such as "Firefox on Linux", from the browser's `User-Agent` at sign-in.
pub(crate) fn device_name(user_agent: &str) -> String {
    let known = |name: &str| Some(name.to_owned()).filter(|name| name != "UNKNOWN");
    let Some(agent) = Parser::new().parse(user_agent) else {
        return "Unknown device".to_owned();
    };
    let system = match agent.os {
        "Mac OSX" => Some("macOS".to_owned()),
        system => known(system),
    };
    match (known(agent.name), system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name,
        (None, None) => "Unknown device".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_by_its_browser_and_system() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            ("", "Unknown device"),
            ("\u{1f68b}", "Unknown device"),
        ] {
            assert_eq!(device_name(agent), name, "{agent}");
        }
    }
}
