//! Query parameters. A known parameter with several values or an invalid value is a 400 with its name; unknown
//! parameters are ignored.

use axum::extract::FromRequestParts;
use chassis::{
    instant,
    paging::{DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET},
    slug::is_slug,
};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeZone};
use chrono_tz::Tz;
use cityguide_proto::paging::v1::PageRequest;
use http::request::Parts;
use places_proto::v1::Coordinates;
use prost_types::Timestamp;

use super::{error::ApiError, id};

/// Maximum number of ids in a parameter.
const MAX_IDS: usize = 100;

/// The parameters of a query string.
#[derive(Debug, Clone, Default)]
pub(crate) struct Params {
    pairs: Vec<(String, String)>,
}

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}

impl Params {
    pub(crate) fn parse(query: &str) -> Self {
        Self {
            pairs: form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
        }
    }

    /// Returns the known parameters, sorted by name, without those that have no effect: empty filters and default page
    /// bounds. Duplicates and page bounds that are not numbers remain and are rejected later.
    pub(crate) fn only(&self, known: &[&str]) -> Self {
        let default = DEFAULT_LIMIT.to_string();
        let has_no_effect = |(name, value): &(String, String)| match name.as_str() {
            "limit" => *value == default,
            "offset" => value == "0",
            _ => value.is_empty(),
        };
        let ours = self.pairs.iter();
        let mut pairs: Vec<_> = ours
            .filter(|(name, _)| known.contains(&name.as_str()))
            .cloned()
            .collect();
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        let pairs = pairs
            .chunk_by(|(one, _), (other, _)| one == other)
            .filter(|same| !matches!(same, [only] if has_no_effect(only)))
            .flatten()
            .cloned()
            .collect();
        Self { pairs }
    }

    /// The query string of these parameters.
    pub(crate) fn canonical(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.pairs).finish()
    }

    /// Returns a parameter's text; an empty parameter counts as absent.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let mut values = self
            .pairs
            .iter()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value);
        let value = values.next();
        if values.next().is_some() {
            return Err(ApiError::field(name, "Give this parameter once."));
        }
        match value {
            Some(value) if value.contains('\0') => {
                Err(ApiError::field(name, "Null characters are not allowed."))
            }
            value => Ok(value.map(String::as_str).filter(|value| !value.is_empty())),
        }
    }

    /// Parses a whole number within bounds.
    pub(crate) fn number(
        &self,
        name: &str,
        least: u32,
        most: u32,
    ) -> Result<Option<u32>, ApiError> {
        // An empty number is invalid, while an empty filter, as in a form, counts as absent.
        let is_given = self.pairs.iter().any(|(key, _)| key == name);
        let text = self.text(name)?.unwrap_or_default();
        if !is_given {
            return Ok(None);
        }
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        plain
            .then(|| text.parse().ok())
            .flatten()
            .filter(|number| (least..=most).contains(number))
            .map(Some)
            .ok_or_else(|| {
                ApiError::field(
                    name,
                    format!("Ensure this value is between {least} and {most}."),
                )
            })
    }

    /// Parses a position in degrees: `lat,lng`.
    pub(crate) fn position(&self, name: &str) -> Result<Option<Coordinates>, ApiError> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let degrees = |text: &str, most: f64| {
            let number: Option<f64> = text.trim().parse().ok();
            number.filter(|number| number.abs() <= most)
        };
        let read = || {
            let (latitude, longitude) = text.split_once(',')?;
            Some(Coordinates {
                latitude: degrees(latitude, 90.0)?,
                longitude: degrees(longitude, 180.0)?,
            })
        };
        read()
            .map(Some)
            .ok_or_else(|| ApiError::field(name, "Give two numbers of degrees: lat,lng."))
    }

    /// Parses a boolean: 0 or 1.
    pub(crate) fn truth(&self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.text(name)? {
            None => Ok(None),
            Some("0") => Ok(Some(false)),
            Some("1") => Ok(Some(true)),
            Some(_) => Err(ApiError::field(name, "Must be 0 or 1.")),
        }
    }

    /// Parses a slug; empty if the parameter is absent.
    pub(crate) fn slug(&self, name: &str) -> Result<String, ApiError> {
        let slug = self.text(name)?.unwrap_or_default();
        if slug.is_empty() || is_slug(slug) {
            return Ok(slug.to_owned());
        }
        Err(ApiError::field(
            name,
            "Enter a valid slug: lower-case letters, digits and hyphens.",
        ))
    }

    /// Parses one of several allowed words.
    pub(crate) fn one_of(&self, name: &str, words: &[&str]) -> Result<Option<&str>, ApiError> {
        match self.text(name)? {
            Some(word) if !words.contains(&word) => {
                let message = format!("Choose one of: {}.", words.join(", "));
                Err(ApiError::field(name, message))
            }
            word => Ok(word),
        }
    }

    /// Parses a timestamp (RFC 3339) or a date (YYYY-MM-DD), which means the start of the day in the time zone.
    pub(crate) fn time(&self, name: &str, zone: Tz) -> Result<Option<Timestamp>, ApiError> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let at = match text.parse::<NaiveDate>() {
            Ok(day) => zone
                .from_local_datetime(&day.and_time(NaiveTime::MIN))
                .earliest()
                .map(|at| at.to_utc()),
            Err(_) => DateTime::parse_from_rfc3339(text)
                .ok()
                .map(|at| at.to_utc()),
        };
        at.filter(|at| instant::YEARS.contains(&at.year()))
            .map(|at| Some(instant::to_proto(at)))
            .ok_or_else(|| {
                ApiError::field(
                    name,
                    "Enter a day, as 2026-05-01, or an instant in RFC 3339.",
                )
            })
    }

    /// Parses a comma-separated list of at most 100 ids.
    pub(crate) fn ids(&self, name: &str) -> Result<Vec<i64>, ApiError> {
        let Some(text) = self.text(name)? else {
            return Ok(Vec::new());
        };
        let ids: Option<Vec<i64>> = text.split(',').map(id::parse).collect();
        match ids {
            Some(ids) if ids.len() <= MAX_IDS => Ok(ids),
            Some(_) => Err(ApiError::field(
                name,
                format!("Give at most {MAX_IDS} ids."),
            )),
            None => Err(ApiError::field(name, "Give ids separated by commas.")),
        }
    }

    /// Returns a single id.
    pub(crate) fn id(&self, name: &str) -> Result<Option<i64>, ApiError> {
        match self.ids(name)?.as_slice() {
            [] => Ok(None),
            [id] => Ok(Some(*id)),
            _ => Err(ApiError::field(name, "Give one id.")),
        }
    }

    /// Returns the requested page. An offset above the maximum needs `after`.
    pub(crate) fn page(&self) -> Result<PageRequest, ApiError> {
        let after = self.text("after")?.unwrap_or_default().to_owned();
        let deepest = if after.is_empty() {
            MAX_OFFSET
        } else {
            u32::MAX
        };
        Ok(PageRequest {
            offset: self.number("offset", 0, deepest)?.unwrap_or(0),
            limit: self.number("limit", 1, MAX_LIMIT)?.unwrap_or(DEFAULT_LIMIT),
            ordering: self.text("ordering")?.unwrap_or_default().to_owned(),
            keywords: self.text("keywords")?.unwrap_or_default().to_owned(),
            after,
        })
    }

    /// Returns the address of this query with another offset.
    pub(crate) fn at_offset(&self, path: &str, offset: u32) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let others = self.pairs.iter();
        query.extend_pairs(others.filter(|(key, value)| key != "offset" && !value.is_empty()));
        query.append_pair("offset", &offset.to_string());
        format!("{path}?{}", query.finish())
    }

    /// Returns the address of the next page: this query with the next offset and cursor.
    pub(crate) fn next(&self, path: &str, offset: u32, after: &str) -> String {
        let pairs = self.pairs.iter();
        let kept = Self {
            pairs: pairs.filter(|(key, _)| key != "after").cloned().collect(),
        };
        let after = form_urlencoded::byte_serialize(after.as_bytes()).collect::<String>();
        format!("{}&after={after}", kept.at_offset(path, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(query: &str) -> bool {
        let params = Params::parse(query);
        params.page().is_err() || params.truth("completed").is_err() || params.ids("ids").is_err()
    }

    #[test]
    fn invalid_values_and_duplicates_are_refused_and_unknown_parameters_are_not() {
        for query in [
            "offset=-1",
            "offset=9000000000000000000",
            "offset=10001",
            "offset=x",
            "offset=",
            "limit=",
            "offset=1.5",
            "limit=0",
            "limit=101",
            "limit=+5",
            "limit=1&limit=1",
            "completed=true",
            "ids=1,,2",
            "ids=0",
            "keywords=a%00b",
        ] {
            assert!(refused(query), "{query}");
        }
        for query in ["", "offset=10000", "limit=100", "utm=1&utm=2", "ids=1,2"] {
            assert!(!refused(query), "{query}");
        }
        let many = (1..=101)
            .map(|id| id.to_string())
            .collect::<Vec<_>>()
            .join(",");
        assert!(refused(&format!("ids={many}")));
    }

    #[test]
    fn a_day_begins_in_the_sites_zone_and_an_instant_is_one() {
        let at = |query: &str| {
            let time = Params::parse(query).time("from", chrono_tz::Canada::Eastern);
            let at = time.ok()?.as_ref().and_then(instant::from_proto)?;
            Some(instant::to_rfc3339(at))
        };
        assert_eq!(
            at("from=2026-07-01").as_deref(),
            Some("2026-07-01T04:00:00.000Z")
        );
        assert_eq!(
            at("from=2026-07-01T12:00:00%2B02:00").as_deref(),
            Some("2026-07-01T10:00:00.000Z")
        );
        for query in ["", "from=tomorrow", "from=2026-13-01", "from=-0001-01-01"] {
            assert_eq!(at(query), None, "{query}");
        }
    }

    #[test]
    fn the_next_page_keeps_the_query() {
        let params = Params::parse("type=cafes&keywords=a%26b&offset=12&after=x&limit=12");
        assert_eq!(
            params.next("/api/v2/listings/", 24, "k=="),
            "/api/v2/listings/?type=cafes&keywords=a%26b&limit=12&offset=24&after=k%3D%3D"
        );
    }
}
