//! Printed report of an import.

use cityguide_proto::intake::v1::{Counts, KindCounts, Report};

use super::console::print;

/// Maximum number of printed rejections, so that a broken file does not fill the screen.
const MAX_REFUSALS: usize = 50;

/// Merges the reports of two related imports.
pub(super) fn merged(first: Report, second: Report) -> Report {
    let mut report = first;
    report.kinds.extend(second.kinds);
    report.refusals.extend(second.refusals);
    report.changes.extend(second.changes);
    report.applied &= second.applied;
    report
}

/// Prints the item counts, and each rejection with its position and reason.
pub(super) fn print_report(report: &Report, source: &str) -> Result<(), String> {
    for refusal in report.refusals.iter().take(MAX_REFUSALS) {
        let at = if refusal.position.is_empty() {
            source
        } else {
            &refusal.position
        };
        let what = match refusal.source_id.as_str() {
            "" => "what is",
            source_id => source_id,
        };
        print(&format!("refused {what} at {at}: {}", refusal.reason))?;
    }
    if let Some(more) = beyond(report.refusals.len(), MAX_REFUSALS) {
        print(&format!("… and {more} more refusals"))?;
    }
    for KindCounts { kind, counts } in &report.kinds {
        let Counts {
            created,
            changed,
            unchanged,
            refused,
        } = counts.unwrap_or_default();
        print(&format!(
            "{kind}: {} read, {created} created, {changed} changed, {unchanged} unchanged, {refused} refused",
            created + changed + unchanged + refused
        ))?;
    }
    Ok(())
}

/// Prints the report of a folder that is applied completely or not at all; returns an error if it was rejected.
pub(super) fn print_applied(report: &Report, folder: &str, dry_run: bool) -> Result<(), String> {
    if dry_run {
        print_changes(report)?;
    }
    print_report(report, folder)?;
    match (report.applied, dry_run) {
        (true, _) => Ok(()),
        (false, true) => print("nothing was changed: this was a dry run"),
        (false, false) => Err(format!("{folder} was refused; nothing was changed")),
    }
}

/// Prints a line for each new or changed item, with the changed fields.
pub(super) fn print_changes(report: &Report) -> Result<(), String> {
    for change in &report.changes {
        let at = match (change.position.as_str(), change.source_id.as_str()) {
            ("", source_id) => source_id.to_owned(),
            // For a large file, an id is more useful than a line number.
            (line, source_id) if line.starts_with("line ") => format!("{source_id} at {line}"),
            (file, _) => file.to_owned(),
        };
        if change.is_new {
            print(&format!("+ {at}"))?;
        } else {
            print(&format!("~ {at}: {}", change.fields.join(", ")))?;
        }
    }
    let counts = report.kinds.iter().filter_map(|of| of.counts);
    let all: u32 = counts.map(|of| of.created + of.changed).sum();
    let all = usize::try_from(all).unwrap_or(usize::MAX);
    if let Some(more) = beyond(all, report.changes.len()) {
        print(&format!("… and {more} more"))?;
    }
    Ok(())
}

fn beyond(all: usize, shown: usize) -> Option<usize> {
    all.checked_sub(shown).filter(|more| *more > 0)
}
