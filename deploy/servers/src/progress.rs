//! Progress for a waiting person: short lines with times. Only this module prints.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a tool for a terminal; its output is its interface"
)]

use std::time::{Duration, Instant};

/// A step that takes time; [`Step::done`] prints its line.
#[must_use]
pub struct Step {
    label: &'static str,
    started: Instant,
}

impl Step {
    /// Starts the clock without printing, for steps that are usually immediate.
    pub fn quiet(label: &'static str) -> Self {
        Self {
            label,
            started: Instant::now(),
        }
    }

    /// Starts the clock and prints the step's purpose.
    pub fn announced(label: &'static str, what: &str) -> Self {
        println!("  {label:<12} {what}…");
        Self::quiet(label)
    }

    /// Prints the step's line, with its time.
    pub fn done(self, what: &str) {
        println!(
            "  {:<12} {what:<52} {:>8}",
            self.label,
            seconds(self.started.elapsed())
        );
    }
}

/// A heading between sections.
pub fn heading(text: &str) {
    println!(
        "\n── {text} {}",
        "─".repeat(72_usize.saturating_sub(text.chars().count()))
    );
}

/// Prints a line.
pub fn line(text: &str) {
    println!("{text}");
}

/// Prints the command's error to the standard error.
pub fn failure(error: &anyhow::Error) {
    eprintln!("\nerror: {error:#}");
}

/// A duration in readable form: `0.4 s`, `2 min 05 s`.
#[must_use]
pub fn seconds(time: Duration) -> String {
    if time < Duration::from_mins(1) {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_naturally() {
        assert_eq!(seconds(Duration::from_millis(420)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }
}
