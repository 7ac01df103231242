//! gRPC methods for links in emails.

use newsletters_proto::v1::{
    self as proto, ChangePreferencesRequest, ConfirmRequest, GetConfirmationRequest,
    GetPreferencesRequest, RefuseRequest, RefuseResponse, mailed_links_server::MailedLinks,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, chosen, names, place, settings};
use crate::usecases::{
    confirm::{Confirmation, confirm, get_confirmation, refuse},
    preferences::{Preferences, change_preferences, get_preferences},
};

#[async_trait]
impl MailedLinks for Api {
    async fn get_confirmation(
        &self,
        request: Request<GetConfirmationRequest>,
    ) -> Result<Response<proto::Confirmation>, Status> {
        let found = get_confirmation(&self.context, &request.get_ref().token).await?;
        Ok(Response::new(confirmation(found)))
    }

    async fn confirm(
        &self,
        request: Request<ConfirmRequest>,
    ) -> Result<Response<proto::Confirmation>, Status> {
        let confirmed = confirm(&self.context, &request.get_ref().token).await?;
        Ok(Response::new(confirmation(confirmed)))
    }

    async fn refuse(
        &self,
        request: Request<RefuseRequest>,
    ) -> Result<Response<RefuseResponse>, Status> {
        refuse(&self.context, &request.get_ref().token).await?;
        Ok(Response::new(RefuseResponse {}))
    }

    async fn get_preferences(
        &self,
        request: Request<GetPreferencesRequest>,
    ) -> Result<Response<proto::Preferences>, Status> {
        let found = get_preferences(&self.context, &request.get_ref().token).await?;
        Ok(Response::new(preferences(found)))
    }

    async fn change_preferences(
        &self,
        request: Request<ChangePreferencesRequest>,
    ) -> Result<Response<proto::Preferences>, Status> {
        let ChangePreferencesRequest {
            token,
            choices,
            origin,
        } = request.get_ref();
        let (choices, origin) = (chosen(choices)?, place(origin.as_ref())?);
        let changed = change_preferences(&self.context, token, &choices, &origin).await?;
        Ok(Response::new(preferences(changed)))
    }
}

fn confirmation(confirmation: Confirmation) -> proto::Confirmation {
    proto::Confirmation {
        kinds: names(&confirmation.kinds),
        address: confirmation.address,
    }
}

fn preferences(preferences: Preferences) -> proto::Preferences {
    proto::Preferences {
        settings: Some(settings(&preferences.on)),
        address: preferences.address,
    }
}
