//! Protobuf conversions for search.

use std::{iter, pin::Pin};

use chassis::{call::Caller, error::Fault, instant};
use editorial_proto::v1::{
    self as proto, FoundKind, ListMissesRequest, ListMissesResponse, NamesPart, NoteMissRequest,
    NoteMissResponse, ReadNamesRequest, RebuildRequest, RebuildResponse, SearchRequest,
    SearchResponse, SuggestRequest, SuggestResponse, search_server::Search, suggestion,
};
use futures::{Stream, StreamExt as _, stream};
use suggestions::{
    DocumentKind, Suggestion, Target, changes_to_wire, labels_to_wire, whole_to_wire,
};
use tonic::{Request, Response, Status, async_trait};
use vocabulary::position::Coordinates;

use super::Api;
use crate::{
    domain::search::{Meaning, Part, Taken},
    usecases::search::{
        find::{Answer, Hit, Wanted, find},
        mark::rebuild,
        misses,
        read_names::{HeldRevisions, Newer, NewerNames, read_names},
        suggest::suggest,
    },
};

#[async_trait]
impl Search for Api {
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

    type ReadNamesStream = Pin<Box<dyn Stream<Item = Result<NamesPart, Status>> + Send>>;

    async fn read_names(
        &self,
        request: Request<ReadNamesRequest>,
    ) -> Result<Response<Self::ReadNamesStream>, Status> {
        Caller::from_request(&request).operator()?;
        let ReadNamesRequest {
            names_revision: names,
            labels_revision: labels,
        } = request.into_inner();
        let newer = read_names(&self.context, HeldRevisions { names, labels }).await?;
        Ok(Response::new(names_parts(newer).map(Ok).boxed()))
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

/// Streams the response in parts. The first part contains the revisions and the labels.
fn names_parts(newer: Newer) -> impl Stream<Item = NamesPart> + Send + 'static {
    let (revision, is_whole) = match &newer.names {
        NewerNames::Whole(names) => (names.revision(), true),
        NewerNames::Changes(revision, _) => (*revision, false),
    };
    let first = NamesPart {
        revisions: Some(proto::Revisions {
            names: revision,
            labels: newer.lexicon.revision(),
            is_whole,
            bytes: i64::try_from(newer.bytes).unwrap_or(i64::MAX),
            has_labels: newer.has_labels,
        }),
        labels: newer.labels().map(labels_to_wire).unwrap_or_default(),
        ..NamesPart::default()
    };
    let parts: Box<dyn Iterator<Item = NamesPart> + Send> = match newer.names {
        NewerNames::Whole(names) => {
            let mut position = 0;
            Box::new(iter::from_fn(move || {
                let (part, next) = whole_to_wire(&names, position)?;
                position = next;
                Some(part)
            }))
        }
        NewerNames::Changes(_, changes) => Box::new(changes_to_wire(changes)),
    };
    stream::iter(iter::once(first).chain(parts))
}

fn suggestion(found: Suggestion) -> proto::Suggestion {
    use suggestion::Kind;
    let kind = match found.target {
        Target::Type => Kind::Type,
        Target::Neighbourhood => Kind::Neighbourhood,
        Target::Query => Kind::Query,
        Target::Document(DocumentKind::Listing) => Kind::Listing,
        Target::Document(DocumentKind::BestOfList) => Kind::BestOfList,
        Target::Document(DocumentKind::Article) => Kind::Article,
        Target::Document(DocumentKind::Event) => Kind::Event,
        Target::Document(DocumentKind::Video) => Kind::Video,
    };
    proto::Suggestion {
        kind: kind.into(),
        text: found.text,
        path: found.path,
    }
}
