//! The table of targets, printed by the program and read by deployments and this crate.

use std::{fmt::Write as _, fs};

use anyhow::{Context, ensure};
use serde::Deserialize;
use servers::checkout::Checkout;

/// The table. It is stored with the chart, because a chart must contain every file that it reads.
pub(crate) const TABLE: &str = "helm/cityguide/targets.json";
/// A file with a part that is generated from the table.
pub(crate) const COMPOSE: &str = "deploy/compose/compose.distributed.yaml";
/// A file with a part that is generated from the table.
pub(crate) const PROMETHEUS: &str = "deploy/observability/prometheus/prometheus.yaml";
/// The rules, which are stored with the chart for the same reason as the table.
pub(crate) const CHART_RULES: &str = "helm/cityguide/rules.yaml";
const RULES: &str = "deploy/observability/prometheus/rules.yaml";

/// Lines around the generated parts.
const BEGIN: &str = "# Generated from the table of targets by `cargo xtask gen`:";
const END: &str = "# End of the generated part.";
/// Gateways of the compose file.
const GATEWAYS: usize = 2;

/// A target that a process can run.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Target {
    /// The target's name in `--target` and `[services.<name>]`.
    pub(crate) name: String,
    /// The services that the target calls.
    pub(crate) calls: Vec<String>,
    /// The servers and folders that the target uses.
    pub(crate) stores: Vec<String>,
    /// Whether the target reads the site's file.
    pub(crate) reads_site_file: bool,
    /// Whether the target serves public requests; true for the gateway.
    pub(crate) public: bool,
}

impl Target {
    /// The setting of other processes that contains this target's URL.
    pub(crate) fn url_key(&self) -> String {
        url_key(&self.name)
    }
}

fn url_key(name: &str) -> String {
    format!("CITYGUIDE__SERVICES__{}__URL", name.to_uppercase())
}

/// Every target; services come before their callers, and the gateway is the last.
pub(crate) fn read(checkout: &Checkout) -> anyhow::Result<Vec<Target>> {
    let file = checkout.path(TABLE);
    let text =
        fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// Writes the table's parts of the compose file and of Prometheus's configuration, and the chart's rules.
pub(crate) fn write_deployments(checkout: &Checkout) -> anyhow::Result<()> {
    let targets = read(checkout)?;
    replace(checkout, COMPOSE, &compose(&targets)?)?;
    replace(checkout, PROMETHEUS, &prometheus(&targets))?;
    let rules = fs::read_to_string(checkout.path(RULES))?;
    let origin = format!("# Copied from {RULES} by `cargo xtask gen`.\n");
    fs::write(checkout.path(CHART_RULES), origin + &rules)?;
    Ok(())
}

/// Replaces the lines between the two marks of a file.
fn replace(checkout: &Checkout, file: &str, lines: &str) -> anyhow::Result<()> {
    let path = checkout.path(file);
    let text = fs::read_to_string(&path).with_context(|| format!("{file} cannot be read"))?;
    let begin = text.find(BEGIN).map(|at| at + BEGIN.len() + 1);
    let end = text.find(END).and_then(|at| text[..at].rfind('\n'));
    let (Some(begin), Some(end)) = (begin, end) else {
        anyhow::bail!("{file} lacks the marks around its generated part");
    };
    ensure!(begin <= end + 1, "{file} has its marks in the wrong order");
    fs::write(
        &path,
        format!("{}{lines}{}", &text[..begin], &text[end + 1..]),
    )?;
    Ok(())
}

/// The containers of the targets. Each has the URLs of the services that it calls.
fn compose(targets: &[Target]) -> anyhow::Result<String> {
    let mut lines = String::new();
    for target in targets {
        let stores = |store: &str| target.stores.iter().any(|one| one == store);
        let mut environment = vec!["*shared"];
        environment.extend(stores("database").then_some("*database"));
        environment.extend(stores("mail").then_some("*mail"));
        environment.extend(stores("blobs").then_some("*blobs"));
        environment.extend(target.reads_site_file.then_some("*site"));
        let names = if target.public {
            (1..=GATEWAYS)
                .map(|number| (format!("{}-{number}", target.name), number))
                .collect()
        } else {
            vec![(target.name.clone(), 0)]
        };
        for (name, number) in names {
            let anchor = if target.public { "gateway" } else { "service" };
            writeln!(lines, "\n  {name}:\n    <<: *{anchor}")?;
            writeln!(lines, "    command: [serve, --target, {}]", target.name)?;
            if !target.public && (stores("mail") || stores("blobs")) {
                writeln!(lines, "    volumes: [\"blobs:/var/lib/cityguide\"]")?;
            }
            let port = 8070 + 10 * number;
            if target.public {
                writeln!(lines, "    ports: [\"127.0.0.1:{port}:8080\"]")?;
            }
            writeln!(
                lines,
                "    environment:\n      <<: [{}]",
                environment.join(", ")
            )?;
            for callee in &target.calls {
                writeln!(lines, "      {}: http://{callee}:8082", url_key(callee))?;
            }
            if target.public {
                writeln!(lines, "      CITYGUIDE__SITE__URL: http://localhost:{port}")?;
            }
        }
    }
    lines.push('\n');
    Ok(lines)
}

/// The DNS names by which Prometheus finds the processes.
fn prometheus(targets: &[Target]) -> String {
    let names = targets.iter().flat_map(|target| {
        let numbers = if target.public { 1..=GATEWAYS } else { 0..=0 };
        numbers.map(|number| match number {
            0 => target.name.clone(),
            _ => format!("{}-{number}", target.name),
        })
    });
    let names: Vec<_> = names.collect();
    format!("        names: [{}]\n", names.join(", "))
}
