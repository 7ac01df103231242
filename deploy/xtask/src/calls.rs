//! Compares the API responses that tests have received with the OpenAPI document: a documented response that no test
//! has received is untested.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, bail};
use serde_json::Value;
use servers::checkout::Checkout;
use tempfile::TempDir;

/// The variable that names the folder in which tests record `METHOD path status content-type`, `-` for no
/// content.
pub(crate) const VARIABLE: &str = "CITYGUIDE_TEST_CALLS";
const DOCUMENT: &str = "web/openapi.json";

/// The responses of each operation: statuses with content types.
type Answers = BTreeMap<(String, String), BTreeSet<String>>;

/// The calls of a run.
pub(crate) struct Calls {
    folder: TempDir,
}

impl Calls {
    pub(crate) fn begin() -> std::io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("cityguide-calls-")
            .tempdir()?;
        Ok(Self { folder })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Fails if documented responses were not received, or undocumented responses were received; the error names them.
    pub(crate) fn require_all(&self, checkout: &Checkout) -> anyhow::Result<()> {
        let mut seen = String::new();
        for file in fs::read_dir(self.folder())? {
            seen.push_str(&fs::read_to_string(file?.path())?);
        }
        let document = fs::read_to_string(checkout.path(DOCUMENT))?;
        let document = serde_json::from_str(&document).context(DOCUMENT)?;
        compare(&documented(&document), &seen)
    }
}

fn documented(document: &Value) -> Answers {
    let mut answers = Answers::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let operation_name = format!("{} {path}", method.to_uppercase());
            let responses = operation["responses"].as_object();
            for (status, response) in responses.into_iter().flatten() {
                let forms = response["content"].as_object().into_iter().flatten();
                answers.insert(
                    (operation_name.clone(), status.clone()),
                    forms.map(|(form, _)| form.clone()).collect(),
                );
            }
        }
    }
    answers
}

fn compare(documented: &Answers, seen: &str) -> anyhow::Result<()> {
    let mut unmet: BTreeSet<_> = documented.keys().collect();
    let mut wrong = BTreeSet::new();
    for line in seen.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let [method, path, status, form] = words[..] else {
            bail!("a test has noted {line:?}, which is no call");
        };
        let answer = (format!("{method} {path}"), status.to_owned());
        let forms = documented.get(&answer);
        let is_known = forms.is_some_and(|forms| match form {
            "-" => forms.is_empty(),
            form => forms.contains(form),
        });
        if !is_known {
            wrong.insert(format!("{line}: no such answer is in {DOCUMENT}"));
        }
        unmet.remove(&answer);
    }
    let unmet = unmet
        .into_iter()
        .map(|(operation, status)| format!("{operation} {status}: documented, and no test met it"));
    let lines: Vec<_> = wrong.into_iter().chain(unmet).collect();
    if lines.is_empty() {
        return Ok(());
    }
    bail!(
        "the API's document is not what tests have met:\n{}",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(seen: &str) -> String {
        let content = json!({"application/json": {}});
        let document = json!({"paths": {
            "/a/": {"get": {"responses": {"200": {"content": content}, "304": {}}}},
            "/a/{id}/": {"delete": {"responses": {"204": {}}}},
        }});
        match compare(&documented(&document), seen) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_documented_answer_must_be_met_and_no_other() {
        let all = "GET /a/ 200 application/json\nGET /a/ 304 -\nDELETE /a/{id}/ 204 -\n";
        assert_eq!(report(all), "");
        let lacking = report("GET /a/ 200 application/json\nDELETE /a/{id}/ 204 -\n");
        assert!(
            lacking.ends_with(":\nGET /a/ 304: documented, and no test met it"),
            "{lacking}"
        );
        for more in [
            "GET /a/ 200 text/plain",
            "GET /a/ 200 -",
            "GET /a/ 500 -",
            "POST /a/ 200 -",
        ] {
            let wrong = report(&format!("{all}{more}\n"));
            assert!(
                wrong.contains(&format!("\n{more}: no such answer")),
                "{wrong}"
            );
        }
        assert!(report("nonsense").contains("which is no call"));
    }
}
