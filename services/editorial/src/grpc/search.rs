//! The search's protobuf.

use chassis::{call::Caller, error::Fault, ground::Coordinates, instant};
use cityguide_proto::editorial::v1::{
    self as proto, FoundKind, ListMissesRequest, ListMissesResponse, NoteMissRequest,
    NoteMissResponse, RebuildRequest, RebuildResponse, SearchRequest, SearchResponse,
    SuggestRequest, SuggestResponse, search_server::Search, suggestion,
};
use tonic::{Request, Response, Status, async_trait};

use crate::{
    context::Context,
    domain::search::{DocumentKind, Meaning, Part, Taken},
    usecases::search::{
        find::{Answer, Hit, Wanted, find},
        mark::rebuild,
        misses,
        suggest::{Suggestion, suggest},
    },
};

pub(crate) struct SearchApi {
    context: Context,
}

impl SearchApi {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Search for SearchApi {
    async fn search(
        &self,
        request: Request<SearchRequest>,
    ) -> Result<Response<SearchResponse>, Status> {
        let wanted = wanted(request.into_inner())?;
        let answer = find(&self.context, &wanted).await?;
        Ok(Response::new(response(answer)))
    }

    async fn suggest(
        &self,
        request: Request<SuggestRequest>,
    ) -> Result<Response<SuggestResponse>, Status> {
        let found = suggest(&self.context, &request.get_ref().query).await?;
        let suggestions = found.into_iter().map(suggestion).collect();
        Ok(Response::new(SuggestResponse { suggestions }))
    }

    async fn note_miss(
        &self,
        request: Request<NoteMissRequest>,
    ) -> Result<Response<NoteMissResponse>, Status> {
        let NoteMissRequest { query, network } = request.get_ref();
        misses::note(&self.context, query, network).await?;
        Ok(Response::new(NoteMissResponse {}))
    }

    async fn list_misses(
        &self,
        request: Request<ListMissesRequest>,
    ) -> Result<Response<ListMissesResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let misses = misses::list(&self.context).await?.into_iter();
        let misses = misses.map(|miss| proto::Miss {
            query: miss.query,
            networks: miss.networks,
        });
        Ok(Response::new(ListMissesResponse {
            misses: misses.collect(),
        }))
    }

    async fn rebuild(
        &self,
        request: Request<RebuildRequest>,
    ) -> Result<Response<RebuildResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let documents = rebuild(&self.context).await?;
        Ok(Response::new(RebuildResponse { documents }))
    }
}

fn wanted(request: SearchRequest) -> Result<Wanted, Fault> {
    let kinds = request.kinds().filter_map(|kind| match kind {
        FoundKind::Unspecified => None,
        FoundKind::Listing => Some(DocumentKind::Listing),
        FoundKind::BestOfList => Some(DocumentKind::BestOfList),
        FoundKind::Article => Some(DocumentKind::Article),
        FoundKind::Event => Some(DocumentKind::Event),
        FoundKind::Video => Some(DocumentKind::Video),
    });
    let kinds = kinds.collect();
    let zone = request.zone.parse();
    Ok(Wanted {
        kinds,
        from: request.near.map(|at| Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        zone: zone.map_err(|_| Fault::unknown_choice("zone", &request.zone))?,
        offset: request.offset as usize,
        limit: request.limit as usize,
        text: request.query,
    })
}

fn response(answer: Answer) -> SearchResponse {
    let count = answer.count.and_then(|count| i64::try_from(count).ok());
    SearchResponse {
        hits: answer.hits.into_iter().map(hit).collect(),
        count: count.unwrap_or(-1),
        has_more: answer.has_more,
        corrected: answer.meaning.query.corrected.clone().unwrap_or_default(),
        understood: Some(understood(answer.meaning)),
    }
}

fn hit(hit: Hit) -> proto::Hit {
    let kind = match hit.kind {
        DocumentKind::Listing => FoundKind::Listing,
        DocumentKind::BestOfList => FoundKind::BestOfList,
        DocumentKind::Article => FoundKind::Article,
        DocumentKind::Event => FoundKind::Event,
        DocumentKind::Video => FoundKind::Video,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "no two places on earth are that far apart"
    )]
    let metres = |distance: f64| distance.round() as u32;
    proto::Hit {
        kind: kind.into(),
        id: hit.id,
        name: parts(hit.name),
        text: parts(hit.text),
        distance_metres: hit.distance.map(metres),
    }
}

fn parts(parts: Vec<Part>) -> Vec<proto::Part> {
    let parts = parts.into_iter();
    parts
        .map(|Part { text, matches }| proto::Part { text, matches })
        .collect()
}

fn understood(meaning: Meaning) -> proto::Understood {
    let (from, to) = meaning.time.unzip();
    proto::Understood {
        r#type: meaning.type_slug.unwrap_or_default(),
        neighbourhood: meaning.neighbourhood.unwrap_or_default(),
        author: meaning.author.unwrap_or_default(),
        open_now: meaning.is_open_now,
        near: meaning.is_near,
        from: from.map(instant::to_proto),
        to: to.map(instant::to_proto),
        free: meaning.is_free,
        taken: meaning
            .taken
            .into_iter()
            .map(|Taken { field, label, rest }| proto::Taken {
                field: field.to_owned(),
                label,
                rest,
            })
            .collect(),
    }
}

fn suggestion(found: Suggestion) -> proto::Suggestion {
    use suggestion::Kind;
    let kind = match found.kind.as_str() {
        "type" => Kind::Type,
        "neighbourhood" => Kind::Neighbourhood,
        "query" => Kind::Query,
        document => match DocumentKind::parse(document) {
            Some(DocumentKind::Listing) => Kind::Listing,
            Some(DocumentKind::BestOfList) => Kind::BestOfList,
            Some(DocumentKind::Article) => Kind::Article,
            Some(DocumentKind::Event) => Kind::Event,
            Some(DocumentKind::Video) => Kind::Video,
            None => Kind::Unspecified,
        },
    };
    proto::Suggestion {
        kind: kind.into(),
        text: found.text,
        path: found.path,
    }
}
