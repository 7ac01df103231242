//! Logging in with Facebook, by redirect or by a token; connections; deletion requests from Facebook.

pub(crate) mod deletion;
mod enter;
pub(crate) mod login;
pub(crate) mod manage;

use chassis::error::Fault;

use crate::{context::Context, error::Error, facebook::Facebook};

/// The site's Facebook app; [`Fault::not_found`] if it has none.
fn facebook(context: &Context) -> Result<&Facebook, Error> {
    Ok(context.facebook.as_ref().ok_or_else(Fault::not_found)?)
}
