//! `bench`: prepares a site and measures it with the crate `bench`; the table is written into docs/PERFORMANCE.md.

mod needs;
mod site;

use std::{env, path::PathBuf, process::Command};

use anyhow::ensure;
use serde_json::{Value, json};
use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress,
};
use tempfile::TempDir;

use self::site::{Site, Stage, Topology};
use crate::{
    limits,
    server::{BENCH, Build, executable_of},
};

/// The suite to measure.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
enum Suite {
    /// A page of places, a signed-in read, the writes of a favourite, a write's delivery to another device
    Core,
    /// Cached public responses, responses that are not cached, and a walk to the end of a long list
    Catalogue,
    /// Saved things of 100,000 readers: maps, lists, writes, votes; known and unknown addresses
    Readers,
    /// A first visit on a slow phone: eight kinds of pages, in a browser
    Web,
    /// Picture sizes made by the site and by sharp: CPU time and quality
    Photos,
    /// A photo's file compared with nginx, and lists of 30 thousand and 3 million photos
    Media,
    /// Suggestions and answers of the search among 3 million documents, and the time to find a change
    Search,
    /// The slots of a page among 1,000 campaigns; or a simulated day
    Ads {
        /// Simulate a day of ten million pages instead
        #[arg(long)]
        day: bool,
        /// Page views of the day, without the rush hour
        #[arg(long, default_value_t = 10_000_000)]
        pages: u32,
    },
    /// A newsletter issue, compared with smtp-source
    Newsletters {
        /// Readers of an issue
        #[arg(long, default_value_t = 10_000)]
        readers: u32,
    },
    /// A backup and a restore, compared with copying as many bytes
    Backup,
    /// Each service stopped in turn: calls that need it, and other calls
    Faults,
    /// An hour of modest load, much of it hostile, and the memory of the site's processes meanwhile
    Soak {
        /// Minutes of load; the last sixth is compared with the first
        #[arg(long, default_value_t = 60)]
        minutes: u64,
        /// Approximate requests per second
        #[arg(long, default_value_t = 300)]
        rate: u32,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// Number of turns of each side
    #[arg(long, global = true, default_value_t = 5)]
    rounds: usize,
    /// Seconds per turn, in suites with timed turns
    #[arg(long, global = true, default_value_t = 3)]
    seconds: u64,
    /// Only this topology [default: both; soak: one]
    #[arg(long, global = true, value_enum)]
    topology: Option<Topology>,
    /// Only cases whose name contains this
    #[arg(long, global = true)]
    only: Option<String>,
    /// Write the table to docs/PERFORMANCE.md
    #[arg(long, global = true)]
    write: bool,
}

/// The variables of a process.
type Variables = Vec<(String, String)>;

/// A suite's name, the number of places to add to the demo city, its topologies, and whether gateways cache public
/// responses; each topology is measured with each of these values. A suite without topologies starts its own processes.
type Definition = (&'static str, u32, &'static [Topology], &'static [bool]);

impl Suite {
    fn definition(self) -> Definition {
        const ONE: &[Topology] = &[Topology::One];
        const MANY: &[Topology] = &[Topology::Many];
        const BOTH: &[Topology] = &[Topology::One, Topology::Many];
        match self {
            // Enough that no list fits into one page of an index.
            Self::Core => ("core", 30_000, BOTH, &[false]),
            Self::Catalogue => ("catalogue", 300_000, BOTH, &[true, false]),
            Self::Readers => ("readers", 30_000, BOTH, &[false]),
            Self::Web => ("web", 0, ONE, &[true]),
            Self::Photos => ("photos", 0, &[], &[]),
            Self::Media => ("media", 30_000, BOTH, &[false]),
            Self::Search => ("search", 30_000, BOTH, &[true, false]),
            Self::Ads { day: false, .. } => ("ads", 1_000, BOTH, &[false]),
            Self::Ads { .. } => ("ads-day", 0, &[], &[]),
            Self::Newsletters { .. } => ("newsletters", 0, &[], &[]),
            Self::Backup => ("backup", 30_000, ONE, &[true]),
            Self::Faults => ("faults", 0, MANY, &[false]),
            Self::Soak { .. } => ("soak", 3_000, ONE, &[true]),
        }
    }

    /// Whether `--only` can select cases of the suite.
    fn has_cases(self) -> bool {
        let (_, _, topologies, _) = self.definition();
        !topologies.is_empty() && !matches!(self, Self::Web | Self::Soak { .. })
    }

    /// The settings of a process. Rate limits are lifted, because one machine acts for many readers. A soak keeps a
    /// real site's limits, since its proxy reports an address for each visitor; its caches are small, so that they fill
    /// within minutes, and its timeouts are long, because other programs may compile on this machine.
    fn environment(self, topology: Topology, process: &str, keeps: bool) -> Variables {
        const SOAK: [(&str, &str); 5] = [
            ("HTTP__TRUSTED_PROXIES", r#"["127.0.0.0/8"]"#),
            ("PUBLIC_CACHE__MAX_BYTES", "16777216"),
            ("CACHE__MAX_BYTES", "524288"),
            ("DATABASE__ACQUIRE_TIMEOUT_SECONDS", "5"),
            ("RPC__READ_TIMEOUT_MILLISECONDS", "5000"),
        ];
        // The names of three million documents take 300 MB.
        const NAMES: (&str, &str) = ("PUBLIC_CACHE__MAX_NAME_BYTES", "1000000000");
        const NOTHING: (&str, &str) = ("PUBLIC_CACHE__MAX_BYTES", "0");
        let (mut all, own) = match self {
            Self::Soak { .. } => (Vec::new(), SOAK.to_vec()),
            // Calls have a real site's timeouts, and only the second gateway caches responses.
            Self::Faults if process == "gateway" => (limits::rates_lifted(), vec![NOTHING]),
            Self::Faults => (limits::rates_lifted(), Vec::new()),
            _ if keeps => (limits::lifted(), vec![NAMES]),
            _ => (limits::lifted(), vec![NAMES, NOTHING]),
        };
        let own = own.into_iter();
        all.extend(own.map(|(name, value)| (format!("CITYGUIDE__{name}"), value.to_owned())));
        if topology == Topology::One {
            // A bus or cache named in our environment would change the topology.
            let is_server =
                |key: &String| key.ends_with("__BUS__URL") || key.ends_with("__CACHE__URL");
            let named = env::vars().map(|(key, _)| key).filter(is_server);
            all.extend(named.map(|key| (key, String::new())));
        }
        all
    }
}

/// Settings of a mail server at this port.
fn mail_server(port: u16) -> [(String, String); 5] {
    let port = port.to_string();
    [
        ("CONTACT__TO", "editor@guide.example"),
        ("MAIL__FROM", "City Guide <post@guide.example>"),
        ("MAIL__HOST", "127.0.0.1"),
        ("MAIL__PORT", &port),
        ("MAIL__SECURITY", "none"),
    ]
    .map(|(name, value)| (format!("CITYGUIDE__{name}"), value.to_owned()))
}

/// The crate `bench`, and a folder for its plans and results.
struct Runner<'a> {
    checkout: &'a Checkout,
    arguments: &'a Arguments,
    program: PathBuf,
    folder: TempDir,
}

impl Runner<'_> {
    /// Runs the suite once on this site, as the column of this name.
    fn measure(&self, column: &str, options: Value, site: Value) -> anyhow::Result<()> {
        let mut plan = site;
        plan["suite"] = json!(self.arguments.suite.definition().0);
        plan["topology"] = json!(column);
        plan["results"] = json!(self.results());
        plan["checkout"] = json!(self.checkout.root);
        plan["rounds"] = json!(self.arguments.rounds);
        plan["seconds"] = json!(self.arguments.seconds);
        plan["only"] = json!(self.arguments.only);
        plan["options"] = options;
        let file = self.folder.path().join("plan");
        std::fs::write(&file, plan.to_string())?;
        let mut measure = Command::new(&self.program);
        process::run("bench", measure.arg("measure").arg(&file), Output::Shown)
    }

    /// Prints the table of all runs, and writes it into the document on request.
    fn table(&self) -> anyhow::Result<()> {
        let mut table = Command::new(&self.program);
        table
            .args(["table", self.arguments.suite.definition().0])
            .arg(self.results());
        let document = self.checkout.path("docs/PERFORMANCE.md");
        table.args(self.arguments.write.then_some(document));
        process::run("bench", &mut table, Output::Shown)
    }

    fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let suite = arguments.suite;
    let (name, places, topologies, keeping) = suite.definition();
    let Arguments {
        only,
        topology,
        write,
        ..
    } = arguments;
    ensure!(only.is_none() || suite.has_cases(), "{name} has no --only");
    ensure!(
        !write || (only.is_none() && topology.is_none()),
        "--write wants the whole table"
    );
    let is_soak = matches!(suite, Suite::Soak { .. });
    let is_there = |one: &Topology| is_soak || topologies.contains(one);
    ensure!(
        topology.as_ref().is_none_or(is_there),
        "{name} has no such --topology"
    );
    progress::line(&format!("Measuring {name}"));
    let runner = Runner {
        checkout,
        arguments,
        program: executable_of(checkout, BENCH, Build::Release)?,
        folder: tempfile::Builder::new().prefix("cityguide-").tempdir()?,
    };
    if matches!(suite, Suite::Photos) {
        runner.measure("CPU time", needs::sharp(checkout)?, json!({}))?;
        return runner.table();
    }
    let stage = Stage::prepare(checkout, places)?;
    if topologies.is_empty() {
        let (options, _) = needs::options(suite, &stage)?;
        runner.measure("a site", options, stage.plan())?;
    }
    let chosen = topology.as_ref().map_or(topologies, std::slice::from_ref);
    let columns = |one: &Topology| {
        keeping
            .iter()
            .map(|keeps| (*one, *keeps))
            .collect::<Vec<_>>()
    };
    for (topology, keeps) in chosen.iter().flat_map(columns) {
        progress::heading(topology.name());
        let environment = |process: &str| {
            let mut variables = suite.environment(topology, process, keeps);
            if matches!(suite, Suite::Faults) {
                variables.extend(mail_server(stage.mail_port));
            }
            variables
        };
        let running = Site::start(&stage, topology, environment)?;
        let (options, _nginx) = needs::options(suite, &stage)?;
        runner.measure(topology.name(), options, running.plan(&stage, keeps)?)?;
        running.stop()?;
    }
    runner.table()
}
