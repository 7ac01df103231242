//! The calls of operators about accounts.

use chassis::{call::Caller, error::Fault, instant};
use cityguide_proto::identity::v1::{
    self as proto, EndSessionsRequest, EndSessionsResponse, GetAccountRequest, SetDisabledRequest,
    accounts_server::Accounts, get_account_request::Account as Wanted,
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    domain::SupportView,
    usecases::support::{end_sessions, find_account, get_account, set_disabled},
};

pub(crate) struct AccountsApi {
    context: Context,
}

impl AccountsApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Accounts for AccountsApi {
    async fn get_account(
        &self,
        request: Request<GetAccountRequest>,
    ) -> Result<Response<proto::Account>, Status> {
        Caller::from_request(&request).operator()?;
        let found = match request.into_inner().account {
            Some(Wanted::Id(id)) => get_account(&self.context, id).await?,
            Some(Wanted::Email(email)) => find_account(&self.context, &email).await?,
            None => return Err(Fault::not_found().into()),
        };
        Ok(Response::new(account(found)))
    }

    async fn set_disabled(
        &self,
        request: Request<SetDisabledRequest>,
    ) -> Result<Response<proto::Account>, Status> {
        Caller::from_request(&request).operator()?;
        let SetDisabledRequest { id, is_disabled } = request.into_inner();
        let changed = set_disabled(&self.context, id, is_disabled).await?;
        Ok(Response::new(account(changed)))
    }

    async fn end_sessions(
        &self,
        request: Request<EndSessionsRequest>,
    ) -> Result<Response<EndSessionsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let ended = end_sessions(&self.context, request.get_ref().id).await?;
        let sessions = i64::try_from(ended).unwrap_or(i64::MAX);
        Ok(Response::new(EndSessionsResponse { sessions }))
    }
}

fn account(view: SupportView) -> proto::Account {
    let profile = view.profile;
    proto::Account {
        id: profile.id,
        full_name: profile.full_name,
        email: profile.email,
        email_verified: profile.email_verified,
        pending_email: profile.pending_email,
        date_created: Some(instant::to_proto(profile.created_at)),
        date_disabled: view.disabled_at.map(instant::to_proto),
        sessions: view.sessions,
        last_active: view.last_active_at.map(instant::to_proto),
    }
}
