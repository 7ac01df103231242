//! `bench`: a site of its own, measured by the crate `bench`, or in a browser (`first_page.rs`); the table goes
//! into docs/PERFORMANCE.md.

mod ads_day;
mod calls;
mod city;
mod faults;
mod newsletters;
mod photos;
mod site;
mod soak;

use anyhow::bail;
use servers::checkout::Checkout;

pub(crate) use self::site::environment;
use self::{calls::Calls, site::Topology};
use crate::first_page;

/// The suite to measure.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
enum Suite {
    #[command(flatten)]
    Calls(Calls),
    /// A first visit on a slow phone: home, a place and an article, in a browser
    Web,
    /// The sizes of photographs, beside sharp: CPU time, memory and quality
    Photos,
    /// An issue of a newsletter beside smtp-source and nodemailer, its memory, and a sender that is killed
    Newsletters(newsletters::Sizes),
    /// The slots of a page among 1,000 campaigns, the intake of events, pages beside a flood of them; or a simulated day
    Ads {
        /// In place of these a day of ten million pages, whose service is killed 20 times
        #[arg(long)]
        day: bool,
        #[command(flatten)]
        size: ads_day::Size,
    },
    /// Each service stopped, PostgreSQL silent, RabbitMQ under alarm, Redis flushed: calls that need it and others
    Faults,
    /// An hour of modest load, much of it hostile, and the memory of the site's processes meanwhile
    Soak {
        /// Minutes of load; the last sixth is compared with the first
        #[arg(long, default_value_t = 60)]
        minutes: u64,
        /// Requests per second, about
        #[arg(long, default_value_t = 300)]
        rate: u32,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// Turns of each side
    #[arg(long, global = true, default_value_t = 5)]
    rounds: usize,
    /// Seconds of a turn; not used by web and photos, whose turns are one visit and one picture, nor by the day of ads
    #[arg(long, global = true, default_value_t = 3)]
    seconds: u64,
    /// Only this topology [default: both; soak: one]
    #[arg(long, global = true, value_enum)]
    topology: Option<Topology>,
    /// Only cases whose name contains this
    #[arg(long, global = true)]
    only: Option<String>,
    /// Put the table into docs/PERFORMANCE.md
    #[arg(long, global = true)]
    write: bool,
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.suite {
        Suite::Calls(suite) => calls::bench(checkout, suite, arguments),
        Suite::Web if arguments.only.is_some() || arguments.topology.is_some() => {
            bail!("web has neither --only nor --topology")
        }
        Suite::Web => first_page::bench(checkout, arguments.rounds, arguments.write),
        Suite::Photos if arguments.only.is_some() || arguments.topology.is_some() => {
            bail!("photos has neither --only nor --topology")
        }
        Suite::Photos => photos::bench(checkout, arguments),
        Suite::Newsletters(_) if arguments.only.is_some() || arguments.topology.is_some() => {
            bail!("newsletters has neither --only nor --topology")
        }
        Suite::Newsletters(sizes) => newsletters::bench(checkout, sizes, arguments),
        Suite::Ads { day: false, .. } => calls::bench(checkout, Calls::Ads, arguments),
        Suite::Ads { .. } if arguments.only.is_some() || arguments.topology.is_some() => {
            bail!("the day has neither --only nor --topology")
        }
        Suite::Ads { size, .. } => ads_day::bench(checkout, size, arguments.write),
        Suite::Faults if arguments.topology.is_some() => bail!("faults has many processes only"),
        Suite::Faults => faults::bench(checkout, arguments),
        Suite::Soak { .. } if arguments.only.is_some() => bail!("soak has no --only"),
        Suite::Soak { minutes, rate } => {
            let topology = arguments.topology.unwrap_or(Topology::One);
            soak::bench(checkout, topology, minutes, rate, arguments.write)
        }
    }
}
