//! The operators' calls about accounts.

use chassis::{call::Caller, digest, error::Fault, instant};
use identity_proto::v1::{
    self as proto, EndSessionsRequest, EndSessionsResponse, GetAccountRequest, ListAuditRequest,
    ListAuditResponse, SetDisabledRequest, accounts_server::Accounts,
    get_account_request::Account as Wanted,
};
use tonic::{Request, Response, Status, async_trait};

use super::Api;
use crate::{
    domain::{AuditCursor, AuditEntry, SupportView},
    usecases::{
        audit::{list_audit, next_page},
        support::{end_sessions, find_account, get_account, set_disabled},
    },
};

#[async_trait]
impl Accounts for Api {
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

    async fn list_audit(
        &self,
        request: Request<ListAuditRequest>,
    ) -> Result<Response<ListAuditResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let ListAuditRequest {
            account_id,
            since,
            after,
        } = request.into_inner();
        let since = since.as_ref().and_then(instant::from_proto);
        let after = after.and_then(|after| {
            let last_at = instant::from_proto(&after.last?)?;
            Some(AuditCursor {
                last_at,
                id: after.id,
            })
        });
        let entries = list_audit(&self.context, account_id, since, after).await?;
        let next = next_page(&entries).map(|after| proto::AuditCursor {
            last: Some(instant::to_proto(after.last_at)),
            id: after.id,
        });
        Ok(Response::new(ListAuditResponse {
            entries: entries.into_iter().map(entry).collect(),
            next,
        }))
    }
}

fn entry(entry: AuditEntry) -> proto::AuditEntry {
    proto::AuditEntry {
        id: entry.id,
        account_id: entry.profile_id,
        pseudonym: entry.pseudonym.as_deref().map(digest::text),
        act: entry.act,
        network: entry.network,
        operator: entry.operator,
        times: entry.times,
        first: Some(instant::to_proto(entry.first_at)),
        last: Some(instant::to_proto(entry.last_at)),
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
