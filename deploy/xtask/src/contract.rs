//! The running site against its OpenAPI document: Schemathesis sends requests that the document allows and
//! others that it does not, and checks every answer.

use std::process::Command;

use servers::{
    checkout::Checkout,
    process::{self, Output},
};

use crate::{browser, database::Database, server::Build};

/// Its configuration, and the hook that signs it in.
const FOLDER: &str = "deploy/contract";

/// Tests the demo city as a guest, then as a reader.
pub(crate) fn tests(
    checkout: &Checkout,
    database: &Database,
    build: Build,
    schemathesis: impl Fn() -> Command,
) -> anyhow::Result<()> {
    browser::serving(checkout, database, build, "contract", |site| {
        for reader in [None, Some("reader")] {
            let mut command = schemathesis();
            command
                // Beside its logs, where it leaves files for `schemathesis replay`.
                .current_dir(checkout.kept())
                .arg("--config-file")
                .arg(checkout.path(FOLDER).join("schemathesis.toml"))
                .args(["run", "--no-color", "--warnings", "off"])
                .arg(format!("{}/api/v2/openapi.json", site.url()))
                .env("BASE_URL", site.url())
                .env("PYTHONPATH", checkout.path(FOLDER))
                .envs(reader.map(|hooks| ("SCHEMATHESIS_HOOKS", hooks)));
            let who = reader.unwrap_or("guest");
            process::run(
                &format!("Schemathesis as a {who}"),
                &mut command,
                Output::Shown,
            )?;
        }
        Ok(())
    })
}
