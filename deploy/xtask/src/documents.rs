//! The commands in the documents that explain how to run tests: each must select tests that exist.

use std::{fs, process::Command};

use anyhow::{Context, bail};
use servers::{checkout::Checkout, process};

use crate::{server, tools::NEXTEST, web};

/// Documents with commands for working on the project.
pub(crate) const DOCUMENTS: [&str; 4] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/TESTING.md",
    "docs/PERFORMANCE.md",
];

/// Programs with which documents run tests, and the command that lists the tests of the arguments behind them.
const SELECTIONS: [(&str, Lister); 4] = [
    ("cargo xtask test unit -- ", Lister::Nextest),
    ("cargo xtask test browser -- ", Lister::Playwright),
    ("npx playwright test ", Lister::Playwright),
    ("npx vitest run ", Lister::Vitest),
];

#[derive(Debug, Clone, Copy)]
enum Lister {
    Nextest,
    Playwright,
    Vitest,
}

/// Returns a document's commands that begin with these words, without them: lines of a console, and code within a
/// sentence, with or without variables before it.
pub(crate) fn commands(document: &str, program: &str) -> Vec<Vec<String>> {
    let document = document.replace("\\\n", " ");
    let mut found = Vec::new();
    for line in document.lines() {
        let console = line.strip_prefix("$ ").into_iter();
        let console = console.map(|line| line.split('#').next().unwrap_or(line));
        let in_sentences = line.split('`').skip(1).step_by(2);
        for command in console.chain(in_sentences) {
            let is_before = |before: &str| before.split_whitespace().all(|word| word.contains('='));
            if let Some((before, arguments)) = command.split_once(program)
                && is_before(before)
            {
                let words = arguments.split('\'').enumerate().flat_map(|(index, part)| {
                    // A quoted text is a single word.
                    match index % 2 {
                        0 => part.split_whitespace().map(str::to_owned).collect(),
                        _ => vec![part.to_owned()],
                    }
                });
                found.push(words.collect());
            }
        }
    }
    found
}

/// Fails, naming the command, if a document's command selects no test or runs a script that does not exist. Commands
/// with a placeholder in capitals are left out.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let package = fs::read_to_string(checkout.path("web/package.json"))?;
    let package: serde_json::Value = serde_json::from_str(&package)?;
    let mut checked = 0;
    for name in DOCUMENTS {
        let text = fs::read_to_string(checkout.path(name)).with_context(|| name.to_owned())?;
        for script in commands(&text, "npm run ").iter().flatten() {
            if package["scripts"][script].is_null() {
                bail!("{name}: npm run {script}: web/package.json has no such script");
            }
            checked += 1;
        }
        for (program, lister) in SELECTIONS {
            for arguments in commands(&text, program) {
                if arguments.iter().any(|word| is_placeholder(word)) {
                    continue;
                }
                let command = format!("{program}{}", arguments.join(" "));
                let mut list = lister.list(checkout, &arguments)?;
                let listed = process::read(&command, &mut list)
                    .with_context(|| format!("{name}: {command}"))?;
                if !lister.has_tests(&String::from_utf8_lossy(&listed)) {
                    bail!("{name}: {command}: selects no test");
                }
                checked += 1;
            }
        }
    }
    if checked < 8 {
        bail!("only {checked} commands were found in the documents");
    }
    Ok(())
}

fn is_placeholder(word: &str) -> bool {
    let mut capitals = word.split(|letter: char| !letter.is_ascii_alphabetic());
    capitals.any(|part| part.len() >= 4 && part.bytes().all(|letter| letter.is_ascii_uppercase()))
}

impl Lister {
    fn list(self, checkout: &Checkout, arguments: &[String]) -> anyhow::Result<Command> {
        let npx = |program: &[&str]| {
            let mut command = Command::new("npx");
            command.args(program).current_dir(checkout.path("web"));
            command
        };
        let mut command = match self {
            Self::Nextest => {
                let mut command = Command::new(NEXTEST.ensure(checkout)?);
                command
                    .args(["nextest", "list", "--workspace"])
                    .current_dir(&checkout.root);
                server::with_lints(&mut command);
                server::without_our_package(&mut command);
                command
            }
            Self::Playwright => npx(&["playwright", "test", "--list"]),
            Self::Vitest => npx(&["vitest", "list", "--filesOnly"]),
        };
        web::install(checkout)?;
        command.args(arguments);
        Ok(command)
    }

    fn has_tests(self, listed: &str) -> bool {
        match self {
            Self::Nextest => listed.lines().any(|line| line.contains("::")),
            Self::Playwright => listed.lines().any(|line| line.contains(".spec.ts:")),
            Self::Vitest => listed.lines().any(|line| line.contains(".test.ts")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_consoles_and_sentences() {
        let document =
            "$ cargo xtask up --port 1 # comment\nRun `A=b npx x test 'a b' c` or `npx y`.\n";
        assert_eq!(commands(document, "cargo xtask "), [["up", "--port", "1"]]);
        assert_eq!(commands(document, "npx x "), [["test", "a b", "c"]]);
        assert!(commands(document, "y").is_empty());
    }

    #[test]
    fn a_word_in_capitals_is_a_placeholder() {
        assert!(is_placeholder("test(NAME)") && is_placeholder("FILE"));
        assert!(!is_placeholder("package(bookmarks)") && !is_placeholder("-E"));
    }
}
