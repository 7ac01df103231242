//! A client of the site's HTTP API.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use ureq::{
    Agent, Body,
    http::{Response, header::RETRY_AFTER},
    unversioned::multipart::{Form, Part},
};

use super::{
    plan::{Place, Planned},
    refused,
};

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout for the site to make the sizes of received photos.
const SIZES: Duration = Duration::from_mins(2);
/// Maximum wait for a rate limit of the site.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// Places per page.
const PAGE: usize = 100;

pub(super) struct Site {
    url: String,
}

/// A signed-in demo reader.
pub(super) struct Reader {
    browser: Agent,
    url: String,
}

#[derive(Deserialize)]
struct Page<T> {
    results: Vec<T>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Listing {
    id: i64,
    share_url: String,
    is_closed: bool,
    r#type: Kind,
    sub_type: Option<SubType>,
    appears_in_best_of_lists: Vec<Ranked>,
}

#[derive(Deserialize)]
struct Kind {
    is_age_restricted: bool,
}

#[derive(Deserialize)]
struct SubType {
    name: String,
}

#[derive(Deserialize)]
struct Ranked {
    rank: i32,
}

#[derive(Deserialize)]
struct OwnPhoto {
    id: i64,
    status: String,
}

impl Site {
    pub(super) fn new(url: &str) -> Self {
        Self {
            url: url.trim_end_matches('/').to_owned(),
        }
    }

    /// Returns the open places that a guest can see.
    pub(super) fn places(&self) -> anyhow::Result<Vec<Place>> {
        let browser = browser();
        let mut places = Vec::new();
        loop {
            let offset = places.len();
            let path = format!("/api/v2/listings/?ordering=name&limit={PAGE}&offset={offset}");
            let page: Page<Listing> = get(&browser, &self.url, &path)?;
            let is_last = page.next.is_none();
            places.extend(page.results);
            if is_last {
                break;
            }
        }
        let public = places
            .into_iter()
            .filter(|listing| !listing.is_closed && !listing.r#type.is_age_restricted);
        Ok(public
            .filter_map(|listing| {
                let ranks = listing.appears_in_best_of_lists.iter();
                let rank = ranks.map(|one| one.rank).min();
                let (kind, slug) = parts_of(&listing.share_url)?;
                Some(Place {
                    id: listing.id,
                    slug: slug.to_owned(),
                    kind: kind.to_owned(),
                    sub_type: listing.sub_type.map(|one| one.name).unwrap_or_default(),
                    rank,
                })
            })
            .collect())
    }

    /// Signs a demo reader up, or signs the reader in if an earlier run has created the account.
    pub(super) fn enter(&self, name: &str, password: &str) -> anyhow::Result<Reader> {
        let email = format!("{}@readers.example", slug::slugify(name));
        let reader = Reader {
            browser: browser(),
            url: self.url.clone(),
        };
        let body = json!({
            "full_name": name, "email": email, "password": password, "password_repeat": password,
        });
        let path = "/api/v2/profiles/email-registration/";
        let mut answer = reader.post(path, &body)?;
        if answer.status() == 201 {
            return Ok(reader);
        }
        let body = json!({"email": email, "password": password});
        let mut entered = reader.post("/api/v2/profiles/email-login/", &body)?;
        if entered.status() == 200 {
            return Ok(reader);
        }
        let first = answer.body_mut().read_to_string()?;
        let second = entered.body_mut().read_to_string()?;
        refused(
            &format!("{name} is not let in ({first}), and a log-in"),
            entered.status().as_u16(),
            &second,
        )
    }
}

impl Reader {
    pub(super) fn set_avatar(&self, picture: &[u8]) -> anyhow::Result<()> {
        let form = || -> anyhow::Result<_> { Ok(Form::new().part("image", file(picture)?)) };
        self.send("an avatar", "/api/v2/profiles/me/avatar/", &form)
    }

    /// Votes on a place; a repeated call replaces the vote.
    pub(super) fn vote(&self, listing: i64, stars: i32) -> anyhow::Result<()> {
        let body = json!({"listing": listing, "rating": stars});
        let mut answer = self.post("/api/v2/ratings/", &body)?;
        if answer.status().is_success() {
            return Ok(());
        }
        let body = answer.body_mut().read_to_string()?;
        refused("a vote", answer.status().as_u16(), &body)
    }

    /// Uploads a photo; repeated calls upload the same photo only once.
    pub(super) fn upload(&self, photo: &Planned, picture: &[u8]) -> anyhow::Result<()> {
        let listing = photo.listing.to_string();
        let form = || -> anyhow::Result<_> {
            Ok(Form::new()
                .text("listing", &listing)
                .text("description", &photo.description)
                .text("licence", photo.licence)
                .part("image", file(picture)?))
        };
        self.send(&photo.name, "/api/v2/photos/", &form)
    }

    /// Waits until all photos have their sizes, and returns the photos that await review.
    pub(super) fn waiting(&self) -> anyhow::Result<Vec<i64>> {
        let begun = Instant::now();
        loop {
            let path = format!("/api/v2/photos/me?limit={PAGE}");
            let page: Page<OwnPhoto> = get(&self.browser, &self.url, &path)?;
            let has = |status: &str| {
                page.results
                    .iter()
                    .filter(|photo| photo.status == status)
                    .map(|photo| photo.id)
                    .collect::<Vec<_>>()
            };
            if has("processing").is_empty() {
                return Ok(has("waiting"));
            }
            if begun.elapsed() > SIZES {
                bail!(
                    "the sizes of photos were not made within {} s",
                    SIZES.as_secs()
                );
            }
            thread::sleep(Duration::from_millis(500));
        }
    }

    fn post(&self, path: &str, body: &Value) -> anyhow::Result<Response<Body>> {
        patiently(|| {
            let request = self.browser.post(format!("{}{path}", self.url));
            Ok(request.header("origin", &self.url).send_json(body)?)
        })
    }

    fn send<'a>(
        &self,
        what: &str,
        path: &str,
        form: &dyn Fn() -> anyhow::Result<Form<'a>>,
    ) -> anyhow::Result<()> {
        let mut answer = patiently(|| {
            let request = self.browser.post(format!("{}{path}", self.url));
            Ok(request.header("origin", &self.url).send(form()?)?)
        })?;
        if answer.status().is_success() {
            return Ok(());
        }
        let body = answer.body_mut().read_to_string()?;
        refused(what, answer.status().as_u16(), &body)
    }
}

fn file(picture: &[u8]) -> anyhow::Result<Part<'_>> {
    Ok(Part::bytes(picture)
        .file_name("photo.jpg")
        .mime_str("image/jpeg")?)
}

/// Returns a browser with its own cookies.
fn browser() -> Agent {
    Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .build()
        .into()
}

fn get<T: DeserializeOwned>(browser: &Agent, url: &str, path: &str) -> anyhow::Result<T> {
    let mut answer = patiently(|| Ok(browser.get(format!("{url}{path}")).call()?))?;
    let status = answer.status().as_u16();
    let body = answer.body_mut().read_to_string()?;
    if status != 200 {
        return refused(path, status, &body);
    }
    serde_json::from_str(&body).with_context(|| format!("{path} is not what was expected"))
}

/// Waits and repeats the request if a rate limit of the site is reached.
fn patiently(ask: impl Fn() -> anyhow::Result<Response<Body>>) -> anyhow::Result<Response<Body>> {
    loop {
        let answer = ask()?;
        let wait = answer.headers().get(RETRY_AFTER);
        let wait = wait.and_then(|wait| wait.to_str().ok()?.parse().ok());
        match wait.map(Duration::from_secs) {
            Some(wait) if answer.status() == 429 && wait <= MAX_WAIT => thread::sleep(wait),
            _ => return Ok(answer),
        }
    }
}

/// Returns the type and the slug in a place's address.
fn parts_of(share_url: &str) -> Option<(&str, &str)> {
    share_url.trim_matches('/').split_once('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_places_address_has_its_type_and_its_slug() {
        let expected = Some(("restaurants", "foghorn-ramen"));
        assert_eq!(parts_of("/restaurants/foghorn-ramen/"), expected);
        assert_eq!(parts_of("/"), None);
    }
}
