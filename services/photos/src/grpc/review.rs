//! The calls of operators who review photos.

use chassis::{call::Caller, instant};
use photos_proto::v1::{
    self as proto, DecidePhotoRequest, DecidePhotoResponse, ListWaitingRequest,
    ListWaitingResponse, ReviewedPhoto, SetBanRequest, SetBanResponse, ShowPhotoRequest,
    TakeDownAvatarRequest, TakeDownAvatarResponse, review_server::Review,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, answers};
use crate::{
    domain::{Decision, Photo, Report, refusal_reason},
    usecases::{
        avatars::take_down_avatar,
        review::{accept_photo, list_waiting, refuse_photo, set_ban, show_photo},
    },
};

#[async_trait]
impl Review for Api {
    async fn list_waiting(
        &self,
        request: Request<ListWaitingRequest>,
    ) -> Result<Response<ListWaitingResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let photos = list_waiting(&self.context).await?;
        Ok(Response::new(ListWaitingResponse {
            photos: photos.into_iter().map(reviewed).collect(),
        }))
    }

    async fn show_photo(
        &self,
        request: Request<ShowPhotoRequest>,
    ) -> Result<Response<ReviewedPhoto>, Status> {
        Caller::from_request(&request).operator()?;
        let found = show_photo(&self.context, request.get_ref().id).await?;
        Ok(Response::new(ReviewedPhoto {
            reports: found.reports.into_iter().map(report).collect(),
            decisions: found.decisions.into_iter().map(decision).collect(),
            is_banned: found.is_banned,
            ..reviewed(found.photo)
        }))
    }

    async fn decide_photo(
        &self,
        request: Request<DecidePhotoRequest>,
    ) -> Result<Response<DecidePhotoResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let DecidePhotoRequest { id, accept, reason } = request.get_ref();
        if *accept {
            accept_photo(&self.context, *id).await?;
        } else {
            refuse_photo(&self.context, *id, &refusal_reason(reason)?).await?;
        }
        Ok(Response::new(DecidePhotoResponse {}))
    }

    async fn set_ban(
        &self,
        request: Request<SetBanRequest>,
    ) -> Result<Response<SetBanResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let SetBanRequest {
            profile_id,
            is_banned,
            reason,
        } = request.get_ref();
        let reason = refusal_reason(reason)?;
        let refused = set_ban(&self.context, *profile_id, *is_banned, &reason).await?;
        Ok(Response::new(SetBanResponse { refused }))
    }

    async fn take_down_avatar(
        &self,
        request: Request<TakeDownAvatarRequest>,
    ) -> Result<Response<TakeDownAvatarResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let TakeDownAvatarRequest { profile_id, reason } = request.get_ref();
        take_down_avatar(&self.context, *profile_id, &refusal_reason(reason)?).await?;
        Ok(Response::new(TakeDownAvatarResponse {}))
    }
}

fn reviewed(photo: Photo) -> ReviewedPhoto {
    ReviewedPhoto {
        profile_id: photo.profile_id,
        suspicion: photo.suspicion.clone(),
        photo: Some(answers::photo(photo, None)),
        ..ReviewedPhoto::default()
    }
}

fn report(report: Report) -> proto::Report {
    proto::Report {
        reason: report.reason,
        comment: report.comment,
        at: Some(instant::to_proto(report.at)),
    }
}

fn decision(decision: Decision) -> proto::Decision {
    proto::Decision {
        act: decision.act,
        reason: decision.reason,
        operator: decision.operator,
        at: Some(instant::to_proto(decision.at)),
    }
}
