//! Content files of manually written newsletter issues.

use std::{fs, path::Path};

use chrono::{DateTime, Utc};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::document::Document;
use crate::text_files;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    kind: String,
    subject: String,
    preheader: String,
    send_at: Option<Spanned<Datetime>>,
}

/// A newsletter issue from a file.
#[derive(Debug)]
pub struct WrittenIssue {
    /// Name of the newsletter, as in the settings.
    pub kind: String,
    /// File name without its extension.
    pub name: String,
    /// Subject of the issue's emails.
    pub subject: String,
    /// Preview text that mail programs show beside the subject.
    pub preheader: String,
    /// Text before the items.
    pub text_markdown: String,
    /// Time of sending; `None` for the next scheduled time.
    pub send_at: Option<DateTime<Utc>>,
}

impl WrittenIssue {
    /// Reads a file; the error contains the line of a mistake.
    pub fn read(file: &Path) -> Result<Self, String> {
        let shown = file.display().to_string();
        let content = fs::read(file).map_err(|error| format!("{shown}: {error}"))?;
        let text = text_files::decode(content).map_err(|why| format!("{shown} {why}"))?;
        let document = Document::split(&shown, &text)?;
        let front: Front = document.front()?;
        let mut mistakes = Vec::new();
        let send_at = front.send_at.as_ref();
        let send_at = send_at.and_then(|at| document.instant("send_at", at, &mut mistakes));
        if let Some(mistake) = mistakes.into_iter().next() {
            return Err(mistake);
        }
        let name = file.file_stem().unwrap_or_default();
        Ok(Self {
            kind: front.kind,
            name: name.to_string_lossy().into_owned(),
            subject: front.subject,
            preheader: front.preheader,
            text_markdown: document.body.to_owned(),
            send_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<WrittenIssue, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("win-a-canoe.md");
        fs::write(&file, text).expect("writes");
        let read = WrittenIssue::read(&file);
        let shown = format!("{}/", folder.path().display());
        read.map_err(|error| error.replace(&shown, ""))
    }

    #[test]
    fn a_file_is_an_issue_and_its_name_is_the_issues() {
        let head =
            "+++\nkind = \"contests\"\nsubject = \"Win a canoe\"\npreheader = \"Until Friday\"\n";
        let issue = read(&format!(
            "{head}send_at = 2026-12-03T14:00:00Z\n+++\n\nIt is *red*.\n"
        ));
        let issue = issue.expect("valid");
        assert_eq!(
            (issue.kind.as_str(), issue.name.as_str()),
            ("contests", "win-a-canoe")
        );
        assert_eq!(issue.text_markdown, "It is *red*.");
        assert_eq!(
            issue.send_at,
            Some("2026-12-03T14:00:00Z".parse().expect("an instant"))
        );
        let wrong = read(&format!("{head}send_at = 14:00:00\n+++\nWords")).expect_err("no date");
        assert!(
            wrong.starts_with("win-a-canoe.md, line 5: send_at must"),
            "{wrong}"
        );
        let wrong = read("+++\nkind = \"contests\"\nsender = \"me\"\n+++\nWords");
        assert!(
            wrong
                .expect_err("unknown")
                .starts_with("win-a-canoe.md, line 3")
        );
    }
}
