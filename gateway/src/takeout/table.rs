//! A list as CSV: `Title,Note,URL,Tags,Comment`. All headings except `URL` are in the reader's language.

use csv::{ReaderBuilder, StringRecord};

use super::entry::Entry;

/// Number of rows that are searched for the headings: a description may precede them.
const HEADINGS_WITHIN: usize = 5;

/// Column indexes of the fields.
struct Columns {
    title: usize,
    note: Option<usize>,
    url: usize,
    comment: Option<usize>,
}

impl Columns {
    fn find(row: &StringRecord) -> Option<Self> {
        let named = |heading: &str| {
            row.iter()
                .position(|field| field.trim().eq_ignore_ascii_case(heading))
        };
        let url = named("URL").filter(|url| *url > 0)?;
        Some(Self {
            title: named("Title").unwrap_or(0),
            note: named("Note").or((url > 1).then_some(1)),
            url,
            comment: named("Comment").or(named("Comments")),
        })
    }
}

/// Passes every row that is not blank to `take`.
pub(super) fn each(text: &str, mut take: impl FnMut(&Entry<'_>)) -> Result<(), &'static str> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut row = StringRecord::new();
    let mut columns: Option<Columns> = None;
    let mut before = 0;
    // Reading from memory cannot fail, and any text is valid in this table format.
    while reader.read_record(&mut row).is_ok_and(|is_there| is_there) {
        let Some(columns) = &columns else {
            columns = Columns::find(&row);
            before += 1;
            if columns.is_none() && before == HEADINGS_WITHIN {
                break;
            }
            continue;
        };
        let field = |number: Option<usize>| {
            number
                .and_then(|number| row.get(number))
                .unwrap_or_default()
        };
        let (title, url) = (field(Some(columns.title)), field(Some(columns.url)));
        let note = field(columns.note);
        let note = if note.trim().is_empty() {
            field(columns.comment)
        } else {
            note
        };
        if [title, url, note]
            .iter()
            .all(|field| field.trim().is_empty())
        {
            continue;
        }
        take(&Entry {
            name: title,
            note,
            url,
            ..Entry::default()
        });
    }
    if columns.is_some() {
        return Ok(());
    }
    Err("This is no list of Google Takeout: none of its first lines has a heading “URL”.")
}
