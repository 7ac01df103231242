//! Sends a message to the site.

use chassis::{error::Fault, instant, postgres::Attempt};
use editorial_proto::v1::{ContactRequest, ContactResponse};

use crate::{context::Context, domain::Contact};

/// Queues a visitor's message. Once this has returned, the message will be sent even if the mail server fails.
pub(crate) async fn contact(
    context: &Context,
    mut request: ContactRequest,
) -> Result<ContactResponse, Fault> {
    let name = std::mem::take(&mut request.attempt);
    let attempt = Attempt::new(Some(&name), &request);
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    if let Some(answer) = attempt.begin(&mut transaction, now).await? {
        return Ok(answer);
    }
    let contact = Contact::parse(
        &request.name,
        &request.email,
        &request.subject,
        &request.message,
    )
    .map_err(Fault::invalid)?;
    let mail = contact.mail(context.contact.clone());
    let id = context.jobs.append(&mut transaction, &mail).await?;
    let answer = ContactResponse {
        id: id.to_string(),
        taken_at: Some(instant::to_proto(now)),
    };
    attempt.answered(&mut transaction, &answer).await?;
    context.jobs.commit(transaction).await?;
    Ok(answer)
}
