//! Processes returned emails, which could not be delivered after they had been accepted.

use chassis::error::{Code, Fault};

use crate::{
    context::Context,
    domain::{
        answer::{is_of_address, said},
        issue::Fate,
    },
    returned::{Returned, read},
    store::{deliveries, suppressions},
};

/// Maximum number of messages per pass.
const AT_A_TIME: usize = 500;

/// Processes and deletes newly returned messages; returns their number.
///
/// # Errors
/// `Unavailable` if the folder cannot be read, or a message cannot be deleted.
pub(crate) async fn take_returned(context: &Context) -> Result<u64, Fault> {
    let (Some(mailbox), Some(_)) = (&context.mailbox, &context.return_path) else {
        return Ok(0);
    };
    let files = mailbox
        .new_files(AT_A_TIME)
        .await
        .map_err(|error| unreadable(&error))?;
    let mut taken = 0;
    for file in files {
        let bytes = match read(&file).await {
            Ok(bytes) => bytes,
            Err(error) => {
                // Continues with the other messages.
                tracing::warn!(%error, file = %file.display(), "a returned letter cannot be read");
                continue;
            }
        };
        let outcome = match Returned::parse(&bytes) {
            Some(letter) => take(context, &letter).await?,
            None => "other",
        };
        // The outcome is stored; processing the same message again has no effect.
        tokio::fs::remove_file(&file)
            .await
            .map_err(|error| unreadable(&error))?;
        metrics::counter!("newsletter_returned_total", "outcome" => outcome).increment(1);
        taken += 1;
    }
    Ok(taken)
}

/// Records the outcome in a message; returns its category for metrics.
async fn take(context: &Context, letter: &Returned) -> Result<&'static str, Fault> {
    let named = context.return_path.as_ref().and_then(|path| {
        let mut addresses = letter.to.iter();
        addresses.find_map(|address| path.read(address))
    });
    let (Some((issue, subscriber)), Some(failure)) = (named, &letter.failure) else {
        return Ok("other");
    };
    let (now, answer) = (context.clock.now(), said(failure));
    let mut transaction = context.pool.begin().await?;
    let delivery = (issue, subscriber);
    let address =
        deliveries::mark_returned(&mut transaction, delivery, Fate::Bounced, &answer, now).await?;
    let mut outcome = "undelivered";
    if let Some(key) = address.filter(|_| is_of_address(failure)) {
        let address = context.addresses.hash(&key);
        suppressions::insert(&mut transaction, &[address], "bounced", now).await?;
        outcome = "bounced";
    }
    transaction.commit().await?;
    Ok(outcome)
}

fn unreadable(error: &std::io::Error) -> Fault {
    let message = format!("newsletters.returned_mail cannot be read: {error}");
    Fault::new(Code::Unavailable, message)
}
