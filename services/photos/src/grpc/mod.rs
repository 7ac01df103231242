//! The gRPC server: conversion between protobuf and domain types only.

mod answers;
mod avatars;
mod imports;
mod readers;
mod review;

use chassis::{call::Caller, error::Fault};
use photos_proto::v1::{
    CountOwnPhotosRequest, CountOwnPhotosResponse, CreatePhotoRequest, CreatePhotoResponse,
    DeletePhotoRequest, DeletePhotoResponse, GetPhotoRequest, ListOwnPhotosRequest,
    ListPhotosRequest, ListPhotosResponse, PositionedPhoto, ReportPhotoRequest,
    ReportPhotoResponse, photos_server::Photos,
};
use tonic::{Request, Response, Status, async_trait};
use uuid::Uuid;

use crate::{
    context::Context,
    domain::{NewPhoto, ReportReason, comment},
    usecases::{
        create_photo::create_photo,
        delete_photo::delete_photo,
        read_photos::{count_own_photos, get_photo, list_own_photos, list_photos},
        report_photo::report_photo,
    },
};

#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) context: Context,
}

/// The id of the received file in a request.
fn received(blob: &str) -> Result<Uuid, Fault> {
    blob.parse()
        .map_err(|_| Fault::invalid_field("image", "Not a received file."))
}

#[async_trait]
impl Photos for Api {
    async fn list_photos(
        &self,
        request: Request<ListPhotosRequest>,
    ) -> Result<Response<ListPhotosResponse>, Status> {
        let reader = Caller::from_request(&request).reader().ok();
        let ListPhotosRequest { page, listing_id } = request.get_ref();
        let (photos, page) = list_photos(&self.context, *listing_id, page.as_ref()).await?;
        Ok(Response::new(answers::page(photos, page, reader)))
    }

    async fn get_photo(
        &self,
        request: Request<GetPhotoRequest>,
    ) -> Result<Response<PositionedPhoto>, Status> {
        let reader = Caller::from_request(&request).reader().ok();
        let found = get_photo(&self.context, reader, request.get_ref().id).await?;
        Ok(Response::new(PositionedPhoto {
            photo: Some(answers::photo(found.photo, reader)),
            index: found.index,
            total: found.total,
        }))
    }

    async fn list_own_photos(
        &self,
        request: Request<ListOwnPhotosRequest>,
    ) -> Result<Response<ListPhotosResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ListOwnPhotosRequest { page, ids } = request.get_ref();
        let page = page.as_ref();
        let (photos, page) = list_own_photos(&self.context, reader, ids, page).await?;
        Ok(Response::new(answers::page(photos, page, Some(reader))))
    }

    async fn count_own_photos(
        &self,
        request: Request<CountOwnPhotosRequest>,
    ) -> Result<Response<CountOwnPhotosResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let count = count_own_photos(&self.context, reader).await?;
        Ok(Response::new(CountOwnPhotosResponse { count }))
    }

    async fn create_photo(
        &self,
        request: Request<CreatePhotoRequest>,
    ) -> Result<Response<CreatePhotoResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let CreatePhotoRequest {
            blob,
            listing_id,
            description,
            credit,
            licence,
            full_name,
            attempt,
        } = request.into_inner();
        let incoming = received(&blob)?;
        let texts = [&*description, &*credit, &*licence];
        let checked = NewPhoto::parse(listing_id, texts, &full_name);
        let new = match checked {
            Ok(new) => new,
            Err(fault) => {
                self.context.discard(incoming).await;
                return Err(fault.into());
            }
        };
        let created = create_photo(&self.context, reader, incoming, &new, &attempt).await?;
        Ok(Response::new(CreatePhotoResponse {
            photo: Some(answers::photo(created.photo, Some(reader))),
            is_new: created.is_new,
        }))
    }

    async fn delete_photo(
        &self,
        request: Request<DeletePhotoRequest>,
    ) -> Result<Response<DeletePhotoResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        delete_photo(&self.context, reader, request.get_ref().id).await?;
        Ok(Response::new(DeletePhotoResponse {}))
    }

    async fn report_photo(
        &self,
        request: Request<ReportPhotoRequest>,
    ) -> Result<Response<ReportPhotoResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let report = request.get_ref();
        let reason = ReportReason::named(&report.reason)
            .ok_or_else(|| Fault::unknown_choice("reason", &report.reason))?;
        let comment = comment(&report.comment)?;
        report_photo(&self.context, reader, report.id, reason, &comment).await?;
        Ok(Response::new(ReportPhotoResponse {}))
    }
}
