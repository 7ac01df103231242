//! Protobuf to domain and back, nothing else.

mod campaigns;
mod delivery;

pub(crate) use self::{campaigns::CampaignsApi, delivery::DeliveryApi};
