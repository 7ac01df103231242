//! The calls about readers' calendars.

use chassis::{call::Caller, instant};
use identity_proto::v1::{
    BeginAuthorizationRequest, BeginAuthorizationResponse, Calendar, CheckCalendarRequest,
    CheckCalendarResponse, CompleteAuthorizationRequest, CompleteAuthorizationResponse,
    DisconnectCalendarRequest, DisconnectCalendarResponse, GetCalendarRequest,
    calendars_server::Calendars,
};
use tonic::{Request, Response, Status, async_trait};

use super::Api;
use crate::{
    domain::{Outcome, SessionToken},
    usecases::{
        calendar_authorization::{begin_authorization, complete_authorization},
        calendar_grant::{check_calendar, disconnect_calendar, get_calendar},
    },
};

#[async_trait]
impl Calendars for Api {
    async fn get_calendar(
        &self,
        request: Request<GetCalendarRequest>,
    ) -> Result<Response<Calendar>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let connected = get_calendar(&self.context, reader).await?;
        Ok(Response::new(Calendar {
            date_connected: connected.map(instant::to_proto),
        }))
    }

    async fn check_calendar(
        &self,
        request: Request<CheckCalendarRequest>,
    ) -> Result<Response<CheckCalendarResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let CheckCalendarRequest {
            event_id,
            session_token,
        } = request.get_ref();
        let session = SessionToken::new(session_token);
        let is_authorised = check_calendar(&self.context, reader, &session, *event_id).await?;
        Ok(Response::new(CheckCalendarResponse { is_authorised }))
    }

    async fn begin_authorization(
        &self,
        request: Request<BeginAuthorizationRequest>,
    ) -> Result<Response<BeginAuthorizationResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let BeginAuthorizationRequest {
            session_token,
            next,
        } = request.get_ref();
        let session = SessionToken::new(session_token);
        let authorization_url = begin_authorization(&self.context, reader, &session, next).await?;
        Ok(Response::new(BeginAuthorizationResponse {
            authorization_url,
        }))
    }

    async fn complete_authorization(
        &self,
        request: Request<CompleteAuthorizationRequest>,
    ) -> Result<Response<CompleteAuthorizationResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let CompleteAuthorizationRequest {
            session_token,
            state,
            code,
            error,
        } = request.into_inner();
        let session = SessionToken::new(&session_token);
        let outcome = Outcome::parse(code, &error);
        let (context, owners) = (&self.context, &self.owners);
        let next =
            complete_authorization(context, owners, reader, &session, &state, outcome).await?;
        Ok(Response::new(CompleteAuthorizationResponse { next }))
    }

    async fn disconnect_calendar(
        &self,
        request: Request<DisconnectCalendarRequest>,
    ) -> Result<Response<DisconnectCalendarResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        disconnect_calendar(&self.context, reader).await?;
        Ok(Response::new(DisconnectCalendarResponse {}))
    }
}
