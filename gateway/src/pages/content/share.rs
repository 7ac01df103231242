//! Links for sharing a page.

use maud::{Markup, html};

/// Links for sharing (`web/src/ui/ShareLinks.tsx`).
pub(in crate::pages) fn share(origin: &str, path: &str, title: &str) -> Markup {
    let url = format!("{origin}{path}");
    let facebook = query(&[("u", &*url)]);
    let x = query(&[("url", &*url), ("text", title)]);
    let services = [
        (
            "Facebook",
            "https://www.facebook.com/sharer/sharer.php",
            facebook,
        ),
        ("X", "https://x.com/intent/post", x),
    ];
    html! {
        ul class="ShareLinks_links" aria-label="Share" {
            @for (name, address, query) in services {
                li {
                    a href={ (address) "?" (query) } target="_blank" rel="noopener noreferrer" {
                        span class="visually-hidden" { "Share on " }
                        (name)
                    }
                }
            }
        }
    }
}

fn query(values: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(values)
        .finish()
}
