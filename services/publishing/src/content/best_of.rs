//! Best-of list files: TOML, an introduction, then a heading and text for each place, best first.

use chassis::{instant, slug};
use places_proto::v1::{ImportBestOfEntry, ImportBestOfList};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::document::{self, Document, Picture};

/// Beginning of a line with a place.
const HEADING: &str = "## ";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    name: String,
    published: Spanned<Datetime>,
    picture: Option<Spanned<String>>,
    #[serde(default)]
    is_withdrawn: bool,
}

/// Reads a file, whose stem is the list's slug and id. Returns the list and its picture.
pub(super) fn read(
    file: &str,
    stem: &str,
    text: &str,
) -> Result<(ImportBestOfList, Option<Picture>), Vec<String>> {
    if !slug::is_slug(stem) {
        return Err(vec![document::no_slug(file)]);
    }
    let document = Document::split(file, text).map_err(|mistake| vec![mistake])?;
    let front: Front = document.front().map_err(|mistake| vec![mistake])?;
    let mut mistakes = Vec::new();
    let published = document.instant("published", &front.published, &mut mistakes);
    let (intro, entries) = parts(&document);
    if entries.is_empty() {
        mistakes.push(format!(
            "{file}: names no place: each has a line \"{HEADING}its-slug\""
        ));
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let list = ImportBestOfList {
        position: file.to_owned(),
        source_id: format!("content:best-of/{stem}"),
        slug: stem.to_owned(),
        name: front.name,
        intro_markdown: intro,
        image_url: None,
        date_published: published.map(instant::to_proto),
        is_withdrawn: front.is_withdrawn,
        entries,
    };
    Ok((list, document.picture(front.picture.as_ref())))
}

/// Returns the introduction, and the places with their texts. A place is identified by its slug in this folder, or by
/// the source id of an import ("osm:node/1").
fn parts(document: &Document<'_>) -> (String, Vec<ImportBestOfEntry>) {
    let mut intro = String::new();
    let mut entries: Vec<ImportBestOfEntry> = Vec::new();
    for (number, line) in (document.body_line..).zip(document.body.lines()) {
        if let Some(name) = line.strip_prefix(HEADING) {
            let name = name.trim();
            let is_source_id = name.contains(':');
            entries.push(ImportBestOfEntry {
                position: format!("{}, line {number}", document.file),
                listing_source_id: if is_source_id {
                    name.to_owned()
                } else {
                    format!("content:{name}")
                },
                text_markdown: String::new(),
            });
            continue;
        }
        let text = match entries.last_mut() {
            Some(entry) => &mut entry.text_markdown,
            None => &mut intro,
        };
        text.push_str(line);
        text.push('\n');
    }
    (intro, entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAMEN: &str = "+++\nname = \"The best ramen\"\npublished = 2026-05-03\n\
        picture = \"pictures/ramen.svg\"\n+++\n\nWe ate it all.\n\nTwice.\n\n## foghorn-ramen\n\n\
        Smoky.\n\n## osm:node/12\n";

    #[test]
    fn a_list_is_read_with_its_places_and_their_lines() {
        let (list, picture) = read("best-of/ramen.md", "ramen", RAMEN).expect("valid");
        assert_eq!(list.source_id, "content:best-of/ramen");
        assert_eq!(list.intro_markdown.trim(), "We ate it all.\n\nTwice.");
        let entries: Vec<_> = list
            .entries
            .iter()
            .map(|entry| {
                let text = entry.text_markdown.trim();
                (
                    entry.listing_source_id.as_str(),
                    text,
                    entry.position.as_str(),
                )
            })
            .collect();
        assert_eq!(
            entries,
            [
                (
                    "content:foghorn-ramen",
                    "Smoky.",
                    "best-of/ramen.md, line 11"
                ),
                ("osm:node/12", "", "best-of/ramen.md, line 15"),
            ]
        );
        assert_eq!(
            picture.expect("a picture").named_at,
            "best-of/ramen.md, line 4"
        );
    }

    #[test]
    fn a_list_without_places_or_with_a_wrong_date_is_refused() {
        let both = RAMEN
            .replace("## ", "# ")
            .replace("2026-05-03", "2026-05-03T10:00:00");
        let mistakes = read("best-of/ramen.md", "ramen", &both).expect_err("refused");
        assert_eq!(mistakes.len(), 2, "{mistakes:?}");
        assert!(mistakes[0].starts_with("best-of/ramen.md, line 3: published must be"));
        assert!(mistakes[1].starts_with("best-of/ramen.md: names no place"));
        assert!(read("best-of/Ramen.md", "Ramen", RAMEN).is_err());
        let unknown = RAMEN.replace("picture =", "pictures =");
        assert!(read("best-of/ramen.md", "ramen", &unknown).is_err());
    }
}
