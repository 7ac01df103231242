//! Sign-ins and requests for a new password, for addresses with an account and without, one after the other.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    time::Instant,
};

use crate::{
    cpu,
    database::CAST,
    figures::{Figures, Measure, Row, Target},
    load::{self, Connection},
    plan::Plan,
    progress,
};

/// Requests of each side in a round.
const EACH: usize = 200;
const MEASURE: Measure = Measure {
    unit: "ms p50",
    target: Target::Near(0.05),
};

/// A call that takes an address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) name: &'static str,
    path: &'static str,
    status: u16,
}

pub(super) const FORMS: [Form; 2] = [
    Form {
        name: "POST email-login/, a wrong password for a known address",
        path: "/api/v2/profiles/email-login/",
        status: 400,
    },
    Form {
        name: "POST reset-password/, a known address",
        path: "/api/v2/profiles/reset-password/",
        status: 200,
    },
];

/// Times both kinds of address in turns on one connection.
pub(super) async fn compare(plan: &Plan, form: &Form) -> anyhow::Result<Row> {
    let mut connection = Connection::open(&plan.site).await?;
    // The first round warms up.
    round(&mut connection, form).await?;
    let mut rounds = Vec::with_capacity(plan.rounds);
    for _ in 0..plan.rounds {
        let (known, unknown) = round(&mut connection, form).await?;
        progress(&format!(
            "    {:?} : {:?}",
            known.values.first(),
            unknown.values.first()
        ));
        rounds.push((known, unknown));
    }
    Ok(Row::new(
        form.name,
        "an unknown address",
        0,
        MEASURE,
        &rounds,
    ))
}

/// The turns of a round, even ones of known addresses, mixed: the work that follows an answer, which takes longer than the
/// next one, falls on both kinds alike.
fn order() -> Vec<usize> {
    let mut turns: Vec<usize> = (0..2 * EACH).collect();
    turns.sort_by_key(|turn| {
        let mut hasher = DefaultHasher::new();
        turn.hash(&mut hasher);
        hasher.finish()
    });
    turns
}

async fn round(connection: &mut Connection, form: &Form) -> anyhow::Result<(Figures, Figures)> {
    let before = cpu::of_site();
    let mut times = [Vec::with_capacity(EACH), Vec::with_capacity(EACH)];
    for turn in order() {
        let (at, reader) = (turn % 2, turn / 2 % CAST + 1);
        let name = if at == 0 { "bench" } else { "nobody" };
        let email = format!("{name}-{reader}@example.com");
        let body = format!(r#"{{"email":"{email}","password":"a wrong password"}}"#);
        let request = load::request("POST", form.path, None, &body);
        let begun = Instant::now();
        connection.expect(&request, form.status).await?;
        times[at].push(begun.elapsed().as_secs_f64() * 1e3);
    }
    // The sides are interleaved, so each has half of the time.
    let mut used = cpu::since(&before, &cpu::of_site(), &[]);
    for seconds in used.values_mut() {
        *seconds /= 2.0;
    }
    let [known, unknown] = times;
    Ok((
        Figures::of_times(known, used.clone()),
        Figures::of_times(unknown, used),
    ))
}
