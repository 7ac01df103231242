//! The procedure for measuring a case: a warm-up turn of each side, then a turn of each side in every round.

use std::{collections::BTreeMap, fs, time::Duration};

use crate::{
    database::Database,
    plan::{Plan, read_json},
    progress,
    results::{Measure, Results, Row, median, quantile},
};

/// Seconds, or microseconds per request, of CPU by program.
pub(crate) type Cpu = BTreeMap<String, f64>;

/// The figures of one side in one turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn {
    /// A value for each measure of the case.
    pub(crate) values: Vec<f64>,
    /// CPU time per request in microseconds, by program, without the load generator.
    pub(crate) cpu: Cpu,
}

impl Turn {
    /// A turn with a rate in requests per second.
    pub(crate) fn rate(requests: u64, seconds: f64, cpu: Cpu) -> Self {
        Self {
            values: vec![float(requests) / seconds],
            cpu: each(cpu, requests),
        }
    }

    /// A turn with the p50 and the p99 of times in milliseconds.
    pub(crate) fn times(mut times: Vec<f64>, cpu: Cpu) -> Self {
        times.sort_by(f64::total_cmp);
        Self {
            values: vec![quantile(&times, 50), quantile(&times, 99)],
            cpu: each(cpu, times.len() as u64),
        }
    }

    pub(crate) fn of(values: Vec<f64>) -> Self {
        Self {
            values,
            cpu: Cpu::new(),
        }
    }
}

fn each(mut cpu: Cpu, requests: u64) -> Cpu {
    for seconds in cpu.values_mut() {
        *seconds *= 1e6 / float(requests.max(1));
    }
    cpu
}

#[expect(clippy::cast_precision_loss, reason = "counts here are far below 2^53")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A running measurement.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    pub(crate) results: Results,
}

impl Bench {
    /// Continues the results of earlier runs, if any.
    pub(crate) fn begin(plan: Plan) -> anyhow::Result<Self> {
        let results = if plan.results.is_file() {
            read_json(&plan.results)?
        } else {
            Results::default()
        };
        Ok(Self { plan, results })
    }

    pub(crate) fn end(self) -> anyhow::Result<()> {
        fs::write(&self.plan.results, serde_json::to_vec(&self.results)?)?;
        Ok(())
    }

    /// Whether a case is to be measured.
    pub(crate) fn wants(&self, case: &str) -> bool {
        let only = self.plan.only.as_ref();
        only.is_none_or(|only| case.contains(only.as_str()))
    }

    /// Opens the site's database, for a suite whose turns have a length.
    pub(crate) async fn database(&mut self) -> anyhow::Result<Database> {
        let database = Database::open(&self.plan.site.database).await?;
        let version: String = database.value("SHOW server_version").await?;
        let Plan {
            rounds, seconds, ..
        } = self.plan;
        self.about(format!(
            "PostgreSQL {version}; {rounds} rounds of {seconds} s a side"
        ));
        Ok(database)
    }

    /// Adds a condition of the measurement to the line above the table.
    pub(crate) fn about(&mut self, text: String) {
        if !self.results.about.contains(&text) {
            self.results.about.push(text);
        }
    }

    /// Measures a case and its reference.
    pub(crate) async fn alternate(
        &mut self,
        measures: &[Measure],
        mut ours: impl AsyncFnMut() -> anyhow::Result<Turn>,
        mut theirs: impl AsyncFnMut() -> anyhow::Result<Turn>,
    ) -> anyhow::Result<()> {
        let name = &measures[0].case;
        if self.wants(name) {
            let both = async || anyhow::Ok((ours().await?, theirs().await?));
            let rounds = self.rounds(name, both).await?;
            self.record(measures, &rounds);
        }
        Ok(())
    }

    /// Measures both sides in turns, without adding a row to the table.
    pub(crate) async fn rounds(
        &self,
        name: &str,
        mut both: impl AsyncFnMut() -> anyhow::Result<(Turn, Turn)>,
    ) -> anyhow::Result<Vec<(Turn, Turn)>> {
        progress(&format!("  {name}"));
        // Warms up processes, pools and caches.
        both().await?;
        let mut rounds = Vec::with_capacity(self.plan.rounds);
        for _ in 0..self.plan.rounds {
            let (ours, theirs) = both().await?;
            let line = format!("    {:.2?} : {:.2?}", ours.values, theirs.values);
            let programs = ours.cpu.iter();
            let programs = programs.map(|(program, time)| format!(", {program} {time:.0} µs"));
            progress(&(line + &programs.collect::<String>()));
            rounds.push((ours, theirs));
        }
        Ok(rounds)
    }

    /// Adds a row for each measure. CPU times belong to the whole case, so only its first row contains them.
    pub(crate) fn record(&mut self, measures: &[Measure], rounds: &[(Turn, Turn)]) {
        let sum = |turn: &Turn| turn.cpu.values().fold(0.0, |sum, time| sum + time);
        let ours = median(rounds.iter().map(|(ours, _)| sum(ours)));
        let theirs = median(rounds.iter().map(|(_, theirs)| sum(theirs)));
        for (at, measure) in measures.iter().enumerate() {
            let values = rounds
                .iter()
                .map(|(ours, theirs)| [ours, theirs].map(|side| side.values.get(at).copied()));
            self.results.rows.push(Row {
                topology: self.plan.topology.clone(),
                measure: measure.clone(),
                rounds: values.collect(),
                cpu: (at == 0 && ours > 0.0).then_some([ours, theirs]),
            });
        }
    }
}
