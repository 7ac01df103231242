//! Rate limits by client and by account. Token buckets are reported in `RateLimit-Policy` and `RateLimit`
//! (draft-ietf-httpapi-ratelimit-headers); an empty bucket is a 429.

mod buckets;
mod callers;
mod extractors;
mod kinds;
mod reported;

pub(crate) use self::{
    buckets::{Limits, TakenToken},
    callers::Client,
    extractors::{CountedRead, ProvenWriter, VisitingWriter, Writer},
    kinds::{
        AD_EVENTS, AD_IMPRESSIONS, ADS, CONTACT, ENTRIES, EXPORTS, FAILED_SIGN_IN,
        FAILED_SIGN_IN_EVERYWHERE, FAILED_SIGN_IN_OVERALL, GUEST_NEWSLETTERS, Limit, MAILED_LINKS,
        READS, REGISTRATION, SEARCHES, SIGN_IN, TAKEOUTS, TELEMETRY, UPLOADS,
    },
    reported::{TooMany, report},
};
