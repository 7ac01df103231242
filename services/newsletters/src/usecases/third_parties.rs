//! Reads and records readers' consent to third-party content.

use chassis::{email::Email, error::Fault};
use sqlx::PgConnection;

use super::network;
use crate::{
    context::Context,
    domain::{Act, Origin, THIRD_PARTIES, ThirdPartyAnswer, ThirdPartyChoice, Way},
    store::{
        consents::{self, NewEntry},
        third_party_choices,
    },
};

/// Returns the reader's choice, if there is one.
pub(crate) async fn get_choice(
    context: &Context,
    profile_id: i64,
) -> Result<Option<ThirdPartyChoice>, Fault> {
    Ok(third_party_choices::of(&context.pool, profile_id).await?)
}

/// Records a response in the ledger; returns the stored choice, which is the previous one if the response repeats it.
pub(crate) async fn choose(
    context: &Context,
    profile_id: i64,
    email: &Email,
    answer: &ThirdPartyAnswer,
    origin: &Origin,
) -> Result<ThirdPartyChoice, Fault> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    third_party_choices::lock(&mut transaction, profile_id).await?;
    let before = third_party_choices::of(&mut *transaction, profile_id).await?;
    if let Some(before) = before
        .as_ref()
        .filter(|one| one.is_repeated_by(answer, now))
    {
        return Ok(before.clone());
    }
    let wording = match answer {
        ThirdPartyAnswer::Allowed { wording } => Some(wording),
        ThirdPartyAnswer::Refused => None,
    };
    let digest = match wording {
        Some(text) => Some(consents::keep_wording(&mut transaction, text).await?),
        None => None,
    };
    let entry = NewEntry {
        address: &context.addresses.hash(&email.key()),
        kind: THIRD_PARTIES,
        act: answer.act(before.as_ref()),
        wording: digest.as_deref(),
        way: origin.way.as_str(),
        page: &origin.page,
        network: &network(),
    };
    consents::append(&mut transaction, &entry, now).await?;
    third_party_choices::put(&mut transaction, profile_id, digest.as_deref(), now).await?;
    transaction.commit().await?;
    Ok(ThirdPartyChoice {
        wording: wording.cloned(),
        at: now,
    })
}

/// Deletes the choice of a reader whose account is erased; returns whether it existed. The end of a consent is recorded
/// in the ledger for the account's address.
pub(super) async fn forget_choice(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    email: Option<&Email>,
) -> Result<bool, Fault> {
    third_party_choices::lock(connection, profile_id).await?;
    let before = third_party_choices::of(&mut *connection, profile_id).await?;
    let was_allowed = before.is_some_and(|before| before.wording.is_some());
    if let Some(email) = email.filter(|_| was_allowed) {
        let entry = NewEntry {
            address: &context.addresses.hash(&email.key()),
            kind: THIRD_PARTIES,
            act: Act::Withdrawn,
            wording: None,
            way: Way::Erasure.as_str(),
            page: "",
            network: &network(),
        };
        consents::append(connection, &entry, context.clock.now()).await?;
    }
    Ok(third_party_choices::delete(connection, profile_id).await?)
}
