//! `bench readers`: known and unknown addresses, which answers must not tell apart by their time.

mod addresses;

use crate::{core::Results, database::Database, plan::Plan, progress};

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    database.prepare().await?;
    database.give_passwords().await?;
    let mut rows = Vec::new();
    for form in addresses::FORMS {
        if plan
            .only
            .as_ref()
            .is_none_or(|only| form.name.contains(only.as_str()))
        {
            progress(&format!("  {}", form.name));
            rows.push(addresses::compare(plan, &form).await?);
        }
    }
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}
