//! Conversions between protobuf and domain types.

mod archive;
mod consents;
mod issues;
mod links;
mod readers;
mod reports;
mod third_parties;

use chassis::{call::Caller, email::Email, error::Fault};
use newsletters_proto::v1::{
    self as proto, ChangeSettingsRequest, GetSettingsRequest, Settings, SubscribeRequest,
    SubscribeResponse, newsletters_server::Newsletters,
};
use tonic::{Request, Response, Status, async_trait};
use vocabulary::newsletters::Kind;

use crate::{
    context::Context,
    domain::{Choice, Choices, Origin},
    usecases::{
        settings::{change_settings, get_settings},
        subscribe::subscribe,
    },
};

#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) context: Context,
}

#[async_trait]
impl Newsletters for Api {
    async fn get_settings(
        &self,
        request: Request<GetSettingsRequest>,
    ) -> Result<Response<Settings>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let verified = Some(&request.get_ref().verified_email).filter(|email| !email.is_empty());
        let verified = verified.map(|email| parsed(email)).transpose()?;
        let on = get_settings(&self.context, reader, verified.as_ref()).await?;
        Ok(Response::new(settings(&on)))
    }

    async fn change_settings(
        &self,
        request: Request<ChangeSettingsRequest>,
    ) -> Result<Response<Settings>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ChangeSettingsRequest {
            choices,
            origin,
            email,
            is_email_verified,
        } = request.get_ref();
        let address = (&parsed(email)?, *is_email_verified);
        let (choices, origin) = (chosen(choices)?, place(origin.as_ref())?);
        let on = change_settings(&self.context, reader, address, &choices, &origin).await?;
        Ok(Response::new(settings(&on)))
    }

    async fn subscribe(
        &self,
        request: Request<SubscribeRequest>,
    ) -> Result<Response<SubscribeResponse>, Status> {
        let SubscribeRequest {
            email,
            choices,
            origin,
        } = request.get_ref();
        let email = parsed(email)?;
        let (choices, origin) = (chosen(choices)?, place(origin.as_ref())?);
        subscribe(&self.context, &email, &choices, &origin).await?;
        Ok(Response::new(SubscribeResponse {}))
    }
}

fn parsed(email: &str) -> Result<Email, Fault> {
    Email::parse(email).map_err(|message| Fault::invalid_field("email", message))
}

fn chosen(choices: &[proto::Choice]) -> Result<Choices, Fault> {
    let choices = choices.iter();
    Choice::parse_all(choices.map(|one| (one.kind.as_str(), one.is_on, one.wording.as_str())))
}

fn place(origin: Option<&proto::Origin>) -> Result<Origin, Fault> {
    let origin = origin.ok_or_else(|| Fault::invalid_field("way", "Unknown way."))?;
    Origin::parse(&origin.page, &origin.way)
}

fn settings(on: &[Kind]) -> Settings {
    Settings { on: names(on) }
}

fn names(kinds: &[Kind]) -> Vec<String> {
    kinds.iter().map(|kind| kind.name().to_owned()).collect()
}
