//! Requests beside a handler that does nothing but answer as many bytes.

use async_trait::async_trait;

use crate::{
    bare::Bare,
    case::{Case, Sides},
    cpu,
    figures::{Figures, Measure},
    load,
    plan::Plan,
    walk,
};

/// What is measured of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Of {
    /// The times of requests, one after the other: p50 and p99.
    Times,
    /// How many are answered in a second, on many connections, each with this status.
    Rate(u16),
}

/// Both sides of such a case.
pub(crate) struct Beside {
    pub(crate) plan: Plan,
    pub(crate) requests: Vec<Vec<u8>>,
    pub(crate) bare: Bare,
    pub(crate) of: Of,
}

impl Beside {
    pub(crate) fn case(self, name: &str, measures: &'static [Measure]) -> Case {
        Case {
            name: name.to_owned(),
            measures,
            sides: Box::new(self),
        }
    }
}

#[async_trait]
impl Sides for Beside {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let (plan, before) = (&self.plan, cpu::of_site());
        let used = || cpu::since(&before, &cpu::of_site(), &[]);
        Ok(match self.of {
            Of::Times => {
                let times = walk::times(&plan.site, &self.requests).await?;
                Figures::of_times(times, used())
            }
            Of::Rate(status) => {
                let (done, seconds) =
                    load::read_for(&plan.site, &self.requests, status, plan.turn()).await?;
                Figures::of_rate(done, seconds, used())
            }
        })
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        match self.of {
            Of::Times => {
                let times = walk::times(self.bare.address(), &self.requests).await?;
                Ok(Figures::of_times(times, cpu::Seconds::default()))
            }
            Of::Rate(_) => self.bare.read(&self.requests, self.plan.turn()).await,
        }
    }

    fn reference_name(&self) -> String {
        match self.of {
            Of::Rate(304) => "a bare axum handler of 304".to_owned(),
            _ => "a bare axum handler of as many bytes".to_owned(),
        }
    }
}
