//! The calls about readers' avatars.

use chassis::call::Caller;
use photos_proto::v1::{
    self as proto, GetAvatarRequest, RemoveAvatarRequest, RemoveAvatarResponse, SetAvatarRequest,
    avatars_server::Avatars,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, answers, received};
use crate::{
    domain::Avatar,
    usecases::avatars::{get_avatar, remove_avatar, set_avatar},
};

#[async_trait]
impl Avatars for Api {
    async fn get_avatar(
        &self,
        request: Request<GetAvatarRequest>,
    ) -> Result<Response<proto::Avatar>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let avatar = get_avatar(&self.context, reader).await?;
        Ok(Response::new(answer(&avatar)))
    }

    async fn set_avatar(
        &self,
        request: Request<SetAvatarRequest>,
    ) -> Result<Response<proto::Avatar>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let SetAvatarRequest { blob, full_name } = request.get_ref();
        let avatar = set_avatar(&self.context, reader, received(blob)?, full_name).await?;
        Ok(Response::new(answer(&avatar)))
    }

    async fn remove_avatar(
        &self,
        request: Request<RemoveAvatarRequest>,
    ) -> Result<Response<RemoveAvatarResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        remove_avatar(&self.context, reader).await?;
        Ok(Response::new(RemoveAvatarResponse {}))
    }
}

fn answer(avatar: &Avatar) -> proto::Avatar {
    proto::Avatar {
        name: avatar.name.map(answers::name),
        is_processing: avatar.next.is_some(),
    }
}
