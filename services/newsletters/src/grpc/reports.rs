//! gRPC methods for mail providers' reports.

use newsletters_proto::v1::{ReportRequest, ReportResponse, reports_server::Reports};
use tonic::{Request, Response, Status, async_trait};

use super::Api;
use crate::{providers::Report, usecases::report::report};

#[async_trait]
impl Reports for Api {
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
