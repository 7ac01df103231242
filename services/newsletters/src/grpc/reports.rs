//! The calls of providers of mail.

use cityguide_proto::newsletters::v1::{ReportRequest, ReportResponse, reports_server::Reports};
use tonic::{Request, Response, Status, async_trait};

use crate::{context::Context, providers::Report, usecases::report::report};

pub(crate) struct ReportsApi {
    context: Context,
}

impl ReportsApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Reports for ReportsApi {
    async fn report(
        &self,
        request: Request<ReportRequest>,
    ) -> Result<Response<ReportResponse>, Status> {
        let ReportRequest {
            provider,
            body,
            signature,
            authorization,
        } = request.get_ref();
        let received = Report {
            body,
            signature,
            authorization,
        };
        report(&self.context, provider, &received).await?;
        Ok(Response::new(ReportResponse {}))
    }
}
