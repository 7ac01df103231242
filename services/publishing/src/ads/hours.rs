//! Hours of the week in a campaign's file: `mon-fri 07:00-10:00`.

/// Names of the days, from Monday.
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Parses hours of the week, counted from Monday 00:00 (0); `None` for an invalid text.
pub(super) fn hours(text: &str) -> Option<Vec<u32>> {
    let (days, clock) = text.split_once(' ')?;
    let (first, last) = days.split_once('-').unwrap_or((days, days));
    let day = |name: &str| {
        (0_u32..)
            .zip(DAYS)
            .find(|(_, day)| *day == name)
            .map(|(at, _)| at)
    };
    let (first, last) = (day(first)?, day(last)?);
    let (from, until) = clock.trim().split_once('-')?;
    let (from, until) = (hour(from)?, hour(until)?);
    if from >= until || first > last {
        return None;
    }
    let days = first..=last;
    let of_day = |day: u32| (from..until).map(move |hour| day * 24 + hour);
    Some(days.flat_map(of_day).collect())
}

/// Parses a whole hour: `07:00`, at most `24:00`.
fn hour(text: &str) -> Option<u32> {
    let (hour, minutes) = text.split_once(':')?;
    let hour: u32 = (hour.len() == 2).then(|| hour.parse().ok())??;
    (minutes == "00" && hour <= 24).then_some(hour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_whole_hours_are_hours_of_the_week() {
        assert_eq!(hours("mon 07:00-09:00"), Some(vec![7, 8]));
        assert_eq!(hours("sat-sun 23:00-24:00"), Some(vec![143, 167]));
        assert_eq!(hours("mon-sun 00:00-24:00").map(|all| all.len()), Some(168));
        for text in [
            "",
            "mon",
            "mon 07:00",
            "mon 09:00-07:00",
            "mon 07:30-09:00",
            "fri-mon 07:00-09:00",
            "mon 07:00-25:00",
            "monday 07:00-09:00",
            "mon 7:00-9:00",
        ] {
            assert_eq!(hours(text), None, "{text}");
        }
    }
}
