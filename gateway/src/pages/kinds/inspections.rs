//! Inspections on a place's page (`web/src/features/listings/Inspections.tsx`).

use maud::{Markup, html};

use crate::{
    pages::content::markup::button_space,
    v2::inspections::{Infraction, Inspection, LatestInspections},
    words::numbers::{counted, grouped},
};

/// The initial timeline; empty for a place without inspections.
pub(super) fn timeline(latest: &LatestInspections) -> Markup {
    let loaded = i64::try_from(latest.results.len()).unwrap_or(i64::MAX);
    html! {
        @if !latest.results.is_empty() {
            details class="Inspections_section" {
                summary class="Inspections_summary" {
                    h2 class="SectionHeading_title" { "Food inspections" }
                }
                ol class="Inspections_timeline" {
                    @for one in &latest.results { (entry(one)) }
                }
                div class="LoadMore_more" {
                    @if latest.count > loaded {
                        p class="LoadMore_progress" {
                            (grouped(loaded)) " of " (grouped(latest.count))
                        }
                    }
                    @if latest.next.is_some() { (button_space("")) }
                }
            }
        }
    }
}

/// The last outcome and its date.
pub(super) fn last(latest: &LatestInspections) -> Option<Markup> {
    let last = latest.results.first()?;
    Some(html! {
        b class=(if last.is_pass { "Badge_open" } else { "Badge_shut" }) { (last.outcome) }
        span class="Badge_line" { time datetime=(last.date) { (last.inspected_on) } }
    })
}

fn entry(one: &Inspection) -> Markup {
    let found = i64::try_from(one.infractions.len()).unwrap_or(i64::MAX);
    html! {
        li class="Inspections_inspection" data-passed=[one.is_pass.then_some("true")] {
            h3 class="Inspections_outcome" { (one.outcome) }
            p class="Inspections_when" {
                time datetime=(one.date) { (one.inspected_on) }
                ", "
                @if found == 0 {
                    "no infractions"
                } @else {
                    (counted(found, ["infraction", "infractions"]))
                }
            }
            @if found > 0 {
                ul class="Inspections_infractions" {
                    @for infraction in &one.infractions { (item(infraction)) }
                }
            }
        }
    }
}

fn item(infraction: &Infraction) -> Markup {
    let notes = infraction.notes();
    html! {
        li {
            @if let Some(severity) = infraction.severity {
                b class="Inspections_severity" { (severity.name()) }
                " "
            }
            (infraction.details)
            @if !notes.is_empty() {
                span class="Inspections_notes" { (notes.join(" · ")) }
            }
        }
    }
}
