//! Operators' calls for evidence of consent.

use chassis::{call::Caller, error::Fault, instant};
use newsletters_proto::v1::{
    AllowAddressRequest, AllowAddressResponse, ConsentEntry, ShowConsentsRequest,
    ShowConsentsResponse, VerifyConsentsRequest, VerifyConsentsResponse, consents_server::Consents,
};
use tonic::{Request, Response, Status, async_trait};

use super::{Api, names, parsed};
use crate::{
    domain::{Entry, Link},
    usecases::evidence::{allow_address, show_consents, verify_consents},
};

#[async_trait]
impl Consents for Api {
    async fn show_consents(
        &self,
        request: Request<ShowConsentsRequest>,
    ) -> Result<Response<ShowConsentsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let known = show_consents(&self.context, &parsed(&request.get_ref().email)?).await?;
        Ok(Response::new(ShowConsentsResponse {
            entries: known.entries.into_iter().map(entry).collect(),
            on: names(&known.on),
            is_reader: known.is_reader,
            is_refused: known.is_refused,
            suppressed: known.suppressed,
        }))
    }

    async fn verify_consents(
        &self,
        request: Request<VerifyConsentsRequest>,
    ) -> Result<Response<VerifyConsentsResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let VerifyConsentsRequest { after, digest } = request.get_ref();
        let from = if *after == 0 {
            Link::NONE
        } else {
            let digest = digest.as_slice().try_into();
            let digest = digest.map_err(|_| Fault::invalid_field("digest", "No digest."))?;
            Link {
                position: *after,
                digest,
            }
        };
        let followed = verify_consents(&self.context, from).await?;
        Ok(Response::new(VerifyConsentsResponse {
            entries: followed.entries,
            emptied: followed.emptied,
            broken_at: followed.broken_at,
            last: followed.last.position,
            digest: followed.last.digest.to_vec(),
            is_end: followed.is_end,
        }))
    }

    async fn allow_address(
        &self,
        request: Request<AllowAddressRequest>,
    ) -> Result<Response<AllowAddressResponse>, Status> {
        Caller::from_request(&request).operator()?;
        allow_address(&self.context, &parsed(&request.get_ref().email)?).await?;
        Ok(Response::new(AllowAddressResponse {}))
    }
}

fn entry(entry: Entry) -> ConsentEntry {
    ConsentEntry {
        position: entry.position,
        digest: entry.digest_text(),
        kind: entry.kind,
        act: entry.act,
        wording: entry.wording,
        way: entry.way,
        page: entry.page,
        network: entry.network,
        at: Some(instant::to_proto(entry.at)),
    }
}
