//! Operators' calls of the ads service.

use std::time::Duration;

use ads_proto::v1::{
    CampaignState, ReportCampaignRequest, ReportCampaignResponse, ShowCampaignsRequest,
    campaigns_client::CampaignsClient,
};
use chassis::{
    call::{Call, Caller},
    rpc::Transport,
};

use super::super::operated::failure;

const TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of imports and of reading the complete log.
const LONG: Duration = Duration::from_mins(30);

pub(super) type Client = CampaignsClient<Transport>;

pub(super) fn call() -> Call {
    Call::new(Caller::Operator, TIMEOUT)
}

pub(super) fn long_call() -> Call {
    Call::new(Caller::Operator, LONG)
}

/// Returns current, future and recently ended campaigns.
pub(super) async fn campaigns_listed(client: &mut Client) -> Result<Vec<CampaignState>, String> {
    let request = call().request(ShowCampaignsRequest {});
    let shown = client.show_campaigns(request).await.map_err(failure)?;
    Ok(shown.into_inner().campaigns)
}

pub(super) async fn report(
    client: &mut Client,
    campaign: &str,
) -> Result<ReportCampaignResponse, String> {
    let request = ReportCampaignRequest {
        source_id: campaign.to_owned(),
    };
    let shown = client.report_campaign(call().request(request)).await;
    let shown = shown.map_err(|status| format!("{campaign}: {}", failure(status)))?;
    Ok(shown.into_inner())
}
