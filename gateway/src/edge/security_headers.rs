//! Security headers of all responses.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use chassis::origin::Origin;
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{
        CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    },
};
use site::MapSettings;
use site::{AdsSettings, Site};

/// The Content-Security-Policy of pages. Pages load only the site's own files, of the types that they use. There are no
/// inline scripts or styles, so no hashes are needed; the JSON in a page is data, which needs no permission. Text
/// becomes markup only through the application's trusted-types policy (`web/src/lib/trusted-html.ts`); the default
/// policy (`web/src/ui/map-policy.ts`) only lets a map start its worker. [`policy`] adds the sources that the site's
/// file enables.
const POLICY: [(&str, &str); 13] = [
    ("default-src", "'none'"),
    ("script-src", "'self'"),
    ("style-src", "'self'"),
    ("font-src", "'self'"),
    ("img-src", "'self' data: blob:"),
    ("connect-src", "'self'"),
    ("manifest-src", "'self'"),
    ("media-src", "'self'"),
    ("base-uri", "'none'"),
    ("frame-ancestors", "'none'"),
    ("form-action", "'self'"),
    ("require-trusted-types-for", "'script'"),
    ("trusted-types", "cityguide default"),
];

/// Frames of a site with ads: its own sandboxed creatives, which have their own policy.
const FRAMES: &str = "frame-src";
/// The directive for a site with ads: frames are its own sandboxed creatives, which have their own policy.
const NETWORKS: &str = "networks";

/// Fallback policy, which forbids all loading.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'");

/// Isolates the site's windows from windows of other sites that open them or are opened by them.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Other sites cannot load responses, except public pictures, which set this header themselves.
pub(crate) const RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// Browser features that pages may not use. Only the site's own pages may request the reader's position, for searches.
const PERMISSIONS: &str =
    "camera=(), display-capture=(), geolocation=(self), microphone=(), payment=(), usb=()";

/// The security headers of a site.
#[derive(Debug, Clone)]
pub(crate) struct SecurityHeaders {
    policy: HeaderValue,
    is_https: bool,
}

impl SecurityHeaders {
    pub(crate) fn new(origin: &Origin, site: &Site) -> Self {
        let map = site.map.as_ref().map(MapSettings::sources);
        Self {
            policy: policy(&map.unwrap_or_default(), &site.ads),
            is_https: origin.is_https(),
        }
    }
}

/// Builds the policy, extended by the origins of map tiles, ad frames and the enabled ad networks.
fn policy(map: &[String], ads: &AdsSettings) -> HeaderValue {
    let scripts = ads.script_origins();
    let others: Vec<String> = scripts.iter().cloned().chain(ads.other_origins()).collect();
    let mut names = ads.trusted_types();
    if !scripts.is_empty() {
        names.insert(0, NETWORKS.to_owned());
    }
    let directives = POLICY.map(|(name, sources)| {
        let more: Vec<&String> = match name {
            "script-src" => scripts.iter().collect(),
            "img-src" | "connect-src" => map.iter().chain(&others).collect(),
            "trusted-types" => names.iter().collect(),
            _ => Vec::new(),
        };
        directive(name, sources, &more)
    });
    let mut directives = directives.to_vec();
    if !ads.slots.is_empty() {
        directives.push(directive(
            FRAMES,
            "'self'",
            &others.iter().collect::<Vec<_>>(),
        ));
    }
    // The site's file is validated on loading, so its origins are valid in a header.
    HeaderValue::try_from(directives.join("; ")).unwrap_or(NOTHING)
}

/// Builds a directive and removes duplicate sources.
fn directive(name: &str, sources: &str, more: &[&String]) -> String {
    let mut words = vec![name, sources];
    for word in more {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    words.join(" ")
}

/// Adds the headers that the handler has not set.
pub(crate) async fn add(
    State(site): State<SecurityHeaders>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    keep_or_set(headers, CONTENT_SECURITY_POLICY, site.policy);
    let mut set = |name, value| keep_or_set(headers, name, HeaderValue::from_static(value));
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "strict-origin-when-cross-origin");
    set(OPENER_POLICY, "same-origin");
    set(RESOURCE_POLICY, "same-origin");
    set(PERMISSIONS_POLICY, PERMISSIONS);
    if site.is_https {
        set(
            STRICT_TRANSPORT_SECURITY,
            "max-age=63072000; includeSubDomains",
        );
    }
    response
}

fn keep_or_set(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    headers.entry(name).or_insert(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(map: &[&str], ads: &str) -> String {
        let map: Vec<String> = map.iter().map(|&origin| origin.to_owned()).collect();
        let ads: AdsSettings = toml::from_str(ads).expect("settings");
        policy(&map, &ads).to_str().expect("text").to_owned()
    }

    const SLOT: &str = r#"
        [[slots]]
        position = "lead"
        pages = ["home"]
        box = "leaderboard"
        screens = ["large"]
    "#;

    #[test]
    fn a_site_that_turns_nothing_on_loads_its_own_files_only() {
        assert_eq!(
            text(&[], ""),
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
             img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; media-src 'self'; \
             base-uri 'none'; frame-ancestors 'none'; form-action 'self'; \
             require-trusted-types-for 'script'; trusted-types cityguide default"
        );
    }

    #[test]
    fn a_map_of_another_site_may_load_its_streets_and_nothing_else() {
        let wide = text(&["https://maps.example", "https://tiles.example"], "");
        let narrow = text(&[], "");
        let expected = narrow
            .replace(
                "data: blob:;",
                "data: blob: https://maps.example https://tiles.example;",
            )
            .replace(
                "connect-src 'self';",
                "connect-src 'self' https://maps.example https://tiles.example;",
            );
        assert_eq!(wide, expected);
    }

    #[test]
    fn ads_of_our_own_have_frames_and_networks_only_where_the_site_names_them() {
        let own = text(&[], SLOT);
        assert_eq!(own, format!("{}; frame-src 'self'", text(&[], "")));
        let with_networks = text(
            &["https://maps.example"],
            &format!(
                "{SLOT}\n[google]\nnetwork = \"/1/a\"\nscript = \"https://ads.example/gpt.js\"\n\
                 origins = [\"https://frames.example\"]\ntrusted_types = [\"goog#html\"]\n\
                 [prebid]\nscript = \"https://ads.example/prebid.js\"\n\
                 bidders = [{{ bidder = \"one\" }}]\norigins = [\"https://one.example\"]"
            ),
        );
        let networks = "https://ads.example https://frames.example https://one.example";
        for directive in [
            "script-src 'self' https://ads.example;".to_owned(),
            format!("img-src 'self' data: blob: https://maps.example {networks};"),
            format!("connect-src 'self' https://maps.example {networks};"),
            "trusted-types cityguide default networks goog#html;".to_owned(),
        ] {
            assert!(with_networks.contains(&directive), "{with_networks}");
        }
        assert!(
            with_networks.ends_with(&format!("frame-src 'self' {networks}")),
            "{with_networks}"
        );
    }
}
