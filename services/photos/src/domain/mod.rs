//! Types and rules of photos, without SQL and without gRPC.

mod decision;
mod photo;
mod report;
mod text;
mod trust;

pub(crate) use self::{
    decision::{Act, Decision},
    photo::{NewPhoto, Photo, Picture, SIZES, Status},
    report::{Report, ReportReason},
    text::{comment, refusal_reason},
    trust::{Suspicion, Trust, Uploader},
};
