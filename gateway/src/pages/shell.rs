//! The built application's `index.html` with the site's settings, shared by all pages.

use std::{fs, path::Path};

use chassis::error::{Code, Fault};

use super::{escape::in_script, files::Files, scripts::Scripts};
use site::PageSite;

/// Markers in `index.html` for a page's head, content and data.
const MARKERS: [&str; 3] = [
    "<!--cityguide:head-->",
    "<!--cityguide:content-->",
    "<!--cityguide:data-->",
];

/// The built web application, which surrounds each page's content.
#[derive(Debug)]
pub(crate) struct Shell {
    /// The parts of `index.html` between its markers.
    parts: [String; 4],
    settings: String,
    pub(crate) scripts: Scripts,
    pub(super) files: Files,
}

impl Shell {
    /// Loads the built application.
    pub(crate) fn read(root: &Path, settings: &PageSite<'_>) -> Result<Self, Fault> {
        let file = root.join("index.html");
        let refuse = |why: &str| {
            let hint = "build the web application (npm run build in web/) or set web.root";
            Fault::new(
                Code::Invalid,
                format!("settings: {}: {why}; {hint}", file.display()),
            )
        };
        let html = fs::read_to_string(&file).map_err(|error| refuse(&error.to_string()))?;
        let site = settings.site;
        let settings =
            serde_json::to_string(settings).map_err(|error| refuse(&error.to_string()))?;
        // Style sheets use these attributes before any script runs.
        let root_element = format!(
            "<html data-accent=\"{}\" data-variant=\"{}\"",
            site.accent.name(),
            site.variant.name()
        );
        let html = html.replacen("<html", &root_element, 1);
        let mut parts: [String; 4] = Default::default();
        let mut rest = html.as_str();
        for (part, marker) in parts.iter_mut().zip(MARKERS) {
            let (before, after) = rest
                .split_once(marker)
                .ok_or_else(|| refuse(&format!("it has no {marker}")))?;
            before.clone_into(part);
            rest = after;
        }
        rest.clone_into(&mut parts[3]);
        let scripts = Scripts::read(root, &html).map_err(|why| refuse(&why))?;
        Ok(Self {
            parts,
            scripts,
            settings: in_script(&settings),
            files: Files::below(root),
        })
    }

    pub(super) fn html(&self, head: &str, content: &str, data: &str) -> String {
        let [before, between, above, after] = &self.parts;
        let settings = &self.settings;
        format!(
            "{before}{head}{between}{content}{above}<script type=\"application/json\" id=\"site-settings\">{settings}</script>{data}{after}"
        )
    }

    /// Renders a page outside the application: with its style sheet but without scripts.
    pub(super) fn without_scripts(&self, head: &str, content: &str) -> String {
        let [before, between, ..] = &self.parts;
        format!("{before}{head}{between}{content}</div></body></html>")
    }
}
