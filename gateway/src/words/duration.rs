//! Durations of videos.

/// Formats 73 seconds as 1:13, an hour or more as 1:02:03; empty if unknown.
pub(crate) fn clock(seconds: u32) -> String {
    let (hours, minutes, rest) = split(seconds);
    match (hours, minutes, rest) {
        (0, 0, 0) => String::new(),
        (0, ..) => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// Formats a duration for screen readers: "1 minute 13 seconds".
pub(crate) fn spoken(seconds: u32) -> String {
    let (hours, minutes, rest) = split(seconds);
    let parts = [(hours, "hour"), (minutes, "minute"), (rest, "second")];
    let parts = parts.into_iter().filter(|(value, _)| *value > 0);
    let parts = parts.map(|(value, unit)| {
        let ending = if value == 1 { "" } else { "s" };
        format!("{value} {unit}{ending}")
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn split(seconds: u32) -> (u32, u32, u32) {
    (seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_shown_and_read_aloud() {
        let words = |seconds| (clock(seconds), spoken(seconds));
        let both = |shown: &str, read: &str| (shown.to_owned(), read.to_owned());
        assert_eq!(words(0), both("", ""));
        assert_eq!(words(61), both("1:01", "1 minute 1 second"));
        assert_eq!(words(73), both("1:13", "1 minute 13 seconds"));
        assert_eq!(words(3723), both("1:02:03", "1 hour 2 minutes 3 seconds"));
        assert_eq!(words(7200), both("2:00:00", "2 hours"));
    }
}
