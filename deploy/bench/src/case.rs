//! A path that is measured beside its reference, turn by turn.

use async_trait::async_trait;

use crate::{
    figures::{Figures, Measure, Row},
    progress,
};

/// Both sides of a case.
#[async_trait]
pub(crate) trait Sides: Send {
    /// One turn of the site.
    async fn ours(&mut self) -> anyhow::Result<Figures>;
    /// One turn of the reference.
    async fn reference(&mut self) -> anyhow::Result<Figures>;
    /// The reference's name, if it is known only after a turn.
    fn reference_name(&self) -> String;
}

/// A case of a suite.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) measures: &'static [Measure],
    pub(crate) sides: Box<dyn Sides>,
}

impl Case {
    /// Warms both sides up, then lets them take turns. The rows hold the medians.
    pub(crate) async fn run(mut self, rounds: usize) -> anyhow::Result<Vec<Row>> {
        self.sides.ours().await?;
        self.sides.reference().await?;
        let mut measured = Vec::new();
        for _ in 0..rounds {
            let ours = self.sides.ours().await?;
            let theirs = self.sides.reference().await?;
            progress(&format!(
                "    {:<44} {}; CPU-µs {:.0} : {:.0}",
                self.name,
                beside(&ours.values, &theirs.values),
                ours.cpu_sum(),
                theirs.cpu_sum()
            ));
            measured.push((ours, theirs));
        }
        let reference = self.sides.reference_name();
        Ok(self
            .measures
            .iter()
            .enumerate()
            .map(|(at, measure)| Row::new(&self.name, &reference, at, *measure, &measured))
            .collect())
    }
}

fn beside(ours: &[f64], theirs: &[f64]) -> String {
    let each = ours
        .iter()
        .zip(theirs)
        .map(|(ours, theirs)| format!("{ours:.1} : {theirs:.1} = {:.2}", ours / theirs));
    each.collect::<Vec<_>>().join(", ")
}
