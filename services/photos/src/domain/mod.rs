//! Types and rules of photos, independent of SQL and gRPC.

mod avatar;
mod decision;
mod imported;
mod photo;
mod report;
mod text;
mod trust;

pub(crate) use self::{
    avatar::{AVATAR_SIZES, Avatar, NextAvatar},
    decision::{Act, Decision},
    imported::{ImportedPhoto, is_on_instagram},
    photo::{NewPhoto, Photo, Picture, SIZES, Status},
    report::{Report, ReportReason},
    text::{comment, refusal_reason},
    trust::{Suspicion, Trust, Uploader},
};
