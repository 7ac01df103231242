//! gRPC methods for third-party consent.

use chassis::{call::Caller, instant};
use newsletters_proto::v1::{
    ChooseRequest, GetChoiceRequest, ThirdPartyChoice as ChoiceMessage,
    third_parties_server::ThirdParties,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, parsed, place};
use crate::{
    domain::{ThirdPartyAnswer, ThirdPartyChoice},
    usecases::third_parties::{choose, get_choice},
};

#[async_trait]
impl ThirdParties for Api {
    async fn get_choice(
        &self,
        request: Request<GetChoiceRequest>,
    ) -> Result<Response<ChoiceMessage>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let choice = get_choice(&self.context, reader).await?;
        Ok(Response::new(choice.map(message).unwrap_or_default()))
    }

    async fn choose(
        &self,
        request: Request<ChooseRequest>,
    ) -> Result<Response<ChoiceMessage>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ChooseRequest {
            is_allowed,
            wording,
            origin,
            email,
        } = request.get_ref();
        let (email, origin) = (parsed(email)?, place(origin.as_ref())?);
        let answer = ThirdPartyAnswer::parse(*is_allowed, wording)?;
        let choice = choose(&self.context, reader, &email, &answer, &origin).await?;
        Ok(Response::new(message(choice)))
    }
}

fn message(choice: ThirdPartyChoice) -> ChoiceMessage {
    ChoiceMessage {
        is_allowed: Some(choice.wording.is_some()),
        wording: choice.wording.unwrap_or_default(),
        at: Some(instant::to_proto(choice.at)),
    }
}
