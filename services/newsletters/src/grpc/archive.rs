//! gRPC methods for public issues.

use chassis::instant;
use newsletters_proto::v1::{
    ArchivedIssue, FollowLinkRequest, FollowLinkResponse, GetIssueRequest, GetIssueResponse,
    ListIssuesRequest, ListIssuesResponse, archive_server::Archive,
};
use tonic::{Request, Response, Status, async_trait};

use super::Api;
use crate::{
    domain::issue::Issue,
    usecases::{
        archive::{get_issue, list_issues},
        clicks::follow,
    },
};

#[async_trait]
impl Archive for Api {
    async fn list_issues(
        &self,
        request: Request<ListIssuesRequest>,
    ) -> Result<Response<ListIssuesResponse>, Status> {
        let (issues, page) = list_issues(&self.context, request.get_ref().page.as_ref()).await?;
        Ok(Response::new(ListIssuesResponse {
            issues: issues.into_iter().map(archived).collect(),
            page: Some(page),
        }))
    }

    async fn get_issue(
        &self,
        request: Request<GetIssueRequest>,
    ) -> Result<Response<GetIssueResponse>, Status> {
        let (issue, html) = get_issue(&self.context, request.get_ref().id).await?;
        Ok(Response::new(GetIssueResponse {
            issue: Some(archived(issue)),
            html: html.to_string(),
        }))
    }

    async fn follow_link(
        &self,
        request: Request<FollowLinkRequest>,
    ) -> Result<Response<FollowLinkResponse>, Status> {
        let FollowLinkRequest { issue_id, number } = *request.get_ref();
        let path = follow(&self.context, issue_id, number).await?;
        Ok(Response::new(FollowLinkResponse { path }))
    }
}

fn archived(issue: Issue) -> ArchivedIssue {
    let content = issue.content;
    let (subject, preheader) = content
        .map(|content| (content.subject, content.preheader))
        .unwrap_or_default();
    ArchivedIssue {
        id: issue.id,
        kind: issue.kind.name().to_owned(),
        subject,
        preheader,
        sent_at: Some(instant::to_proto(issue.send_at)),
    }
}
