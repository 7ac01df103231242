//! The operators' calls.

use std::pin::Pin;

use ad_delivery::{Priority, advertiser_from_wire, batch_to_wire, campaign_from_wire, key_to_wire};
use ads_proto::v1::{
    self as proto, HourlyRefusals, ImportRequest, LogBatch, LogKeys, PauseCampaignRequest,
    PauseCampaignResponse, ReadLogRequest, ReportCampaignRequest, ReportCampaignResponse,
    ShowCampaignsRequest, ShowCampaignsResponse, ShowLogKeysRequest, ShowRefusalsRequest,
    ShowRefusalsResponse, campaigns_server::Campaigns, import_request::Item as Sent,
};
use chassis::{
    call::Caller,
    instant,
    intake::{self, Message, Origin},
};
use cityguide_proto::intake::v1::Report;
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use tonic::{Request, Response, Status, Streaming, async_trait};

use super::Api;
use crate::{
    context::Context,
    domain::{CampaignState, HourlyCount, LineItemState},
    usecases::{
        import::{CampaignsIntake, Item, ItemKind},
        judge::judge_waiting,
        read_log::{batches_after, log_keys},
        report,
    },
};

#[async_trait]
impl Campaigns for Api {
    async fn import(
        &self,
        request: Request<Streaming<ImportRequest>>,
    ) -> Result<Response<Report>, Status> {
        Caller::from_request(&request).operator()?;
        let Context { pool, outbox, .. } = &self.context;
        let intake = CampaignsIntake::new(outbox.clone());
        let report = intake::import(pool, outbox, intake, request.into_inner(), read).await?;
        Ok(Response::new(report))
    }

    async fn show_campaigns(
        &self,
        request: Request<ShowCampaignsRequest>,
    ) -> Result<Response<ShowCampaignsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let found = report::show(&self.context).await?;
        let campaigns = found.into_iter().map(campaign).collect();
        Ok(Response::new(ShowCampaignsResponse { campaigns }))
    }

    async fn pause_campaign(
        &self,
        request: Request<PauseCampaignRequest>,
    ) -> Result<Response<PauseCampaignResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let PauseCampaignRequest {
            source_id,
            is_paused,
        } = request.get_ref();
        report::pause(&self.context, source_id, *is_paused).await?;
        Ok(Response::new(PauseCampaignResponse {}))
    }

    async fn report_campaign(
        &self,
        request: Request<ReportCampaignRequest>,
    ) -> Result<Response<ReportCampaignResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let source_id = &request.get_ref().source_id;
        let (state, hours, log_position) = report::report(&self.context, source_id).await?;
        Ok(Response::new(ReportCampaignResponse {
            campaign: Some(campaign(state)),
            hours: hours.into_iter().map(hourly).collect(),
            log_position,
        }))
    }

    type ReadLogStream = Pin<Box<dyn Stream<Item = Result<LogBatch, Status>> + Send>>;

    async fn read_log(
        &self,
        request: Request<ReadLogRequest>,
    ) -> Result<Response<Self::ReadLogStream>, Status> {
        Caller::from_request(&request).operator()?;
        let (context, after) = (self.context.clone(), request.get_ref().after);
        // Includes everything stored before the call. Events that arrive during the call may or may not be included.
        judge_waiting(&context).await?;
        let parts = stream::try_unfold(after, move |after| {
            let context = context.clone();
            async move {
                let batches = batches_after(&context, after).await.map_err(Status::from)?;
                let last = batches.last().map(|batch| batch.position);
                Ok::<_, Status>(last.map(|last| (batches, last)))
            }
        });
        let batches = parts
            .map_ok(|batches| stream::iter(batches.into_iter().map(|one| Ok(batch_to_wire(one)))))
            .try_flatten();
        Ok(Response::new(batches.boxed()))
    }

    async fn show_log_keys(
        &self,
        request: Request<ShowLogKeysRequest>,
    ) -> Result<Response<LogKeys>, Status> {
        Caller::from_request(&request).operator()?;
        let keys = log_keys(&self.context).await?;
        let own = self.context.signer.public_keys().into_iter();
        Ok(Response::new(LogKeys {
            keys: keys.into_iter().map(key_to_wire).collect(),
            own: own.map(Vec::from).collect(),
        }))
    }

    async fn show_refusals(
        &self,
        request: Request<ShowRefusalsRequest>,
    ) -> Result<Response<ShowRefusalsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let found = report::refusals(&self.context).await?;
        let hours = found.into_iter().map(|one| HourlyRefusals {
            hour: Some(instant::to_proto(one.hour)),
            reason: one.reason,
            count: one.count,
        });
        Ok(Response::new(ShowRefusalsResponse {
            hours: hours.collect(),
        }))
    }
}

fn read(message: ImportRequest) -> Message<ItemKind, Item> {
    match message.item {
        Some(Sent::Finish(finish)) => Message::Finish(finish),
        Some(Sent::Advertiser(sent)) => {
            let advertiser = sent.advertiser.unwrap_or_default();
            Message::Item {
                kind: ItemKind::Advertiser,
                origin: Origin::new(&sent.position, &advertiser.source_id),
                item: advertiser_from_wire(&advertiser).map(Item::Advertiser),
            }
        }
        Some(Sent::Campaign(sent)) => {
            let campaign = sent.campaign.unwrap_or_default();
            let read = campaign_from_wire(&campaign);
            Message::Item {
                kind: ItemKind::Campaign,
                origin: Origin::new(&sent.position, &campaign.source_id),
                item: read.map(|campaign| Item::Campaign(Box::new(campaign))),
            }
        }
        None => Message::Item {
            kind: ItemKind::Campaign,
            origin: Origin::new("", ""),
            item: Err("the message holds no item".to_owned()),
        },
    }
}

fn campaign(state: CampaignState) -> proto::CampaignState {
    proto::CampaignState {
        source_id: state.source_id,
        advertiser: state.advertiser,
        name: state.name,
        starts_at: Some(instant::to_proto(state.starts_at)),
        ends_at: Some(instant::to_proto(state.ends_at)),
        is_paused: state.is_paused,
        line_items: state.line_items.into_iter().map(line_item).collect(),
    }
}

fn line_item(state: LineItemState) -> proto::LineItemState {
    let priority = match state.priority {
        Priority::Sponsorship => proto::Priority::Sponsorship,
        Priority::Standard => proto::Priority::Standard,
        Priority::House => proto::Priority::House,
    };
    proto::LineItemState {
        source_id: state.source_id,
        priority: priority.into(),
        goal: i64::try_from(state.goal).unwrap_or(i64::MAX),
        counts: Some(state.counts.into()),
        expected: state.expected,
        foreseen_end: state.foreseen_end.map(instant::to_proto),
    }
}

fn hourly(count: HourlyCount) -> proto::HourlyCount {
    proto::HourlyCount {
        hour: Some(instant::to_proto(count.hour)),
        line_item: count.line_item,
        creative: count.creative,
        counts: Some(count.counts.into()),
    }
}
