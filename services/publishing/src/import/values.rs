//! Field values shared by several file formats.

use opening_hours::OpeningHours;

/// Maximum length of opening hours in characters, the same as OpenStreetMap's limit for values.
const MAX_HOURS: usize = 255;

/// Returns a link, adding a missing scheme; `None` for an invalid address.
pub(super) fn link(address: String) -> Option<String> {
    let lower = address.to_ascii_lowercase();
    if lower.starts_with("https://") || lower.starts_with("http://") {
        return Some(address);
    }
    let is_host = !lower.contains([' ', ':', '@']) && lower.contains('.');
    is_host.then(|| format!("https://{address}"))
}

/// Returns valid opening hours. Invalid opening hours are dropped, because the place is useful without them.
pub(super) fn hours(text: &str) -> Option<String> {
    let can_be_read = !text.is_empty()
        && text.chars().count() <= MAX_HOURS
        && text.parse::<OpeningHours>().is_ok();
    can_be_read.then(|| text.to_owned())
}

/// Returns the wheelchair access as in the places service; `None` if it is missing or unknown.
pub(super) fn wheelchair(text: &str) -> Option<String> {
    let known = match text.to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "designated" => "yes",
        "limited" | "partial" | "partly" => "limited",
        "no" | "n" | "false" | "0" => "no",
        _ => return None,
    };
    Some(known.to_owned())
}

/// Parses degrees; `None` if they are absent or 0, which registers use for unknown positions.
pub(super) fn degrees(text: &str) -> Result<Option<f64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let degrees: Result<f64, _> = text.parse();
    let degrees = degrees.map_err(|_| format!("{text:?} is no position: expected degrees"))?;
    Ok(Some(degrees).filter(|degrees| *degrees != 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_completed_and_what_is_none_is_left_out() {
        let completed = link("www.pai.example".to_owned());
        assert_eq!(completed.as_deref(), Some("https://www.pai.example"));
        for odd in [
            "javascript:alert(1)",
            "me@example.com",
            "none",
            "ask at the bar",
        ] {
            assert_eq!(link(odd.to_owned()), None, "{odd}");
        }
    }

    #[test]
    fn hours_and_degrees_are_those_that_can_be_read() {
        assert_eq!(
            hours("Mo-Fr 08:00-18:00").as_deref(),
            Some("Mo-Fr 08:00-18:00")
        );
        assert_eq!(hours("whenever"), None);
        assert_eq!(wheelchair("designated").as_deref(), Some("yes"));
        assert_eq!(wheelchair("ask inside"), None);
        assert_eq!(degrees("-79.4"), Ok(Some(-79.4)));
        assert_eq!((degrees(""), degrees("0.0")), (Ok(None), Ok(None)));
        assert!(degrees("west").is_err());
    }
}
