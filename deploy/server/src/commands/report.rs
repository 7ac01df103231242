//! What an import says of itself.

use cityguide_proto::{intake::v1::Counts, places::v1::ImportResponse};

use super::print;

/// Refusals that are written out; a broken file would else fill the screen.
const MOST_REFUSALS: usize = 50;

/// Prints the counts of what the input held, and each refusal with its place and reason.
pub(super) fn print_report(source: &str, report: &ImportResponse) -> Result<(), String> {
    for refusal in report.refusals.iter().take(MOST_REFUSALS) {
        let at = if refusal.position.is_empty() {
            source
        } else {
            &refusal.position
        };
        print(&format!(
            "refused {} at {at}: {}",
            refusal.source_id, refusal.reason
        ))?;
    }
    if let Some(more) = report
        .refusals
        .len()
        .checked_sub(MOST_REFUSALS)
        .filter(|more| *more > 0)
    {
        print(&format!("… and {more} more refusals"))?;
    }
    for (what, counts) in [
        ("types", report.types),
        ("neighbourhoods", report.neighbourhoods),
        ("places", report.listings),
    ] {
        if let Some(counts) = counts.filter(|counts| total(counts) > 0) {
            let Counts {
                created,
                changed,
                unchanged,
                refused,
            } = counts;
            print(&format!(
                "{what}: {} read, {created} created, {changed} changed, {unchanged} unchanged, {refused} refused",
                total(&counts)
            ))?;
        }
    }
    Ok(())
}

fn total(counts: &Counts) -> u32 {
    counts.created + counts.changed + counts.unchanged + counts.refused
}
