//! Rate limits of emails per domain.

use std::collections::BTreeMap;

use chassis::limits::Rate;

/// Key of the limit for all other domains.
const OTHERS: &str = "*";

/// Rate limits by domain.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paces(BTreeMap<String, Rate>);

impl Paces {
    pub(crate) fn new(paces: &BTreeMap<String, Rate>) -> Self {
        let paces = paces.iter();
        Self(
            paces
                .map(|(domain, rate)| (domain.to_lowercase(), *rate))
                .collect(),
        )
    }

    /// Returns the limit of a domain; `None` if it is unlimited.
    pub(crate) fn of(&self, domain: &str) -> Option<Rate> {
        let rate = self.0.get(domain).or_else(|| self.0.get(OTHERS));
        rate.copied()
    }
}

/// Returns the domain of an address's key.
pub(crate) fn domain_of(email_key: &str) -> &str {
    email_key.rsplit_once('@').map_or("", |(_, domain)| domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_has_its_own_pace_or_that_of_all_others() {
        let rate = |text: &str| text.parse::<Rate>().expect("a rate");
        let named = |name: &str, text: &str| (name.to_owned(), rate(text));
        let paces = Paces::new(&[named("Example.com", "5/min")].into());
        assert_eq!(paces.of(domain_of("ada@example.com")), Some(rate("5/min")));
        assert_eq!(paces.of("example.org"), None);
        let paces = Paces::new(&[named("example.com", "5/min"), named("*", "9/min")].into());
        assert_eq!(paces.of("example.com"), Some(rate("5/min")));
        assert_eq!(paces.of("example.org"), Some(rate("9/min")));
    }
}
