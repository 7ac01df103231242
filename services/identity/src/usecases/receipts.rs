//! Receipts of erasures, for those who have the link, and checked for those who show one.

use chassis::error::{Code, Fault};
use identity_proto::v1::Receipt;

use crate::{
    context::Context,
    domain::{LinkToken, Signed},
    error::Error,
    store::erasures,
};

/// The receipt of a link.
pub(crate) async fn get_receipt(context: &Context, secret: &str) -> Result<Receipt, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let found = erasures::receipt(&context.pool, &token, now).await?;
    let jws = found.ok_or_else(Fault::not_found)?;
    Ok(verify_receipt(context, &jws).await?)
}

/// The receipt, if this site has signed it, with whichever key.
pub(crate) async fn verify_receipt(context: &Context, jws: &str) -> Result<Receipt, Fault> {
    let refused = || Fault::new(Code::Invalid, "This site has not signed it.");
    let signed = Signed::parse(jws).ok_or_else(refused)?;
    let key = erasures::find_key(&context.pool, &signed.key_id).await?;
    let statement = signed.verify(&key.ok_or_else(refused)?);
    Ok(Receipt {
        jws: jws.to_owned(),
        statement: statement.ok_or_else(refused)?,
    })
}
