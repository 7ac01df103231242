//! Tables, which need a heading row in Markdown.

use std::rc::Rc;

use htmd::{Node, element_handler::Handlers};

use super::super::text::{children, content, escaped, is_within, one_line, tag};

/// Converts a table to Markdown; its first row becomes the headings. A table within a cell is flattened to its text.
pub(super) fn table(handlers: &dyn Handlers, node: &Rc<Node>) -> Option<String> {
    if is_within(node, "td") || is_within(node, "th") {
        return Some(content(node));
    }
    let mut rows = Vec::new();
    let mut caption = None;
    for child in children(node) {
        match tag(&child) {
            Some("thead" | "tbody" | "tfoot") => {
                rows.extend(
                    children(&child)
                        .iter()
                        .filter_map(|child| row(handlers, child)),
                );
            }
            Some("caption") => caption = Some(content(&child)),
            _ => rows.extend(row(handlers, &child)),
        }
    }
    let width = rows.iter().map(Vec::len).max()?;
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for (at, mut row) in rows.into_iter().enumerate() {
        row.resize(width, String::new());
        lines.push(format!("| {} |", row.join(" | ")));
        if at == 0 {
            lines.push(format!("|{}", " --- |".repeat(width)));
        }
    }
    let caption = caption.filter(|caption| !caption.trim().is_empty());
    let caption = caption.map_or(String::new(), |caption| {
        let caption = one_line(&caption);
        format!("\n\n*{}*", escaped(&caption))
    });
    Some(format!("\n\n{}{caption}\n\n", lines.join("\n")))
}

/// Returns the cells of a row; `None` if the element is not a row.
fn row(handlers: &dyn Handlers, node: &Rc<Node>) -> Option<Vec<String>> {
    if tag(node) != Some("tr") {
        return None;
    }
    let cells = children(node).into_iter();
    let cells = cells.filter(|cell| matches!(tag(cell), Some("td" | "th")));
    let cells: Vec<String> = cells.map(|cell| cell_text(handlers, &cell)).collect();
    (!cells.is_empty()).then_some(cells)
}

fn cell_text(handlers: &dyn Handlers, cell: &Rc<Node>) -> String {
    let text = handlers.walk_children(cell).content;
    one_line(&text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use chassis::markup;
    use htmd::{Element, HtmlToMarkdown};

    use super::*;

    fn shown(html: &str) -> String {
        let converter = HtmlToMarkdown::builder()
            .add_handler(
                vec!["table"],
                |handlers: &dyn Handlers, element: Element<'_>| {
                    table(handlers, element.node).map(Into::into)
                },
            )
            .build();
        markup::render(&converter.convert(html).expect("converted"))
    }

    #[test]
    fn a_table_without_headings_has_its_first_row_as_one() {
        let html = shown(
            "<table><caption>Fares</caption><tbody><tr><td>Day</td><td>a|b</td></tr><tr><td><b>1</b></td></tr></tbody></table>",
        );
        assert!(html.contains("<th>Day</th><th>a|b</th>"), "{html}");
        assert!(
            html.contains("<td><strong>1</strong></td><td></td>"),
            "{html}"
        );
        assert!(html.contains("<p><em>Fares</em></p>"), "{html}");
    }

    #[test]
    fn a_table_within_a_table_is_text() {
        let html = shown(
            "<table><tr><td>A<table><tr><td>B</td></tr></table></td></tr></table><table></table>",
        );
        assert_eq!(html.matches("<table>").count(), 1, "{html}");
        assert!(html.contains("A B") || html.contains("AB"), "{html}");
    }
}
