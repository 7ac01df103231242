//! Entries that are rejected before sending because they cannot be converted to items.

use cityguide_proto::intake::v1::{Counts, Finish, KindCounts, Refusal, Report};

/// Maximum number of listed rejections; the count includes all.
const LISTED: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct Refused {
    count: u32,
    listed: Vec<Refusal>,
}

impl Refused {
    pub(super) fn add(&mut self, position: String, reason: String) {
        self.count = self.count.saturating_add(1);
        if self.listed.len() < LISTED {
            self.listed.push(Refusal {
                position,
                source_id: String::new(),
                reason,
            });
        }
    }

    /// Returns the reason for the first rejection.
    #[cfg(test)]
    pub(super) fn first(&self) -> &str {
        &self.listed[0].reason
    }

    #[cfg(test)]
    pub(super) fn listed(&self) -> usize {
        self.listed.len()
    }

    /// Returns each listed rejection as a line: position and reason.
    pub(crate) fn into_lines(self) -> impl Iterator<Item = String> {
        let listed = self.listed.into_iter();
        listed.map(|refusal| format!("{}: {}", refusal.position, refusal.reason))
    }

    /// Adjusts the final message to a service: these entries count towards the allowed rejections.
    pub(super) fn before(&self, finish: Finish) -> Finish {
        let Some(allowed) = finish.refuse_at_most else {
            return finish;
        };
        let left = allowed.checked_sub(self.count);
        Finish {
            refuse_at_most: Some(left.unwrap_or_default()),
            // Changes nothing if the limit of rejections is already exceeded.
            dry_run: finish.dry_run || left.is_none(),
            ..finish
        }
    }

    /// Adds these rejections, all of the same kind, to a service's report.
    pub(super) fn added_to(self, mut report: Report, kind: &str) -> Report {
        if self.count == 0 {
            return report;
        }
        report.refusals.splice(0..0, self.listed);
        let counted = report.kinds.iter_mut().find(|of| of.kind == kind);
        if let Some(counted) = counted {
            counted.counts.get_or_insert_default().refused += self.count;
        } else {
            let counts = Counts {
                refused: self.count,
                ..Counts::default()
            };
            report.kinds.push(KindCounts {
                kind: kind.to_owned(),
                counts: Some(counts),
            });
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_before_counts_among_what_may_be() {
        let mut refused = Refused::default();
        for line in 1..=3 {
            refused.add(format!("line {line}"), "it is no event".to_owned());
        }
        let finish = |allowed| Finish {
            refuse_at_most: Some(allowed),
            ..Finish::default()
        };
        assert_eq!(refused.before(finish(5)), finish(2));
        assert!(refused.before(finish(2)).dry_run);
        let report = refused.added_to(Report::default(), "events");
        assert_eq!(report.refusals.len(), 3);
        assert_eq!(report.kinds[0].counts.expect("counts").refused, 3);
    }
}
