//! Recurrences across clock changes and within limits.

use super::*;

fn local(text: &str) -> NaiveDateTime {
    text.parse().expect("a local time")
}

fn utc(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn schedule(starts: &str, ends: &str, rule: &str) -> Schedule {
    Schedule {
        zone: zone("Canada/Eastern").expect("a zone"),
        starts: local(starts),
        ends: local(ends),
        is_all_day: false,
        rule: rule.to_owned(),
        exceptions: Vec::new(),
        additions: Vec::new(),
    }
}

fn starts(schedule: &Schedule, from: &str, to: &str) -> Vec<String> {
    let found = schedule.occurrences(utc(from), utc(to)).expect("expands");
    found
        .iter()
        .map(|one| chassis::instant::to_rfc3339(one.starts_at)[..16].to_owned())
        .collect()
}

#[test]
fn a_weekly_market_keeps_its_hour_over_both_clock_changes() {
    let market = schedule(
        "2026-03-01T09:00:00",
        "2026-03-01T14:00:00",
        "FREQ=WEEKLY;COUNT=40",
    );
    let spring = starts(&market, "2026-03-01T00:00:00Z", "2026-03-16T00:00:00Z");
    assert_eq!(
        spring,
        ["2026-03-01T14:00", "2026-03-08T13:00", "2026-03-15T13:00"]
    );
    let autumn = starts(&market, "2026-10-25T00:00:00Z", "2026-11-09T00:00:00Z");
    assert_eq!(
        autumn,
        ["2026-10-25T13:00", "2026-11-01T14:00", "2026-11-08T14:00"]
    );
}

#[test]
fn a_night_over_a_clock_change_ends_by_the_wall_clock() {
    let night = schedule("2026-03-07T22:00:00", "2026-03-08T04:00:00", "");
    let found = night
        .occurrences(DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH)
        .expect("expands");
    // Six hours by local time, five hours elapsed.
    assert_eq!(found[0].ends_at - found[0].starts_at, TimeDelta::hours(5));
}

#[test]
fn a_time_that_a_clock_change_leaves_out_is_what_the_clock_shows_instead() {
    let lost = schedule("2026-03-08T02:30:00", "2026-03-08T02:45:00", "");
    let found = lost
        .occurrences(DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH)
        .expect("expands");
    assert_eq!(found[0].starts_at, utc("2026-03-08T07:30:00Z"));
    let twice = schedule("2026-11-01T01:30:00", "2026-11-01T01:45:00", "");
    let found = twice
        .occurrences(DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH)
        .expect("expands");
    assert_eq!(found[0].starts_at, utc("2026-11-01T05:30:00Z"));
}

#[test]
fn exceptions_are_left_out_and_an_endless_rule_ends_at_the_window() {
    let mut daily = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
    daily.exceptions.push(local("2026-06-02T18:00:00"));
    let found = starts(&daily, "2026-06-01T00:00:00Z", "2026-06-04T00:00:00Z");
    assert_eq!(found, ["2026-06-01T22:00", "2026-06-03T22:00"]);
    let years = daily
        .occurrences(utc("2026-06-01T00:00:00Z"), utc("2126-06-01T00:00:00Z"))
        .expect("expands");
    assert_eq!(years.len(), usize::from(MAX));
}

#[test]
fn what_is_on_when_the_window_begins_is_within() {
    let daily = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
    let found = starts(&daily, "2026-06-02T23:00:00Z", "2026-06-03T12:00:00Z");
    assert_eq!(found, ["2026-06-02T22:00"]);
}

#[test]
fn the_last_day_of_a_rule_is_the_intended_one() {
    let mut weekly = schedule(
        "2026-11-06T19:00:00",
        "2026-11-06T22:00:00",
        "FREQ=WEEKLY;BYDAY=FR;UNTIL=20261120",
    );
    weekly.normalize();
    let found = starts(&weekly, "2026-11-01T00:00:00Z", "2027-01-01T00:00:00Z");
    let expected = ["2026-11-07T00:00", "2026-11-14T00:00", "2026-11-21T00:00"];
    assert_eq!(found, expected);
    let mut days = schedule(
        "2026-11-01T00:00:00",
        "2026-11-02T00:00:00",
        "FREQ=MONTHLY;BYDAY=1SU;UNTIL=20270103",
    );
    days.is_all_day = true;
    days.exceptions.push(local("2026-12-06T10:00:00"));
    days.normalize();
    let found = starts(&days, "2026-11-01T00:00:00Z", "2027-12-01T00:00:00Z");
    assert_eq!(found, ["2026-11-01T04:00", "2027-01-03T05:00"]);
}

#[test]
fn days_are_added_with_a_rule_or_without() {
    let mut fair = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "");
    fair.additions.push(local("2026-06-20T18:00:00"));
    fair.additions.push(local("2026-06-09T10:00:00"));
    let (from, to) = ("2026-05-01T00:00:00Z", "2026-08-01T00:00:00Z");
    let expected = ["2026-06-01T22:00", "2026-06-09T14:00", "2026-06-20T22:00"];
    assert_eq!(starts(&fair, from, to), expected);
    fair.exceptions.push(local("2026-06-01T18:00:00"));
    assert_eq!(starts(&fair, from, to), expected[1..]);
    fair.rule = "FREQ=DAILY;COUNT=2".to_owned();
    let expected = ["2026-06-02T22:00", "2026-06-09T14:00", "2026-06-20T22:00"];
    assert_eq!(starts(&fair, from, to), expected);
}

#[test]
fn occurrences_are_left_out_by_whatever_clock_they_are_told() {
    let mut daily = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
    let toronto = daily.zone;
    daily.leave_out([
        (local("2026-06-03T18:00:00"), toronto),
        (local("2026-06-02T22:00:00"), Tz::UTC),
        (local("2026-06-02T18:00:00"), toronto),
    ]);
    let expected = [local("2026-06-02T18:00:00"), local("2026-06-03T18:00:00")];
    assert_eq!(daily.exceptions, expected);
    let mut nightly = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
    nightly.leave_out([(local("2026-06-03T00:00:00"), toronto)]);
    assert_eq!(nightly.exceptions, [local("2026-06-03T18:00:00")]);
    let mut days = schedule("2026-06-01T00:00:00", "2026-06-02T00:00:00", "FREQ=DAILY");
    days.is_all_day = true;
    days.leave_out([
        (local("2026-06-03T00:00:00"), Tz::UTC),
        (local("2026-06-05T03:59:59"), Tz::UTC),
        (local("2026-06-05T18:00:00"), toronto),
    ]);
    let expected = [
        "2026-06-03T00:00:00",
        "2026-06-04T00:00:00",
        "2026-06-05T00:00:00",
    ];
    assert_eq!(days.exceptions, expected.map(local));
    let mut once = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "");
    once.leave_out([(once.starts, toronto)]);
    assert!(once.exceptions.is_empty());
}

#[test]
fn a_rule_that_would_take_for_ever_is_refused_at_once() {
    let (starts, ends) = ("2026-06-01T18:00:00", "2026-06-01T18:00:00");
    for rule in [
        "FREQ=SECONDLY",
        "freq=minutely;COUNT=5",
        "FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7;BYMINUTE=1,2,3,4,5,6,7",
        "FREQ=HOURLY;BYMINUTE=0,20,40",
    ] {
        let refused = schedule(starts, ends, rule).check().expect_err(rule);
        assert!(refused.contains("times a day"), "{refused}");
    }
    let (from, to) = (utc("2026-06-01T00:00:00Z"), utc("2027-06-01T00:00:00Z"));
    let hours = schedule("1990-06-01T18:00:00", "1990-06-01T18:00:00", "FREQ=HOURLY");
    hours.check().expect("a rule");
    hours.occurrences(from, to).expect_err("too long ago");
    for rule in [
        "FREQ=DAILY;COUNT=1000000000",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    ] {
        let odd = schedule("1900-06-01T18:00:00", "1900-06-01T18:00:00", rule);
        let begun = std::time::Instant::now();
        odd.occurrences(from, to).expect("expands");
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(5),
            "{rule}"
        );
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let (starts, ends) = ("2026-06-01T18:00:00", "2026-06-01T20:00:00");
    assert!(schedule(ends, starts, "").check().is_err());
    for rule in [
        "FREQ=SOMETIMES",
        "nonsense",
        "FREQ=DAILY;UNTIL=never",
        "FREQ=DAILY\nRDATE:20260601T180000Z",
    ] {
        assert!(schedule(starts, ends, rule).check().is_err(), "{rule}");
    }
    let far = schedule("9999-06-01T18:00:00", "9999-06-01T18:00:00", "");
    assert!(far.check().is_err());
    assert!(zone("Canada/Nowhere").is_err());
}
