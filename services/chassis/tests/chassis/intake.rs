//! Imports: a single transaction, idempotent by source id, with a report of each refusal.

use async_trait::async_trait;
use chassis::{
    entropy::OsEntropy,
    error::{Code, Fault},
    intake::{Import, Intake, Kind, Message, Origin, Outcome, Rejection, import},
    postgres::Outbox,
};
use cityguide_proto::intake::v1::{Counts, Finish, Report};
use futures::stream;
use sqlx::PgPool;
use std::sync::Arc;
use testkit::parts::{TestParts, parts};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Plain,
    /// Stored only when the intake is flushed.
    Late,
}

impl Kind for Thing {
    fn plural(self) -> &'static str {
        match self {
            Self::Plain => "plain things",
            Self::Late => "late things",
        }
    }

    fn namespace(self) -> &'static str {
        "things"
    }
}

/// Stores items; items whose source id ends with "!" are refused.
#[derive(Default)]
struct Things {
    late: Vec<Origin>,
}

async fn store(import: &mut Import<Thing>, origin: &Origin) -> Result<Outcome, sqlx::Error> {
    let made = sqlx::query("INSERT INTO things (source_id) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(&origin.source_id)
        .execute(&mut *import.transaction)
        .await?;
    Ok(if made.rows_affected() > 0 {
        Outcome::Created
    } else {
        Outcome::Unchanged
    })
}

#[async_trait]
impl Intake for Things {
    type Kind = Thing;
    type Item = Thing;

    const LOCK: &'static str = "chassis.things";

    async fn take(
        &mut self,
        import: &mut Import<Thing>,
        origin: &Origin,
        item: Thing,
    ) -> Result<Option<Outcome>, Rejection> {
        if origin.source_id.ends_with('!') {
            return Err("it shouts".to_owned().into());
        }
        if item == Thing::Late {
            self.late.push(origin.clone());
            return Ok(None);
        }
        Ok(Some(store(import, origin).await?))
    }

    async fn flush(&mut self, import: &mut Import<Thing>) -> Result<(), Fault> {
        for origin in std::mem::take(&mut self.late) {
            let outcome = store(import, &origin).await?;
            import.note(Thing::Late, origin, outcome);
        }
        Ok(())
    }

    async fn conclude(self, import: &mut Import<Thing>) -> Result<(), Fault> {
        assert!(self.late.is_empty(), "the waiting things are flushed first");
        if import.has_written(Thing::Late) {
            sqlx::query("INSERT INTO things (source_id) VALUES ('conclusion')")
                .execute(&mut *import.transaction)
                .await?;
        }
        Ok(())
    }
}

type Sent = Message<Thing, Thing>;

fn thing(kind: Thing, source_id: &str) -> Sent {
    Sent::Item {
        kind,
        origin: Origin::new("line 1", source_id),
        item: Ok(kind),
    }
}

fn finish(dry_run: bool, all_or_nothing: bool) -> Sent {
    Sent::Finish(Finish {
        dry_run,
        all_or_nothing,
        refuse_at_most: None,
    })
}

/// The tests' database, with a table of things.
async fn things() -> (TestParts, PgPool) {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    let table = "CREATE TABLE things (source_id text PRIMARY KEY)";
    sqlx::query(table).execute(&pool).await.expect("makes it");
    (parts, pool)
}

async fn send(
    (parts, pool): &(TestParts, PgPool),
    messages: impl IntoIterator<Item = Sent>,
) -> Result<Report, Fault> {
    let outbox = Outbox::new(parts.clock.clone(), Arc::new(OsEntropy));
    let messages: Vec<_> = messages.into_iter().map(Ok::<_, Fault>).collect();
    let messages = stream::iter(messages);
    import(pool, &outbox, Things::default(), messages, |sent| sent).await
}

async fn stored((_, pool): &(TestParts, PgPool)) -> Vec<String> {
    sqlx::query_scalar("SELECT source_id FROM things ORDER BY source_id")
        .fetch_all(pool)
        .await
        .expect("answers")
}

fn counts(report: &Report) -> Vec<(&str, Counts)> {
    let kinds = report.kinds.iter();
    kinds
        .map(|of| (of.kind.as_str(), of.counts.expect("counts")))
        .collect()
}

#[tokio::test]
async fn items_that_wait_are_stored_and_counted_before_the_conclusion() {
    let fixture = things().await;
    let input = || {
        [
            thing(Thing::Late, "b"),
            thing(Thing::Plain, "a"),
            finish(false, false),
        ]
    };
    let report = send(&fixture, input()).await.expect("imports");
    assert!(report.applied);
    let one = Counts {
        created: 1,
        ..Counts::default()
    };
    let both = [("plain things", one), ("late things", one)];
    assert_eq!(counts(&report), both);
    assert_eq!(stored(&fixture).await, ["a", "b", "conclusion"]);
    let again = send(&fixture, input()).await.expect("imports");
    let one = Counts {
        unchanged: 1,
        ..Counts::default()
    };
    let both = [("plain things", one), ("late things", one)];
    assert_eq!(counts(&again), both);
    assert_eq!(again.changes, []);
}

#[tokio::test]
async fn a_source_id_comes_once_in_a_namespace_and_an_item_that_cannot_be_read_does_not_take_it() {
    let fixture = things().await;
    let unreadable = Sent::Item {
        kind: Thing::Plain,
        origin: Origin::new("line 1", "a"),
        item: Err("it is blurred".to_owned()),
    };
    let input = [
        unreadable,
        thing(Thing::Plain, " a "),
        thing(Thing::Late, "a"),
        thing(Thing::Plain, "b!"),
        finish(false, false),
    ];
    let report = send(&fixture, input).await.expect("imports");
    let reasons = report.refusals.iter();
    let reasons: Vec<_> = reasons
        .map(|one| (one.source_id.as_str(), one.reason.as_str()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("a", "it is blurred"),
            ("a", "the same source id came before in this input"),
            ("b!", "it shouts"),
        ]
    );
    assert!(report.applied);
    assert_eq!(stored(&fixture).await, ["a"]);
}

#[tokio::test]
async fn nothing_changes_without_a_finish_in_a_dry_run_or_where_all_is_asked_for_and_one_refused() {
    let fixture = things().await;
    let good = || [thing(Thing::Plain, "a"), thing(Thing::Late, "b")];
    let broken_off = send(&fixture, good()).await.expect_err("unfinished");
    assert_eq!(broken_off.code, Code::Invalid);
    let looked = good().into_iter().chain([finish(true, false)]);
    let looked = send(&fixture, looked).await.expect("reports");
    assert!(!looked.applied);
    assert_eq!(looked.changes.len(), 2);
    let refused = good()
        .into_iter()
        .chain([thing(Thing::Plain, "c!"), finish(false, true)]);
    let refused = send(&fixture, refused).await.expect("reports");
    assert!(!refused.applied);
    assert_eq!(stored(&fixture).await, [""; 0]);
}

#[tokio::test]
async fn as_many_items_may_be_refused_as_the_sender_allows() {
    let fixture = things().await;
    for (allowed, is_applied) in [(0, false), (1, false), (2, true)] {
        let sent = ["a", "b!", "c!"].map(|id| thing(Thing::Plain, id));
        let end = Message::Finish(Finish {
            refuse_at_most: Some(allowed),
            ..Finish::default()
        });
        let report = send(&fixture, sent.into_iter().chain([end]))
            .await
            .expect("reports");
        assert_eq!(report.applied, is_applied, "{allowed}");
        assert_eq!(report.refusals.len(), 2);
    }
    assert_eq!(stored(&fixture).await, ["a"]);
}

#[tokio::test]
async fn a_report_lists_refusals_up_to_a_bound_and_counts_all() {
    let fixture = things().await;
    let long = "x".repeat(10_000);
    let sent = (0..300).map(|at| thing(Thing::Plain, &format!("{at}{long}!")));
    let report = send(&fixture, sent.chain([finish(true, false)])).await;
    let report = report.expect("reports");
    assert_eq!(report.kinds[0].counts.expect("counts").refused, 300);
    assert!(
        (100..250).contains(&report.refusals.len()),
        "{}",
        report.refusals.len()
    );
}

#[tokio::test]
async fn a_failure_ends_the_import_and_changes_nothing() {
    let fixture = things().await;
    // PostgreSQL texts cannot contain NUL.
    let input = [
        thing(Thing::Plain, "a"),
        thing(Thing::Plain, "b\0b"),
        finish(false, false),
    ];
    let fault = send(&fixture, input).await.expect_err("fails");
    assert_eq!(fault.code, Code::Internal);
    assert_eq!(stored(&fixture).await, [""; 0]);
}
