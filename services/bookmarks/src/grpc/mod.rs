//! The gRPC server: conversion between protobuf and domain types only.

mod readers;
mod saved;

use bookmarks_proto::v1::{
    self as proto, BookmarkMap, BookmarkMapEntry, BookmarkRecord, CreateBookmarkRequest,
    CreateBookmarksRequest, CreateBookmarksResponse, DeleteBookmarkRequest, DeleteBookmarkResponse,
    GetBookmarkMapRequest, GetCountsRequest, GetCountsResponse, ListBookmarksRequest,
    ListBookmarksResponse, SetDoneRequest, bookmarks_server::Bookmarks,
};
use chassis::{call::Caller, instant};
use cityguide_proto::saved::v1::{GetStampsRequest, GetStampsResponse};
use tonic::{Request, Response, Status, async_trait};
use vocabulary::saved::Kind;

use crate::{
    context::Context,
    domain::{Bookmark, Saved},
    error::Error,
    usecases::{
        count_bookmarks::count_bookmarks, create_bookmark::create_bookmark,
        create_bookmarks::create_bookmarks, delete_bookmark::delete_bookmark,
        list_bookmarks::list_bookmarks, map_bookmarks::map_bookmarks, set_done::set_done,
    },
};

#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) context: Context,
}

#[async_trait]
impl Bookmarks for Api {
    async fn list_bookmarks(
        &self,
        request: Request<ListBookmarksRequest>,
    ) -> Result<Response<ListBookmarksResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let ListBookmarksRequest {
            kind,
            page,
            is_done,
        } = request.get_ref();
        let (kind, page) = (parse(kind)?, page.as_ref());
        let (bookmarks, page) = list_bookmarks(&self.context, reader, kind, *is_done, page).await?;
        Ok(Response::new(ListBookmarksResponse {
            bookmarks: bookmarks.into_iter().map(bookmark).collect(),
            page: Some(page),
        }))
    }

    async fn get_bookmark_map(
        &self,
        request: Request<GetBookmarkMapRequest>,
    ) -> Result<Response<BookmarkMap>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let kind = parse(&request.get_ref().kind)?;
        let (entries, as_of) = map_bookmarks(&self.context, reader, kind).await?;
        let entries = entries.into_iter().map(|entry| BookmarkMapEntry {
            id: entry.id,
            target_id: entry.target_id,
            is_done: entry.is_done,
        });
        Ok(Response::new(BookmarkMap {
            entries: entries.collect(),
            as_of: Some(instant::to_proto(as_of)),
        }))
    }

    async fn create_bookmark(
        &self,
        request: Request<CreateBookmarkRequest>,
    ) -> Result<Response<BookmarkRecord>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let CreateBookmarkRequest {
            kind,
            target_id,
            add_to_calendar,
        } = request.get_ref();
        let kind = parse(kind)?;
        let saved =
            create_bookmark(&self.context, reader, kind, *target_id, *add_to_calendar).await?;
        Ok(Response::new(record(&saved)))
    }

    async fn create_bookmarks(
        &self,
        request: Request<CreateBookmarksRequest>,
    ) -> Result<Response<CreateBookmarksResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let CreateBookmarksRequest { kind, target_ids } = request.get_ref();
        let saved = create_bookmarks(&self.context, reader, parse(kind)?, target_ids).await?;
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let previous = saved.stamp.and_then(|stamp| stamp.previous);
        Ok(Response::new(CreateBookmarksResponse {
            created: count(saved.created),
            existing: count(saved.existing),
            unknown_ids: saved.unknown,
            stamp: saved.stamp.map(|stamp| instant::to_proto(stamp.at)),
            previous_stamp: previous.map(instant::to_proto),
        }))
    }

    async fn set_done(
        &self,
        request: Request<SetDoneRequest>,
    ) -> Result<Response<BookmarkRecord>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let SetDoneRequest { id, is_done } = *request.get_ref();
        let saved = set_done(&self.context, reader, id, is_done).await?;
        Ok(Response::new(record(&saved)))
    }

    async fn delete_bookmark(
        &self,
        request: Request<DeleteBookmarkRequest>,
    ) -> Result<Response<DeleteBookmarkResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let DeleteBookmarkRequest { kind, id } = request.get_ref();
        let touched = delete_bookmark(&self.context, reader, parse(kind)?, *id).await?;
        Ok(Response::new(DeleteBookmarkResponse {
            stamp: Some(instant::to_proto(touched.at)),
            previous_stamp: touched.previous.map(instant::to_proto),
        }))
    }

    async fn get_stamps(
        &self,
        request: Request<GetStampsRequest>,
    ) -> Result<Response<GetStampsResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        Ok(Response::new(self.context.stamps.answer(reader).await?))
    }

    async fn get_counts(
        &self,
        request: Request<GetCountsRequest>,
    ) -> Result<Response<GetCountsResponse>, Status> {
        let reader = Caller::from_request(&request).reader()?;
        let (stamps, todos_done) = count_bookmarks(&self.context, reader).await?;
        let saved = stamps.into_iter().map(|stamp| (stamp.kind, stamp.count));
        Ok(Response::new(GetCountsResponse {
            saved: saved.collect(),
            todos_done,
        }))
    }
}

fn parse(kind: &str) -> Result<Kind, Error> {
    Kind::from_name(kind).ok_or(Error::UnknownKind)
}

fn bookmark(bookmark: Bookmark) -> proto::Bookmark {
    proto::Bookmark {
        id: bookmark.id,
        target_id: bookmark.target_id,
        date_created: Some(instant::to_proto(bookmark.created_at)),
        target_name: bookmark.target_name,
        is_available: bookmark.is_available,
        is_done: bookmark.is_done,
        add_to_calendar: bookmark.add_to_calendar,
    }
}

fn record(saved: &Saved) -> BookmarkRecord {
    BookmarkRecord {
        id: saved.id,
        target_id: saved.target_id,
        date_created: Some(instant::to_proto(saved.created_at)),
        created: saved.is_new,
        stamp: Some(instant::to_proto(saved.stamp.at)),
        previous_stamp: saved.stamp.previous.map(instant::to_proto),
        is_done: saved.is_done,
    }
}
