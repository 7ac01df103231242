//! Tests the running site against its OpenAPI document: Schemathesis sends valid and invalid requests and checks every
//! response.

use std::process::Command;

use servers::{
    checkout::Checkout,
    process::{Output, Running},
    progress::Step,
};

use crate::{
    browser,
    database::Database,
    demo_photos,
    server::{Build, Program},
};

/// The configuration of Schemathesis, and the hook that signs it in.
const FOLDER: &str = "deploy/contract";

/// Tests the demo city with some readers' photos, as a guest and as a reader in parallel, since Schemathesis uses only
/// one core.
pub(crate) fn tests(
    checkout: &Checkout,
    database: &Database,
    schemathesis: impl Fn() -> Command,
) -> anyhow::Result<()> {
    browser::serving(checkout, database, Build::WithTests, "contract", |site| {
        demo_photos::some(checkout, &Program::build(checkout, Build::WithTests)?, site)?;
        let start = |who: &str, hooks: Option<&str>| {
            let log = checkout.log(&format!("contract-{who}"))?;
            let mut command = schemathesis();
            command
                // Schemathesis writes files for `schemathesis replay` into this folder.
                .current_dir(checkout.kept())
                .arg("--config-file")
                .arg(checkout.path(FOLDER).join("schemathesis.toml"))
                .args(["run", "--no-color", "--warnings", "off"])
                .arg(format!("{}/api/v2/openapi.json", site.url()))
                .env("BASE_URL", site.url())
                .env("PYTHONPATH", checkout.path(FOLDER))
                .envs(hooks.map(|hooks| ("SCHEMATHESIS_HOOKS", hooks)));
            let name = format!("Schemathesis as a {who}");
            Running::start(&name, &mut command, Output::Log(&log))
        };
        let step = Step::announced("Schemathesis", "as a guest and as a reader");
        let (guest, reader) = (start("guest", None)?, start("reader", Some("reader"))?);
        let outcomes = [guest.finish(), reader.finish()];
        outcomes.into_iter().collect::<anyhow::Result<()>>()?;
        step.done("every answer is as the document says");
        Ok(())
    })
}
