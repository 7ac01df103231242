//! Imports advertisers and campaigns.

use ad_delivery::{Advertiser, Campaign};
use async_trait::async_trait;
use chassis::{
    difference,
    error::Fault,
    intake::{Import, Intake, Kind, Origin, Outcome, Rejection},
    postgres::Outbox,
};

use super::revise::revise;
use crate::store::{campaigns, intake};

/// The maximum number of campaigns that have not ended, so that every process can hold all of them.
const MAX_CAMPAIGNS: usize = 10_000;

/// The kinds of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemKind {
    Advertiser,
    Campaign,
}

impl Kind for ItemKind {
    fn plural(self) -> &'static str {
        match self {
            Self::Advertiser => "advertisers",
            Self::Campaign => "campaigns",
        }
    }
}

#[derive(Debug)]
pub(crate) enum Item {
    Advertiser(Advertiser),
    Campaign(Box<Campaign>),
}

#[derive(Debug)]
pub(crate) struct CampaignsIntake {
    outbox: Outbox,
    taken: usize,
}

#[async_trait]
impl Intake for CampaignsIntake {
    type Kind = ItemKind;
    type Item = Item;

    const LOCK: &'static str = "ads.import";

    async fn take(
        &mut self,
        import: &mut Import<ItemKind>,
        _: &Origin,
        item: Item,
    ) -> Result<Option<Outcome>, Rejection> {
        match item {
            Item::Advertiser(advertiser) => {
                let kept = intake::keep_advertiser(&mut import.transaction, &advertiser).await;
                kept.map(Some).map_err(Rejection::from)
            }
            Item::Campaign(campaign) => {
                self.taken += 1;
                if self.taken > MAX_CAMPAIGNS {
                    return Err(format!("more than {MAX_CAMPAIGNS} campaigns at a time").into());
                }
                self.keep(import, &campaign).await.map(Some)
            }
        }
    }

    async fn flush(&mut self, _: &mut Import<ItemKind>) -> Result<(), Fault> {
        Ok(())
    }

    async fn conclude(self, import: &mut Import<ItemKind>) -> Result<(), Fault> {
        let has_changed = [ItemKind::Advertiser, ItemKind::Campaign]
            .into_iter()
            .any(|kind| import.has_written(kind));
        if has_changed {
            revise(&self.outbox, &mut import.transaction).await?;
        }
        Ok(())
    }
}

impl CampaignsIntake {
    pub(crate) fn new(outbox: Outbox) -> Self {
        Self { outbox, taken: 0 }
    }

    async fn keep(
        &mut self,
        import: &mut Import<ItemKind>,
        campaign: &Campaign,
    ) -> Result<Outcome, Rejection> {
        let transaction = &mut *import.transaction;
        let advertiser = &campaign.advertiser;
        let Some(advertiser_id) = intake::advertiser(transaction, advertiser).await? else {
            return Err(format!("advertiser: there is no advertiser {advertiser:?}").into());
        };
        let there = campaigns::find(&mut *transaction, &campaign.source_id).await?;
        let outcome = there.map_or(Outcome::Created, |there| {
            Outcome::of_difference(differences(&there.campaign, campaign))
        });
        if outcome == Outcome::Unchanged {
            return Ok(outcome);
        }
        let id = intake::keep_campaign(transaction, campaign, advertiser_id).await?;
        intake::withdraw_all(transaction, id).await?;
        for (rank, item) in (0..).zip(&campaign.line_items) {
            let item_id = intake::keep_line_item(transaction, (id, rank), item).await?;
            for (rank, creative) in (0..).zip(&item.creatives) {
                intake::keep_creative(transaction, (item_id, rank), creative).await?;
            }
        }
        Ok(outcome)
    }
}

/// The fields in which a campaign differs from the stored one, ignoring ids.
fn differences(there: &Campaign, campaign: &Campaign) -> Vec<&'static str> {
    let without_ids = |campaign: &Campaign| {
        let mut campaign = campaign.clone();
        campaign.id = 0;
        campaign.advertiser_name.clear();
        for item in &mut campaign.line_items {
            item.id = 0;
            for creative in &mut item.creatives {
                creative.id = 0;
            }
        }
        campaign
    };
    let (there, campaign) = (without_ids(there), without_ids(campaign));
    difference!(Campaign, there, campaign, {
        id: "id", source_id: "slug", advertiser: "advertiser", advertiser_name: "advertiser",
        name: "name", category: "category", starts_at: "starts", ends_at: "ends", line_items: "line_items",
    })
}
