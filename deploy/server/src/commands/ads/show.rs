//! `cityguide ads status`, `pause`, `resume`, `report` and `refusals`.

use ad_delivery::Counts;
use ads_proto::v1::{
    CampaignState, LineItemState, PauseCampaignRequest, Priority, ShowRefusalsRequest,
};

use super::{
    super::console::{moment, print},
    super::operated::failure,
    calls::{Client, call, campaigns_listed, report},
};

/// Prints all campaigns with their line items.
pub(super) async fn status(client: &mut Client) -> Result<(), String> {
    let campaigns = campaigns_listed(client).await?;
    for campaign in &campaigns {
        print_campaign(campaign)?;
    }
    print(&format!("{} campaigns", campaigns.len()))
}

/// Prints the refused events.
pub(super) async fn refusals(client: &mut Client) -> Result<(), String> {
    let request = call().request(ShowRefusalsRequest {});
    let shown = client.show_refusals(request).await.map_err(failure)?;
    for one in &shown.get_ref().hours {
        let hour = moment(one.hour.as_ref());
        print(&format!("{hour}  {:>8}  {}", one.count, one.reason))?;
    }
    Ok(())
}

/// Pauses or resumes a campaign.
pub(super) async fn pause(
    client: &mut Client,
    campaign: String,
    is_paused: bool,
) -> Result<(), String> {
    let request = PauseCampaignRequest {
        source_id: campaign.clone(),
        is_paused,
    };
    let done = client.pause_campaign(call().request(request)).await;
    done.map_err(|status| format!("{campaign}: {}", failure(status)))?;
    let state = if is_paused { "is paused" } else { "goes on" };
    print(&format!("{campaign} {state}"))
}

fn print_campaign(campaign: &CampaignState) -> Result<(), String> {
    let paused = if campaign.is_paused { ", paused" } else { "" };
    print(&format!(
        "{}  {} for {}, {} to {} UTC{paused}",
        campaign.source_id,
        campaign.name,
        campaign.advertiser,
        moment(campaign.starts_at.as_ref()),
        moment(campaign.ends_at.as_ref()),
    ))?;
    for item in &campaign.line_items {
        print(&line(item))?;
    }
    Ok(())
}

/// Formats a line item as one line.
fn line(item: &LineItemState) -> String {
    let counts: Counts = item.counts.unwrap_or_default().into();
    let priority = match item.priority() {
        Priority::Sponsorship => "sponsorship",
        Priority::Standard => "standard",
        Priority::House | Priority::Unspecified => "house",
    };
    let goal = match item.goal {
        0 => String::new(),
        goal => {
            let end = match item.foreseen_end.as_ref() {
                Some(end) => format!("reached on {} UTC", moment(Some(end))),
                None => "not reached at this pace".to_owned(),
            };
            format!(" of {goal} ({} expected by now; {end})", item.expected)
        }
    };
    let Counts {
        impressions,
        viewable,
        clicks,
        surplus,
        invalid,
    } = counts;
    format!(
        "    {}, {priority}: {impressions} impressions{goal}, {viewable} viewable, {clicks} clicks, \
         {surplus} surplus, {invalid} invalid",
        item.source_id
    )
}

/// Prints a campaign's delivery by hour and creative.
pub(super) async fn print_hours(client: &mut Client, campaign: &str) -> Result<(), String> {
    let report = report(client, campaign).await?;
    if let Some(campaign) = &report.campaign {
        print_campaign(campaign)?;
    }
    print(
        "hour (UTC)        line item / creative                impressions viewable clicks surplus invalid",
    )?;
    for hour in &report.hours {
        let counts = hour.counts.unwrap_or_default();
        let name = format!("{} / {}", hour.line_item, hour.creative);
        print(&format!(
            "{}  {name:<36}{:>11}{:>9}{:>7}{:>8}{:>8}",
            moment(hour.hour.as_ref()),
            counts.impressions,
            counts.viewable,
            counts.clicks,
            counts.surplus,
            counts.invalid
        ))?;
    }
    Ok(())
}
