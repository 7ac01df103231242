//! Imports of entries by a call each, with the report of the calls.

use chassis::error::{Code, Fault};
use cityguide_proto::intake::v1::{Change, Counts, KindCounts, Refusal, Report};

/// An entry of a content folder that is imported by its own call.
pub(super) trait Entry {
    /// Position in the folder: "places/pai.md, line 14".
    fn position(&self) -> &str;
    fn source_id(&self) -> &str;
}

/// The effect of an import on an entry.
pub(super) enum Effect {
    Created,
    /// With the changed fields, by their names for publishers.
    Changed(Vec<String>),
    Unchanged,
}

/// Imports all entries, one at a time, and counts the effects. An invalid entry is refused; any other error ends the
/// import.
pub(super) async fn report<T: Entry>(
    kind: &str,
    entries: &[T],
    import: impl AsyncFn(&T) -> Result<Effect, Fault>,
) -> Result<Report, String> {
    let mut counts = Counts::default();
    let mut report = Report::default();
    for entry in entries {
        let (position, source_id) = (entry.position().to_owned(), entry.source_id().to_owned());
        let change = |is_new, fields| Change {
            position: position.clone(),
            source_id: source_id.clone(),
            is_new,
            fields,
        };
        match import(entry).await {
            Ok(Effect::Created) => {
                counts.created += 1;
                report.changes.push(change(true, Vec::new()));
            }
            Ok(Effect::Changed(fields)) => {
                counts.changed += 1;
                report.changes.push(change(false, fields));
            }
            Ok(Effect::Unchanged) => counts.unchanged += 1,
            Err(fault) if fault.code == Code::Invalid => {
                counts.refused += 1;
                report.refusals.push(Refusal {
                    position,
                    source_id,
                    reason: fault.line(),
                });
            }
            Err(fault) => return Err(fault.message),
        }
    }
    if !entries.is_empty() {
        report.kinds.push(KindCounts {
            kind: kind.to_owned(),
            counts: Some(counts),
        });
    }
    report.applied = report.refusals.is_empty();
    Ok(report)
}
