//! Requests newsletters for a guest's address.

use chassis::email::Email;

use super::network;
use crate::{
    context::Context,
    domain::{Choice, Choices, Origin},
    error::Error,
    store::{
        consents,
        requests::{self, Request},
    },
    tasks::AskToConfirm,
};

/// Stores requests and queues a confirmation email. The work is the same for every address, so that neither the
/// response nor its duration reveals existing subscriptions.
pub(crate) async fn subscribe(
    context: &Context,
    email: &Email,
    choices: &Choices,
    origin: &Origin,
) -> Result<(), Error> {
    let (now, network) = (context.clock.now(), network());
    let mut transaction = context.pool.begin().await?;
    for (kind, choice) in choices {
        let Choice::On { wording } = choice else {
            continue;
        };
        let request = Request {
            kind: kind.name().to_owned(),
            wording: consents::keep_wording(&mut transaction, wording).await?,
            page: origin.page.clone(),
            way: origin.way.as_str().to_owned(),
            network: network.clone(),
        };
        requests::put(&mut transaction, email, &request, now).await?;
    }
    let ask = AskToConfirm {
        email: email.as_str().to_owned(),
    };
    context.jobs.append(&mut transaction, &ask).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}
