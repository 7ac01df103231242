//! A simulated day of ads, whose service is killed all the time.

use serde::Deserialize;
use serde_json::json;
use servers::{checkout::Checkout, progress};

use super::site::Stage;
use crate::{performance, server};

/// The key of tickets and of the log: the operator's program checks what the service has signed.
const KEY: (&str, &str) = (
    "CITYGUIDE__INTERNAL__KEY",
    "the key of a simulated day of ads, for nothing else",
);

/// The size of the day.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Size {
    /// Pages of the day, without its rush
    #[arg(long, default_value_t = 10_000_000)]
    pages: u32,
    #[arg(long, default_value_t = 1_000)]
    campaigns: u32,
    /// Impressions of each campaign
    #[arg(long, default_value_t = 10_000)]
    goal: u32,
    /// How often the service is killed
    #[arg(long, default_value_t = 20)]
    kills: u32,
}

/// The output of the crate `bench`.
#[derive(Debug, Deserialize)]
struct Outcome {
    pages: u64,
    campaigns: u32,
    goal: u32,
    kills: u32,
    unanswered: u64,
    sent: u64,
    repeated: u64,
    choice: f64,
    charged: u64,
    surplus: u64,
    invalid: u64,
    overshoot: i64,
    least: f64,
    hours: u32,
    hours_off: u32,
    most_off: f64,
    verified: String,
    changed: String,
    minutes: f64,
}

/// Lets the day pass, prints what came of it, and if asked writes it into the document.
pub(super) fn bench(checkout: &Checkout, size: Size, writes: bool) -> anyhow::Result<()> {
    let stage = Stage::prepare(checkout, 0)?;
    let (program, mut environment) = stage.program();
    environment.push((KEY.0.to_owned(), KEY.1.to_owned()));
    let service = server::example_of(checkout, "ads", "told_the_time")?;
    let plan = json!({
        "database": stage.settings.database,
        "service": service,
        "operator": {"program": program, "environment": environment},
        "pages": size.pages,
        "campaigns": size.campaigns,
        "goal": size.goal,
        "kills": size.kills,
    });
    let outcome: Outcome = stage.measure("ads-day", &plan)?;
    let text = text(&outcome);
    progress::line(&format!("\n{text}"));
    if writes {
        performance::write(checkout, "ads-day", &text)?;
    }
    Ok(())
}

fn text(outcome: &Outcome) -> String {
    let Outcome {
        pages,
        campaigns,
        goal,
        kills,
        unanswered,
        sent,
        repeated,
        choice,
        charged,
        surplus,
        invalid,
        overshoot,
        least,
        hours,
        hours_off,
        most_off,
        verified,
        changed,
        minutes,
    } = outcome;
    let met = |is_met: bool| if is_met { "met" } else { "**missed**" };
    let (least, most_off) = (least * 100.0, most_off * 100.0);
    format!(
        "{}; {pages} pages, {campaigns} campaigns of {goal} impressions, the service killed {kills} times; {minutes:.0} \
         minutes.\n\n\
         | what | reach | came | |\n|---|---|---|---|\n\
         | events counted of those that were sent | each once | {sent} of {sent}; {unanswered} calls were not answered, \
         {repeated} of their events had been counted | met |\n\
         | charged beyond a goal | 0 | {overshoot} | {} |\n\
         | hours of line items off by more than 2 % and 4 impressions | 0 | {hours_off} of {hours}; of those with 200 \
         impressions the worst by {most_off:.2} % | {} |\n\
         | the least part of a goal | | {least:.2} % | |\n\
         | charged, beyond the goal, invalid | | {charged}, {surplus}, {invalid} | |\n\
         | the choice for a page | | {choice:.1} µs | |\n\
         | `ads verify` | the reports say the same | {verified} | met |\n\
         | `ads verify` after one byte was changed | is found | {changed} | met |\n",
        performance::machine(),
        met(*overshoot <= 0),
        met(*hours_off == 0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_misses_its_goals_says_so() {
        let mut outcome: Outcome = serde_json::from_value(json!({
            "pages": 10, "campaigns": 2, "goal": 5, "kills": 1, "unanswered": 1, "sent": 12, "repeated": 1, "choice": 2.5,
            "charged": 9, "surplus": 1, "invalid": 0, "overshoot": 0, "least": 0.9, "hours": 48, "hours_off": 0,
            "most_off": 0.011, "verified": "the reports say the same", "changed": "the log is broken at batch 3",
            "minutes": 1.0,
        }))
        .expect("an outcome");
        let good = text(&outcome);
        assert!(
            good.contains("| charged beyond a goal | 0 | 0 | met |"),
            "{good}"
        );
        assert!(!good.contains("missed"), "{good}");
        outcome.overshoot = 1;
        outcome.hours_off = 3;
        assert_eq!(text(&outcome).matches("**missed**").count(), 2);
    }
}
