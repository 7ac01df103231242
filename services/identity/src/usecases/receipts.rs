//! Receipts of erasures: returned for a mailed link, and verified for anyone who presents one.

use chassis::error::{Code, Fault};
use identity_proto::v1::Receipt;

use crate::{
    context::Context,
    domain::{LinkToken, Signed},
    error::Error,
    store::erasures,
};

/// The receipt for a mailed link.
pub(crate) async fn get_receipt(context: &Context, secret: &str) -> Result<Receipt, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let found = erasures::receipt(&context.pool, &token, now).await?;
    let jws = found.ok_or_else(Fault::not_found)?;
    Ok(verify_receipt(context, &jws).await?)
}

/// The content of a receipt that this site has signed with any of its keys.
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
