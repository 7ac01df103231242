//! Operators' calls for issues.

use chassis::{
    call::Caller,
    error::{Code, Fault},
    instant,
    slug::is_slug,
};
use newsletters_proto::v1::{
    self as proto, CancelIssueRequest, CancelIssueResponse, ImportIssueRequest,
    ImportIssueResponse, PreviewIssueRequest, PreviewIssueResponse, ScheduleIssueRequest,
    ScheduleIssueResponse, SendTestIssueRequest, SendTestIssueResponse, ShowClicksRequest,
    ShowClicksResponse, ShowFatesRequest, ShowFatesResponse, ShowIssuesRequest, ShowIssuesResponse,
    import_issue_response::Outcome, issues_server::Issues,
};
use tonic::{Request, Response, Status, async_trait};
use vocabulary::newsletters::Kind;

use super::{Api, parsed};
use crate::{
    domain::issue::{Content, Delivery, Draft, FateCount, Imported, Issue},
    usecases::{clicks, import_issue, issues},
};

/// Maximum length of subject and preheader, in characters.
const LINE: usize = 200;
/// Maximum length of a text, in bytes: mail programs truncate emails of more than 100 kB.
const TEXT: usize = 60_000;

impl Api {
    /// Returns the content of a draft, or of the next scheduled issue.
    async fn content(&self, kind: Kind, draft: Option<&proto::Draft>) -> Result<Content, Fault> {
        if let Some(draft) = draft {
            return Ok(written(draft)?.content());
        }
        let content = issues::preview(&self.context, kind).await?;
        content.ok_or_else(|| Fault::new(Code::NotFound, "Nothing is new."))
    }
}

#[async_trait]
impl Issues for Api {
    async fn preview_issue(
        &self,
        request: Request<PreviewIssueRequest>,
    ) -> Result<Response<PreviewIssueResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let PreviewIssueRequest { kind, draft } = request.get_ref();
        let kind = named(kind)?;
        let content = self.content(kind, draft.as_ref()).await?;
        let (html, text) = issues::shown(&self.context, kind, &content)?;
        Ok(Response::new(PreviewIssueResponse {
            subject: content.subject,
            html,
            text,
        }))
    }

    async fn send_test_issue(
        &self,
        request: Request<SendTestIssueRequest>,
    ) -> Result<Response<SendTestIssueResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let SendTestIssueRequest { kind, draft, email } = request.get_ref();
        let (kind, email) = (named(kind)?, parsed(email)?);
        let content = self.content(kind, draft.as_ref()).await?;
        issues::send_test(&self.context, kind, &content, &email).await?;
        Ok(Response::new(SendTestIssueResponse {}))
    }

    async fn schedule_issue(
        &self,
        request: Request<ScheduleIssueRequest>,
    ) -> Result<Response<ScheduleIssueResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let ScheduleIssueRequest {
            kind,
            name,
            draft,
            send_at,
        } = request.get_ref();
        let kind = named(kind)?;
        require_slug(name)?;
        let draft = written(draft.as_ref().unwrap_or(&proto::Draft::default()))?;
        let at = match send_at {
            Some(at) => instant::from_proto(at)
                .ok_or_else(|| Fault::invalid_field("send_at", "No instant."))?,
            None => self.context.clock.now(),
        };
        let id = issues::schedule(&self.context, kind, name, &draft, at).await?;
        Ok(Response::new(ScheduleIssueResponse { id }))
    }

    async fn import_issue(
        &self,
        request: Request<ImportIssueRequest>,
    ) -> Result<Response<ImportIssueResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let ImportIssueRequest {
            kind,
            name,
            draft,
            sent_at,
            dry_run,
        } = request.get_ref();
        let kind = named(kind)?;
        require_slug(name)?;
        let draft = written(draft.as_ref().unwrap_or(&proto::Draft::default()))?;
        let at = sent_at.as_ref().and_then(instant::from_proto);
        let at = at.ok_or_else(|| Fault::invalid_field("sent_at", "No instant."))?;
        let context = &self.context;
        let imported =
            import_issue::import_issue(context, kind, name, &draft, at, *dry_run).await?;
        let (outcome, fields) = match imported {
            Imported::Created => (Outcome::Created, Vec::new()),
            Imported::Changed(fields) => (Outcome::Changed, fields),
            Imported::Unchanged => (Outcome::Unchanged, Vec::new()),
        };
        Ok(Response::new(ImportIssueResponse {
            outcome: outcome.into(),
            fields: fields.into_iter().map(str::to_owned).collect(),
        }))
    }

    async fn show_issues(
        &self,
        request: Request<ShowIssuesRequest>,
    ) -> Result<Response<ShowIssuesResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let found = issues::status(&self.context).await?;
        let issues = found.into_iter().map(issue).collect();
        Ok(Response::new(ShowIssuesResponse { issues }))
    }

    async fn cancel_issue(
        &self,
        request: Request<CancelIssueRequest>,
    ) -> Result<Response<CancelIssueResponse>, Status> {
        Caller::from_request(&request).operator()?;
        issues::cancel(&self.context, request.get_ref().id).await?;
        Ok(Response::new(CancelIssueResponse {}))
    }

    async fn show_clicks(
        &self,
        request: Request<ShowClicksRequest>,
    ) -> Result<Response<ShowClicksResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let found = clicks::show_clicks(&self.context, request.get_ref().issue_id).await?;
        let clicks = found.into_iter().map(|(item, count)| proto::Clicks {
            title: item.title,
            count,
        });
        Ok(Response::new(ShowClicksResponse {
            clicks: clicks.collect(),
        }))
    }

    async fn show_fates(
        &self,
        request: Request<ShowFatesRequest>,
    ) -> Result<Response<ShowFatesResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let found = issues::fates(&self.context, &parsed(&request.get_ref().email)?).await?;
        Ok(Response::new(ShowFatesResponse {
            deliveries: found.deliveries.into_iter().map(delivery).collect(),
            suppressed: found.suppressed,
        }))
    }
}

fn require_slug(name: &str) -> Result<(), Fault> {
    if is_slug(name) {
        return Ok(());
    }
    let why = "Lower-case letters, digits and hyphens.";
    Err(Fault::invalid_field("name", why))
}

fn named(kind: &str) -> Result<Kind, Fault> {
    Kind::named(kind).ok_or_else(|| Fault::invalid_field("kind", "Unknown newsletter."))
}

fn written(draft: &proto::Draft) -> Result<Draft, Fault> {
    let line = |field: &'static str, text: &str| {
        if text.trim().is_empty() {
            return Err(Fault::invalid_field(field, "It is empty."));
        }
        if text.chars().count() > LINE || text.chars().any(char::is_control) {
            let why = "One line of at most 200 letters.";
            return Err(Fault::invalid_field(field, why));
        }
        Ok(text.trim().to_owned())
    };
    if draft.text_markdown.trim().is_empty() || draft.text_markdown.len() > TEXT {
        let why = "It is empty, or longer than 60,000 bytes.";
        return Err(Fault::invalid_field("text_markdown", why));
    }
    Ok(Draft {
        subject: line("subject", &draft.subject)?,
        preheader: line("preheader", &draft.preheader)?,
        text_markdown: draft.text_markdown.clone(),
    })
}

fn issue((issue, fates): (Issue, Vec<FateCount>)) -> proto::Issue {
    let subject = issue.content.map(|content| content.subject);
    let subject = subject.or_else(|| issue.draft.map(|draft| draft.subject));
    proto::Issue {
        id: issue.id,
        kind: issue.kind.name().to_owned(),
        name: issue.slot,
        state: issue.state.name().to_owned(),
        subject: subject.unwrap_or_default(),
        send_at: Some(instant::to_proto(issue.send_at)),
        finished_at: issue.finished_at.map(instant::to_proto),
        fates: fates
            .into_iter()
            .map(|count| proto::FateCount {
                fate: count.fate,
                count: count.count,
            })
            .collect(),
    }
}

fn delivery(delivery: Delivery) -> proto::Delivery {
    proto::Delivery {
        issue_id: delivery.issue_id,
        kind: delivery.kind,
        name: delivery.slot,
        fate: delivery.fate,
        answer: delivery.answer.unwrap_or_default(),
        at: Some(instant::to_proto(delivery.at)),
    }
}
