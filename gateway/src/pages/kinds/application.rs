//! The table of pages as TypeScript modules for the application.

use std::fmt::Write as _;

use super::{OwnPage, Path, RESOLVED, Row, resolved_row};

/// Returns the table as a TypeScript module of `web/src/routes` for the application. A component is named after its
/// module: `listing-type` exports `ListingTypePage`.
#[must_use]
pub fn page_table() -> String {
    let mut fixed = String::new();
    let mut others = String::new();
    for page in OwnPage::ALL {
        let entry = entry(page.row());
        // Writing to a String cannot fail.
        let _ = match page.path() {
            Path::Fixed(path) => writeln!(fixed, "  {{ path: '{path}', {entry} }},"),
            Path::City => writeln!(
                others,
                "\n/** The page of the city. */\nexport const CITY_PAGE = {{ {entry} }} as const"
            ),
            Path::ArticleSection => writeln!(
                others,
                "\n/** The page of a section of articles. */\nexport const SECTION_PAGE = {{ {entry} }} as const"
            ),
        };
    }
    let resolved = RESOLVED.iter().map(|kind| {
        let entry = entry(resolved_row(*kind));
        format!("  '{}': {{ {entry} }},\n", kind.name())
    });
    let resolved: String = resolved.collect();
    format!(
        "// Generated from the gateway's table of pages (gateway/src/pages/kinds.rs).\n\n\
         /** The site's own pages with a fixed path. */\n\
         export const FIXED_PAGES = [\n{fixed}] as const\n{others}\n\
         /** The pages of the catalogue's objects, by the kind that a path resolves to. */\n\
         export const RESOLVED_PAGES = {{\n{resolved}}} as const\n"
    )
}

/// Returns the routes of pages with a fixed path, as a TypeScript module of `web/src/routes`.
#[must_use]
pub fn fixed_routes() -> String {
    let mut routes = String::new();
    for page in OwnPage::ALL {
        let Path::Fixed(path) = page.path() else {
            continue;
        };
        let Row {
            section, module, ..
        } = page.row();
        let guard = section.map_or_else(String::new, |section| {
            format!("    beforeLoad: requireSection('{section}'),\n")
        });
        let component = component(module);
        // Writing to a String cannot fail.
        let _ = writeln!(
            routes,
            "  createRoute({{\n    ...parent,\n    ...pageOptions('{path}'),\n    path: '{path}',\n{guard}    \
             component: lazyRouteComponent(online(() => import('./{module}')), '{component}'),\n  }}),"
        );
    }
    format!(
        "// Generated from the gateway's table of pages (gateway/src/pages/kinds.rs).\n\
         import {{ createRoute, lazyRouteComponent }} from '@tanstack/react-router'\n\
         import {{ online }} from '#/lib/online'\n\
         import {{ requireSection }} from './guards'\n\
         import {{ pageOptions }} from './page-options'\n\
         import {{ parent }} from './parent'\n\n\
         /** The routes of the site's own pages with a fixed path. */\n\
         export const fixedRoutes = [\n{routes}] as const\n"
    )
}

/// The name, section, module and component of a page.
fn entry(row: Row) -> String {
    let section = row
        .section
        .map_or_else(|| "null".to_owned(), |name| format!("'{name}'"));
    let module = row.module;
    let component = component(module);
    format!(
        "name: '{module}', section: {section}, load: () => import('./{module}'), component: '{component}'"
    )
}

/// Returns the component's name for a module: `listing-type` exports `ListingTypePage`.
fn component(module: &str) -> String {
    let words = module.split('-').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    let name: String = words.collect();
    let name = name.strip_suffix("Page").unwrap_or(&name);
    format!("{name}Page")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_a_fixed_path_has_a_route_behind_its_section() {
        let routes = fixed_routes();
        for part in [
            "    ...pageOptions('/'),\n    path: '/',\n    component: lazyRouteComponent(online(() => import('./home')), 'HomePage'),\n",
            "    path: '/places/',\n    beforeLoad: requireSection('listings'),\n",
        ] {
            assert!(routes.contains(part), "{part} in\n{routes}");
        }
    }

    #[test]
    fn the_application_gets_each_page_with_its_module_and_component() {
        let table = page_table();
        for line in [
            "  { path: '/', name: 'home', section: null, load: () => import('./home'), component: 'HomePage' },",
            "  { path: '/places/', name: 'places', section: 'listings', load: () => import('./places'), component: 'PlacesPage' },",
            "export const CITY_PAGE = { name: 'best-of', section: 'best_of', load: () => import('./best-of'), component: 'BestOfPage' } as const",
            "  'listing-type': { name: 'listing-type', section: 'listings', load: () => import('./listing-type'), component: 'ListingTypePage' },",
            "  'page': { name: 'static-page', section: null, load: () => import('./static-page'), component: 'StaticPage' },",
        ] {
            assert!(
                table.lines().any(|known| known == line),
                "{line} in\n{table}"
            );
        }
    }
}
