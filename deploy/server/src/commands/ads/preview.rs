//! `cityguide ads preview`.

use ad_delivery::{Preview, Previews, campaign_from_wire};
use ads_proto::v1::{GetCampaignRequest, delivery_client::DeliveryClient};
use chassis::{
    clock::{Clock as _, SystemClock},
    keys::Keys,
    origin::Origin,
    rpc::Transport,
};

use super::{
    super::{console::print, operated::failure},
    calls::call,
};
use crate::settings::Settings;

/// Prints a signed link for each creative.
pub(super) async fn preview(
    settings: &Settings,
    client: &mut DeliveryClient<Transport>,
    campaign: String,
) -> Result<(), String> {
    if settings.internal.key.is_empty() {
        return Err(
            "internal.key is missing: links to previews are signed with that of the gateways"
                .to_owned(),
        );
    }
    let keys = Keys::parse(&settings.internal.key).map_err(|fault| fault.message)?;
    let origin = Origin::parse(&settings.site.url).map_err(|fault| fault.message)?;
    let request = call().request(GetCampaignRequest {
        source_id: campaign.clone(),
    });
    let found = client.get_campaign(request).await;
    let found = found.map_err(|status| format!("{campaign}: {}", failure(status)))?;
    let found = campaign_from_wire(found.get_ref())?;
    let previews = Previews::new(&keys);
    let now = SystemClock.now();
    for item in &found.line_items {
        for creative in &item.creatives {
            let preview = Preview::at(now, &campaign, creative.id);
            print(&format!(
                "{} / {}, {}: {}/ads/previews/{}/",
                item.source_id,
                creative.source_id,
                creative.size,
                origin.as_str(),
                previews.sign(&preview)
            ))?;
        }
    }
    print("the links work for 24 hours")
}
