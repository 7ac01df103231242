//! Protobuf conversions for drafts.

use chassis::{call::Caller, instant, markup};
use editorial_proto::v1::{
    self as proto, ListDraftsRequest, ListDraftsResponse, PublishDraftsRequest,
    PublishDraftsResponse, ShowDraftRequest, ShowDraftResponse, WithdrawDraftsRequest,
    WithdrawDraftsResponse, drafts_server::Drafts,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, answers};
use crate::{
    domain::{Draft, Named},
    usecases::drafts::{list_drafts, publish_drafts, show_draft, withdraw_drafts},
};

#[async_trait]
impl Drafts for Api {
    async fn list(
        &self,
        request: Request<ListDraftsRequest>,
    ) -> Result<Response<ListDraftsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let (drafts, count) = list_drafts(&self.context).await?;
        Ok(Response::new(ListDraftsResponse {
            drafts: all(drafts),
            count,
        }))
    }

    async fn show(
        &self,
        request: Request<ShowDraftRequest>,
    ) -> Result<Response<ShowDraftResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let shown = show_draft(&self.context, request.get_ref().id).await?;
        Ok(Response::new(ShowDraftResponse {
            draft: Some(draft(shown.draft)),
            excerpt: shown.excerpt,
            text: markup::plain(&shown.body_html),
            authors: names(shown.authors),
            tags: names(shown.tags),
        }))
    }

    async fn publish(
        &self,
        request: Request<PublishDraftsRequest>,
    ) -> Result<Response<PublishDraftsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let published = publish_drafts(&self.context, &request.get_ref().ids).await?;
        Ok(Response::new(PublishDraftsResponse {
            drafts: all(published),
        }))
    }

    async fn withdraw(
        &self,
        request: Request<WithdrawDraftsRequest>,
    ) -> Result<Response<WithdrawDraftsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let withdrawn = withdraw_drafts(&self.context, &request.get_ref().ids).await?;
        Ok(Response::new(WithdrawDraftsResponse {
            drafts: all(withdrawn),
        }))
    }
}

fn all(drafts: Vec<Draft>) -> Vec<proto::Draft> {
    drafts.into_iter().map(draft).collect()
}

fn draft(draft: Draft) -> proto::Draft {
    let (released_at, released_by) = match draft.released {
        Some(release) => (Some(instant::to_proto(release.at)), release.by),
        None => (None, String::new()),
    };
    proto::Draft {
        id: draft.id,
        kind: answers::kind(draft.kind).into(),
        path: draft.path,
        name: draft.name,
        source_id: draft.source_id,
        published_at: Some(instant::to_proto(draft.published_at)),
        released_at,
        released_by,
    }
}

fn names(named: Vec<Named>) -> Vec<String> {
    named.into_iter().map(|named| named.name).collect()
}
