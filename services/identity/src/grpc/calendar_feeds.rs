//! The calls about private calendar feeds.

use chassis::{call::Caller, instant};
use identity_proto::v1::{
    self as proto, EndFeedRequest, EndFeedResponse, FeedReader, FindFeedReaderRequest,
    GetFeedRequest, MakeFeedRequest, calendar_feeds_server::CalendarFeeds,
};
use tonic::{Request, Response, Status, async_trait};

use super::Api;
use crate::usecases::calendar_feed::{ShownFeed, end_feed, find_feed_reader, get_feed, make_feed};

#[async_trait]
impl CalendarFeeds for Api {
    async fn get_feed(
        &self,
        request: Request<GetFeedRequest>,
    ) -> Result<Response<proto::CalendarFeed>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let found = get_feed(&self.context, reader).await?;
        Ok(Response::new(found.map(shown).unwrap_or_default()))
    }

    async fn make_feed(
        &self,
        request: Request<MakeFeedRequest>,
    ) -> Result<Response<proto::CalendarFeed>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        Ok(Response::new(shown(
            make_feed(&self.context, reader).await?,
        )))
    }

    async fn end_feed(
        &self,
        request: Request<EndFeedRequest>,
    ) -> Result<Response<EndFeedResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        end_feed(&self.context, reader).await?;
        Ok(Response::new(EndFeedResponse {}))
    }

    async fn find_feed_reader(
        &self,
        request: Request<FindFeedReaderRequest>,
    ) -> Result<Response<FeedReader>, Status> {
        let secret = &request.get_ref().secret;
        let profile_id = find_feed_reader(&self.context, secret).await?;
        Ok(Response::new(FeedReader { profile_id }))
    }
}

fn shown(ShownFeed { secret, feed }: ShownFeed) -> proto::CalendarFeed {
    proto::CalendarFeed {
        secret,
        date_created: Some(instant::to_proto(feed.created_at)),
    }
}
