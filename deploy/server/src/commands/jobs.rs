//! `cityguide jobs` and `cityguide mail`: durable jobs, and in particular mail, that have failed permanently.

use chassis::{
    clock::{Clock, SystemClock},
    mail::Mail,
    postgres::{
        Part, Schema,
        jobs::{DeadJobs, Job as _},
    },
};
use clap::{Args, Subcommand};
use sqlx::PgPool;
use uuid::Uuid;

use super::console::print;
use crate::{settings::Settings, targets::Target};

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Jobs {
    /// List the oldest failed jobs of each service, with the reasons for their failure.
    List {
        #[command(flatten)]
        which: Which,
        /// Maximum number of jobs per service
        #[arg(long, default_value_t = 50)]
        most: u32,
    },
    /// Run failed jobs again, after the cause of their failure has been fixed.
    Replay {
        #[command(flatten)]
        which: Which,
    },
    /// Delete failed jobs without running them.
    Delete {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Letters {
    /// List the oldest undelivered mail of each service, with its recipients and the reasons.
    Dead {
        /// Mail of one service
        #[arg(long, value_name = "NAME")]
        service: Option<Target>,
        /// Maximum number of letters per service
        #[arg(long, default_value_t = 50)]
        most: u32,
    },
    /// Send undelivered mail again, after the cause of its failure has been fixed.
    Resend {
        /// Mail of one service
        #[arg(long, value_name = "NAME")]
        service: Option<Target>,
        /// Id of a letter
        #[arg(long)]
        id: Option<Uuid>,
    },
}

impl From<Letters> for Jobs {
    fn from(letters: Letters) -> Self {
        let kind = Some(Mail::KIND.to_owned());
        match letters {
            Letters::Dead { service, most } => Self::List {
                which: Which {
                    service,
                    kind,
                    id: None,
                },
                most,
            },
            Letters::Resend { service, id } => Self::Replay {
                which: Which { service, kind, id },
            },
        }
    }
}

/// A selection of dead jobs; all of them by default.
#[derive(Debug, Clone, Args)]
pub(crate) struct Which {
    /// Jobs of one service
    #[arg(long, value_name = "NAME")]
    service: Option<Target>,
    /// Jobs of one kind: mail
    #[arg(long)]
    kind: Option<String>,
    /// Id of a job
    #[arg(long)]
    id: Option<Uuid>,
}

impl Which {
    fn schemas(&self) -> impl Iterator<Item = &'static Schema<'static>> {
        Target::ALL
            .iter()
            .filter(|target| self.service.is_none_or(|service| service == **target))
            .filter_map(|target| target.schema())
            .filter(|schema| schema.parts.contains(&Part::Jobs))
    }

    fn jobs(&self) -> DeadJobs<'_> {
        DeadJobs {
            kind: self.kind.as_deref(),
            id: self.id,
        }
    }
}

pub(super) async fn jobs(settings: &Settings, what: Jobs) -> Result<(), String> {
    let (Jobs::List { which, .. } | Jobs::Replay { which } | Jobs::Delete { which }) = &what;
    let mut number = 0;
    for schema in which.schemas() {
        let opened = schema.connect(&settings.database_of(schema.name)).await;
        let pool = opened.map_err(|fault| fault.message)?;
        number += in_one(schema.name, &pool, which.jobs(), &what).await?;
        pool.close().await;
    }
    print(&match what {
        Jobs::List { .. } => format!("{number} dead jobs"),
        Jobs::Replay { .. } => format!("{number} run again"),
        Jobs::Delete { .. } => format!("{number} deleted"),
    })
}

/// Runs the command for one service; returns the number of affected jobs.
async fn in_one(
    service: &str,
    pool: &PgPool,
    jobs: DeadJobs<'_>,
    what: &Jobs,
) -> Result<u64, String> {
    let done = match what {
        Jobs::Replay { .. } => jobs.replay(pool, SystemClock.now()).await,
        Jobs::Delete { .. } => jobs.delete(pool).await,
        Jobs::List { most, .. } => {
            let listed = jobs.list(pool, i64::from(*most)).await;
            let listed = listed.map_err(|fault| fault.message)?;
            for job in &listed {
                let (id, kind, attempts, why) = (job.id, &job.kind, job.attempts, &job.last_error);
                let at = job.dead_at.format("%Y-%m-%d %H:%M:%SZ");
                let to = job.recipient.as_ref();
                let to = to.map_or_else(String::new, |to| format!(" to {to}"));
                print(&format!(
                    "{id} {service} {kind}{to}, {attempts} attempts, {at}: {why}"
                ))?;
            }
            Ok(listed.len() as u64)
        }
    };
    done.map_err(|fault| fault.message)
}
