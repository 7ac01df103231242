//! Withdraws permissions at Facebook after a connection has ended.

use chassis::postgres::jobs::{Failure, Run};

use super::calendar::failure;
use crate::{
    context::Context, domain::DisconnectJob, usecases::facebook::manage::withdraw_permissions,
};

pub(crate) async fn disconnect(
    context: Context,
    _: Run,
    job: DisconnectJob,
) -> Result<(), Failure> {
    withdraw_permissions(&context, &job).await.map_err(failure)
}
