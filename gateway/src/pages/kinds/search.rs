//! The results of a search (`web/src/routes/search.tsx`).

use http::StatusCode;
use maud::{Markup, html};
use site::Site;

use crate::{
    edge::{error::ApiError, params::Params},
    pages::{
        content::{
            head::{head, notice},
            markup::{button_space, linked_section_heading, tab_strip},
            results,
        },
        first_answers::FirstAnswer,
        meta::Meta,
        opening::{Opening, PageContext},
    },
    v2::{
        listing_types::{self, ListingType},
        search::{self, SearchPage, found::Found},
    },
    words::numbers::grouped,
};

/// Query parameters: the words, and the category of the results.
pub(super) const PARAMS: &[&str] = &["category", "q"];
/// Number of requested results of all categories, and number of shown results of each.
const MAX_RESULTS: &str = "60";
const SHOWN: usize = 4;
/// Number of types that an empty result suggests.
const MAX_TYPES: usize = 6;

/// A category of results, in the specified order.
#[derive(Debug, PartialEq, Eq)]
struct Category {
    name: &'static str,
    label: &'static str,
    section: &'static str,
    unit: [&'static str; 2],
}

impl Category {
    const fn new(
        name: &'static str,
        label: &'static str,
        section: &'static str,
        unit: [&'static str; 2],
    ) -> Self {
        Self {
            name,
            label,
            section,
            unit,
        }
    }
}

const CATEGORIES: [Category; 5] = [
    Category::new("best-of", "Best of", "best_of", ["list", "lists"]),
    Category::new("articles", "Articles", "articles", ["article", "articles"]),
    Category::new("places", "Places", "listings", ["place", "places"]),
    Category::new("events", "Events", "events", ["event", "events"]),
    Category::new("videos", "Videos", "videos", ["video", "videos"]),
];
/// The name of all categories together.
const ALL: &str = "all";

/// Example searches for a time or a place, each with the section that it needs.
const EXAMPLES: [(&str, &str); 5] = [
    ("coffee near me", "listings"),
    ("restaurants open now", "listings"),
    ("events this weekend", "events"),
    ("free this weekend", "events"),
    ("best patios", "best_of"),
];

pub(in crate::pages) fn meta(site: &Site, _: &str) -> Meta {
    let description = format!(
        "Search {} for places, articles, events and videos.",
        site.name
    );
    Meta::unlisted("Search").described(description)
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let Some((words, category)) = question(site, page.path) else {
        return Ok(Opening {
            meta: meta(site, page.path),
            content: head(None, "Search", &search_box()),
            answers: Vec::new(),
        });
    };
    let question = Question {
        site,
        words: &words,
        category,
    };
    let title = format!("Results for “{words}”");
    let (results, answers) = question.results(page).await?;
    Ok(Opening {
        content: html! {
            (head(None, &title, &html! { (search_box()) (question.categories()) }))
            (results)
        },
        meta: Meta {
            title: Some(title),
            ..meta(site, page.path)
        },
        answers,
    })
}

/// Returns the words and the category in the address of a search.
fn question(site: &Site, address: &str) -> Option<(String, Option<&'static Category>)> {
    let (_, query) = address.split_once('?')?;
    let params = Params::parse(query);
    let words = params.text("q").ok()??.trim();
    let name = params.text("category").ok().flatten();
    let category = of_site(site).find(|category| Some(category.name) == name);
    (!words.is_empty()).then(|| (words.to_owned(), category))
}

fn of_site(site: &Site) -> impl Iterator<Item = &'static Category> {
    CATEGORIES
        .iter()
        .filter(|category| site.has(category.section))
}

/// Returns the address of a search, spelled as in the application.
fn address(category: Option<&Category>, words: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(category) = category {
        query.append_pair("category", category.name);
    }
    format!("/search?{}", query.append_pair("q", words).finish())
}

fn search_box() -> Markup {
    html! {
        div class="search_box" data-reserved {
            div class="KeywordSearch_search" { span class="KeywordSearch_space" {} }
        }
    }
}

/// The words of a search, and the chosen category; all without a category.
struct Question<'a> {
    site: &'a Site,
    words: &'a str,
    category: Option<&'static Category>,
}

impl Question<'_> {
    /// Renders the results, and returns the API's answers for the application. Results that are refused are left to the
    /// application, which shows the error.
    async fn results(
        &self,
        page: &PageContext<'_>,
    ) -> Result<(Markup, Vec<FirstAnswer>), ApiError> {
        let (category, limit) = match self.category {
            Some(category) => (category.name, ""),
            None => (ALL, MAX_RESULTS),
        };
        let query = [("category", category), ("limit", limit), ("q", self.words)];
        let (mut found, answer) = match page.get_counted(search::call(&query)).await {
            Ok(found) => found,
            Err(error) if error.status() == StatusCode::BAD_REQUEST => {
                return Ok((Markup::default(), Vec::new()));
            }
            Err(error) => return Err(error),
        };
        let mut answers = vec![answer];
        let mut types = Vec::new();
        if found.results.is_empty() && self.site.has("listings") {
            let (all, answer) = page.get(listing_types::list_call()).await?;
            types = all.results;
            answers.push(answer);
        }
        let results = std::mem::take(&mut found.results);
        let content = html! {
            (self.interpretation(&found))
            p class="Results_summary" role="status" { (self.summary(found.count, &results)) }
            @if results.is_empty() {
                (self.nothing(types))
            } @else if let Some(category) = self.category {
                (of_category(self.site, category, results))
            } @else {
                (self.of_all(results))
            }
        };
        Ok((content, answers))
    }

    /// Links to the results of each category.
    fn categories(&self) -> Markup {
        let all = [("All", None)].into_iter();
        let each = of_site(self.site).map(|category| (category.label, Some(category)));
        let tabs = all.chain(each).map(|(label, category)| {
            let is_current = category == self.category;
            (label.to_owned(), address(category, self.words), is_current)
        });
        tab_strip("Kinds of results", tabs)
    }

    /// The corrected words, and the filters in the words (`web/src/features/search/Interpretation.tsx`).
    fn interpretation(&self, found: &SearchPage) -> Markup {
        let literal = format!("\"{}\"", self.words.replace('"', ""));
        let taken = &found.understood.taken;
        html! {
            @if let Some(corrected) = &found.corrected {
                p class="Interpretation_corrected" {
                    "Showing results for " b { (corrected) } ". "
                    a href=(address(self.category, &literal)) {
                        "Search for “" (self.words) "” instead"
                    }
                }
            }
            @if !taken.is_empty() {
                div class="Interpretation_filters" {
                    ul class="Chips_chips" aria-label="Filters" {
                        @for filter in taken {
                            li { (results::filter(&filter.label, &self.without(&filter.rest))) }
                        }
                    }
                }
            }
            @if found.understood.near {
                div class="NearMe_near" {
                    p { "To show what is near you, the site needs to know where you are. It is not stored." }
                    (button_space("Button_outline"))
                }
            }
        }
    }

    /// Returns the address of the search without a filter.
    fn without(&self, rest: &str) -> String {
        if rest.is_empty() {
            "/search".to_owned()
        } else {
            address(self.category, rest)
        }
    }

    fn summary(&self, count: i64, results: &[Found]) -> String {
        if results.is_empty() {
            return String::new();
        }
        let [one, many] = self
            .category
            .map_or(["result", "results"], |category| category.unit);
        match count {
            // Only the best 300 are ranked.
            -1 => format!("The best 300 {many}"),
            1 => format!("1 {one}"),
            count => format!("{} {many}", grouped(count)),
        }
    }

    /// Suggestions in place of results (`web/src/features/search/NoResults.tsx`).
    fn nothing(&self, mut types: Vec<ListingType>) -> Markup {
        types.sort_by_key(|kind| std::cmp::Reverse(kind.count));
        let examples = EXAMPLES
            .iter()
            .filter(|(words, section)| self.site.has(section) && *words != self.words);
        let examples: Vec<_> = examples.map(|(words, _)| *words).collect();
        let body = html! {
            p { "Try fewer or other words." }
            @if self.category.is_some() {
                p { a href=(address(None, self.words)) { "Search the whole site" } }
            }
            @if !examples.is_empty() {
                p { "You can also ask for a time or a place:" }
                ul class="Chips_chips" aria-label="Searches to try" {
                    @for words in examples { li { a href=(address(None, words)) { (words) } } }
                }
            }
            @if !types.is_empty() {
                p { "Or look around:" }
                ul class="NoResults_types" {
                    @for kind in types.iter().take(MAX_TYPES) {
                        li { a href=(kind.share_url) { (kind.name) } }
                    }
                }
            }
        };
        notice("Nothing matches that", &body)
    }

    /// The categories in the order of their best results, with a few results each.
    fn of_all(&self, results: Vec<Found>) -> Markup {
        let mut groups: Vec<(&Category, Vec<Found>)> = Vec::new();
        for found in results {
            let known = groups
                .iter_mut()
                .find(|(category, _)| category.name == found.category());
            if let Some((_, group)) = known {
                group.push(found);
            } else if let Some(category) =
                of_site(self.site).find(|category| category.name == found.category())
            {
                groups.push((category, vec![found]));
            }
        }
        html! {
            @for (category, group) in groups {
                @let [_, many] = category.unit;
                section class="Results_kind" {
                    (linked_section_heading(category.label, &address(Some(category), self.words),
                        &format!("All {many} that match")))
                    ul class="Shelf_shelf" {
                        @for found in group.into_iter().take(SHOWN) {
                            li { (results::card(self.site, found)) }
                        }
                    }
                }
            }
        }
    }
}

/// The first page of a category's results.
fn of_category(site: &Site, category: &Category, results: Vec<Found>) -> Markup {
    let has_places = category.section == "listings";
    html! {
        h2 class="visually-hidden" { (category.label) }
        @if has_places { div class="Results_map" { (button_space("Button_outline")) } }
        ul class="Grid_grid" { @for found in results { li { (results::card(site, found)) } } }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn site() -> Site {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/sites/guide.toml");
        Site::read(&file).expect("a site")
    }

    #[test]
    fn a_question_is_read_from_the_address_of_a_search() {
        let site = site();
        for (address, words, category) in [
            ("/search", None, None),
            ("/search?q=ramen+%26+sake", Some("ramen & sake"), None),
            ("/search?q=+ramen+", Some("ramen"), None),
            ("/search?q=+", None, None),
            ("/search?q=a&q=b", None, None),
            ("/search?category=places&q=a", Some("a"), Some("places")),
            ("/search?category=nothing&q=a", Some("a"), None),
        ] {
            let question = question(&site, address);
            let (found, chosen) = question.unzip();
            assert_eq!(found.as_deref(), words, "{address}");
            let chosen = chosen.flatten().map(|category| category.name);
            assert_eq!(chosen, category, "{address}");
        }
    }

    #[test]
    fn a_search_is_written_as_the_application_writes_it() {
        let [_, _, places, ..] = &CATEGORIES;
        assert_eq!(
            address(Some(places), "a & b + c"),
            "/search?category=places&q=a+%26+b+%2B+c"
        );
        assert_eq!(address(None, "a"), "/search?q=a");
    }
}
