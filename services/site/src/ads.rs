//! `[ads]` of a site's file: ad slots on pages, and the networks that may fill them.

mod networks;
pub mod slot;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::{
    networks::{GoogleSettings, PrebidSettings},
    slot::{AdSlot, PageKind, Spot},
};

/// Maximum number of slots on a site.
const MAX_SLOTS: usize = 24;

/// `[ads]` of a site's file. Without slots, pages have no ads.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdsSettings {
    /// Slots; slots at the same spot are shown in this order.
    #[serde(default)]
    #[schema(required = true)]
    pub slots: Vec<AdSlot>,
    /// Bidders for the slots, whose best bids are passed to `google`; disabled if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prebid: Option<PrebidSettings>,
    /// Google Publisher Tag, which fills slots without an ad of the site; disabled if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub google: Option<GoogleSettings>,
}

impl AdsSettings {
    /// Rejects slots that pages cannot show and networks that cannot be loaded.
    pub fn check(&self) -> Result<(), String> {
        let Self {
            slots,
            prebid,
            google,
        } = self;
        if slots.len() > MAX_SLOTS {
            return Err(format!(
                "ads.slots: {} are too many, {MAX_SLOTS} are allowed",
                slots.len()
            ));
        }
        for (index, slot) in slots.iter().enumerate() {
            slot.check()
                .map_err(|why| format!("ads.slots: {:?}: {why}", slot.position))?;
            let mut others = slots.iter().take(index);
            if others.any(|other| other.position == slot.position) {
                return Err(format!(
                    "ads.slots: the position {:?} is there twice",
                    slot.position
                ));
            }
        }
        if prebid.is_some() && google.is_none() {
            return Err("ads.prebid needs ads.google, which shows what has won".to_owned());
        }
        google.as_ref().map_or(Ok(()), GoogleSettings::check)?;
        prebid.as_ref().map_or(Ok(()), PrebidSettings::check)
    }

    /// Returns the slots at a page's spot, in the order of the file.
    pub fn at(&self, page: PageKind, spot: Spot) -> impl Iterator<Item = &AdSlot> {
        let is_there = move |slot: &&AdSlot| slot.at == spot && slot.pages.contains(&page);
        self.slots.iter().filter(is_there)
    }

    /// Returns the origins of the networks' scripts.
    pub fn script_origins(&self) -> Vec<String> {
        let google = self.google.iter().map(GoogleSettings::script_origin);
        let prebid = self.prebid.iter().map(PrebidSettings::script_origin);
        google.chain(prebid).flatten().collect()
    }

    /// Returns the other origins that networks load from.
    #[must_use]
    pub fn other_origins(&self) -> Vec<String> {
        let google = self.google.iter().flat_map(|google| &google.origins);
        let prebid = self.prebid.iter().flat_map(|prebid| &prebid.origins);
        google.chain(prebid).cloned().collect()
    }

    /// Returns the trusted-types policies of the networks' scripts.
    #[must_use]
    pub fn trusted_types(&self) -> Vec<String> {
        let google = self.google.iter().flat_map(|google| &google.trusted_types);
        let prebid = self.prebid.iter().flat_map(|prebid| &prebid.trusted_types);
        google.chain(prebid).cloned().collect()
    }
}
