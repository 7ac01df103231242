//! The frame of every page (`web/src/features/site`).

use maud::{Markup, html};

use site::{Link, Logo, Site};

/// Renders the navigation bar, the page's content and the footer. Panels and forms need scripts, so only their space is
/// reserved. `has_form` is true for pages that the application takes over and that have no other newsletter form.
pub(in crate::pages) fn around(
    site: &Site,
    path: &str,
    year: i32,
    has_form: bool,
    content: &Markup,
) -> Markup {
    html! {
        a class="SiteFrame_skip" href="#content" { "Skip to the content" }
        (bar(site, path))
        main class="SiteFrame_main" id="content" tabindex="-1" { (content) }
        (footer(site, year, has_form))
    }
}

/// The path whose menu entry is marked: the page's own, or for a section of articles and a type of places that the menu
/// does not list, the path of all articles or places (`web/src/features/site/menu-path.ts`).
pub(in crate::pages) fn menu_path<'a>(site: &Site, path: &'a str, is_place: bool) -> &'a str {
    let mut entries = site.navigation.iter().filter(|entry| entry.href != "/");
    let first = path.split('/').nth(1).unwrap_or_default();
    if entries.any(|entry| path.starts_with(&entry.href)) {
        path
    } else if site.section_name(first).is_some() {
        "/news/"
    } else if is_place {
        "/places/"
    } else {
        path
    }
}

fn bar(site: &Site, path: &str) -> Markup {
    // The wordmark already links to the front page.
    let entries = site.navigation.iter().filter(|entry| entry.href != "/");
    html! {
        header class="Bar_bar" {
            div class="Bar_inner" {
                span class="Bar_icon" data-reserved {}
                a class="Bar_wordmark" href="/" aria-label={ (site.name) ", front page" } { (brand(site)) }
                nav class="Bar_wide" aria-label="Sections" {
                    ul {
                        @for entry in entries {
                            @let is_here = !entry.external && path.starts_with(&entry.href);
                            li {
                                a href=(entry.href) aria-current=[is_here.then_some("page")]
                                    rel=[entry.external.then_some("noopener")] { (entry.label) }
                            }
                        }
                    }
                }
                div class="Bar_tools" {
                    span class="Bar_icon" data-reserved {}
                    span class="Bar_icon" data-reserved {}
                }
            }
        }
    }
}

/// The logo, or the name.
fn brand(site: &Site) -> Markup {
    html! {
        @match &site.logo {
            Some(Logo { url, width, height, .. }) => {
                img class="Brand_logo" src=(url) width=(width) height=(height) alt=(site.name);
            }
            None => { (site.name) }
        }
    }
}

fn footer(site: &Site, year: i32, has_form: bool) -> Markup {
    let start = i32::from(site.start_year);
    let about = [&site.masthead, &site.app, &site.patio_guide];
    html! {
        footer class="Footer_footer" {
            div class="Footer_inner" {
                div {
                    p class="Footer_name" { (brand(site)) }
                    p class="Footer_tagline" { (site.tagline) }
                }
                @if has_form {
                    div class="Footer_newsletter" {
                        div class="NewsletterPanel_panel NewsletterPanel_footer" data-reserved {}
                    }
                }
                @if !site.footer.is_empty() || about.iter().any(|link| link.is_some()) {
                    nav aria-label="About this site" {
                        ul class="Footer_links" {
                            @for link in &site.footer {
                                li {
                                    a href=(link.href) target=[link.new_tab.then_some("_blank")]
                                        rel=[link.new_tab.then_some("noopener")] { (link.label) }
                                }
                            }
                            @for link in about.into_iter().flatten() { (entry(link)) }
                        }
                    }
                }
                @if !site.social.is_empty() {
                    nav class="Footer_social" aria-label={ (site.name) " elsewhere" } {
                        ul class="Footer_links" {
                            @for link in &site.social {
                                li { a href=(link.href) rel="noopener me" { (link.label) } }
                            }
                        }
                    }
                }
                p class="Footer_years" {
                    "© " @if year > start { (start) "–" } (year) " " (site.name)
                }
            }
        }
    }
}

fn entry(link: &Link) -> Markup {
    html! { li { a href=(link.href) { (link.label) } } }
}
