//! The parts of the demo city whose dates must be near today: a contest that ends soon, and newsletters that were sent.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use chrono::{NaiveDate, TimeDelta, Utc};
use regex::{Captures, Regex};

/// The files, in which `{today-7}` is a date.
const FOLDER: &str = "deploy/demo-dated";
/// The folder with the pictures that the files name.
const PICTURES: &str = "deploy/demo";

/// Writes the files with today's dates, and their pictures, as a content folder.
#[expect(
    clippy::disallowed_methods,
    reason = "the demo city's dates follow the machine's clock"
)]
pub(crate) fn write(root: &Path, to: &Path) -> anyhow::Result<()> {
    write_as_of(Utc::now().date_naive(), root, to)
}

fn write_as_of(today: NaiveDate, root: &Path, to: &Path) -> anyhow::Result<()> {
    let from = root.join(FOLDER);
    let picture = Regex::new("(?m)^picture = \"(.*)\"$")?;
    for file in files(&from)? {
        let text = fs::read_to_string(&file)?;
        let relative = file.strip_prefix(&from)?;
        write_file(&to.join(relative), dated(&text, today)?.as_bytes())?;
        for named in picture.captures_iter(&text) {
            let content = fs::read(root.join(PICTURES).join(&named[1]));
            let content = content.with_context(|| format!("the picture {}", &named[1]))?;
            write_file(&to.join(&named[1]), &content)?;
        }
    }
    Ok(())
}

/// Replaces `{today+1}` by the date of tomorrow.
fn dated(text: &str, today: NaiveDate) -> anyhow::Result<String> {
    let date = Regex::new(r"\{today([+-][0-9]{1,3})\}")?;
    let replaced = date.replace_all(text, |found: &Captures<'_>| {
        let days = found[1].parse().unwrap_or_default();
        (today + TimeDelta::days(days)).to_string()
    });
    Ok(replaced.into_owned())
}

fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    fs::create_dir_all(path.parent().context("no folder")?)?;
    Ok(fs::write(path, content)?)
}

/// Returns the files in a folder and its subfolders.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_ends_within_three_days_and_a_dozen_issues_were_sent() {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let today: NaiveDate = "2026-12-31".parse().unwrap();
        write_as_of(today, &root, folder.path()).unwrap();
        let written = files(folder.path()).unwrap();
        let texts: Vec<_> = written
            .iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        assert_eq!(
            texts.iter().filter(|text| text.contains("{today")).count(),
            0
        );
        let contest = texts.iter().find(|text| text.contains("closes ="));
        // At the end of tomorrow, by the city's clock.
        assert!(contest.unwrap().contains("\ncloses = 2027-01-01\n"));
        let sent = texts
            .iter()
            .filter(|text| text.contains("\nsent = 2026-12-"));
        assert_eq!(sent.count(), 12);
        assert_eq!(written.len(), texts.len() + 1, "the contest's picture");
    }
}
