//! Streamed XML: the size of an element is limited, and custom entities are never expanded.

use std::io::{self, BufRead, Read};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

/// Maximum size of a token (text, comment or tag) in bytes.
const MAX_TOKEN: usize = 16 << 20;
/// Maximum nesting depth of elements.
const MAX_DEPTH: usize = 64;
/// Void elements of HTML, which have no end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// An element's start or end, or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Start of an element: its name with prefix, and its attributes.
    Start(String, Vec<[String; 2]>),
    End,
    Text(String),
}

pub(super) struct Xml<R> {
    reader: Reader<Counted<R>>,
    buffer: Vec<u8>,
    depth: usize,
    /// Whether the current element is empty and its end is still to be returned.
    ends: bool,
}

impl<R: BufRead> Xml<R> {
    pub(super) fn new(file: R) -> Self {
        let mut reader = Reader::from_reader(Counted::new(file));
        reader.config_mut().check_end_names = true;
        Self {
            reader,
            buffer: Vec::new(),
            depth: 0,
            ends: false,
        }
    }

    /// Returns the current line.
    pub(super) fn position(&mut self) -> String {
        format!("line {}", self.reader.get_ref().lines + 1)
    }

    /// Returns the next token; `None` at the end of the file. An error contains the position at which the file is
    /// broken.
    pub(super) fn next(&mut self) -> Result<Option<Token>, String> {
        if std::mem::take(&mut self.ends) {
            return Ok(Some(Token::End));
        }
        loop {
            self.buffer.clear();
            self.reader.get_mut().left = MAX_TOKEN;
            let event = self.reader.read_event_into(&mut self.buffer);
            let line = self.reader.get_ref().lines + 1;
            let event = event.map_err(|error| format!("broken near line {line}: {error}"))?;
            let broken =
                |error: &dyn std::fmt::Display| format!("broken near line {line}: {error}");
            let token = match event {
                Event::Start(start) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(broken(&format!(
                            "elements are nested more than {MAX_DEPTH} deep"
                        )));
                    }
                    started(&start).map_err(|error| broken(&error))?
                }
                Event::Empty(start) => {
                    self.ends = true;
                    started(&start).map_err(|error| broken(&error))?
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Token::End
                }
                Event::Text(text) => Token::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Token::Text(text.xml10_content().into_owned()),
                // Entities defined by the file remain unexpanded, because nested definitions can grow exponentially.
                Event::GeneralRef(name) => {
                    let name: &str = &name;
                    Token::Text(
                        html_escape::decode_html_entities(&format!("&{name};")).into_owned(),
                    )
                }
                Event::Eof if self.depth > 0 => return Err(broken(&"the file breaks off")),
                Event::Eof => return Ok(None),
                Event::Decl(declaration) => {
                    if let Some(Ok(encoding)) = declaration.encoding()
                        && !is_utf8(&encoding)
                    {
                        return Err(broken(&format!(
                            "its encoding is {:?}, and only UTF-8 is read",
                            &*encoding
                        )));
                    }
                    continue;
                }
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) => continue,
            };
            return Ok(Some(token));
        }
    }

    /// Reads the text of the current element, up to its end. Nested elements are skipped.
    pub(super) fn text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        let mut depth = 0;
        while let Some(token) = self.next()? {
            match token {
                Token::Start(..) => depth += 1,
                Token::End if depth == 0 => break,
                Token::End => depth -= 1,
                Token::Text(part) if depth == 0 => {
                    if text.len() + part.len() > MAX_TOKEN {
                        return Err(format!("{}: a text is too long", self.position()));
                    }
                    text.push_str(&part);
                }
                Token::Text(_) => {}
            }
        }
        Ok(without_controls(text))
    }

    /// Reads the content of the current element as HTML, up to its end.
    pub(super) fn markup(&mut self) -> Result<String, String> {
        let mut html = String::new();
        let mut open: Vec<String> = Vec::new();
        while let Some(token) = self.next()? {
            match token {
                Token::Start(name, attributes) => {
                    let tag = local(&name).to_owned();
                    html.push('<');
                    html.push_str(&tag);
                    for [name, value] in attributes {
                        if name != "xmlns" && !name.starts_with("xmlns:") {
                            let value = html_escape::encode_double_quoted_attribute(&value);
                            html.extend([" ", &name, "=\"", &value, "\""]);
                        }
                    }
                    html.push('>');
                    open.push(tag);
                }
                Token::End => {
                    let Some(tag) = open.pop() else { break };
                    if !VOID.contains(&tag.as_str()) {
                        html.extend(["</", &tag, ">"]);
                    }
                }
                Token::Text(part) => html.push_str(&html_escape::encode_text(&part)),
            }
            if html.len() > MAX_TOKEN {
                return Err(format!("{}: a text is too long", self.position()));
            }
        }
        Ok(without_controls(html))
    }
}

/// Whether an encoding is UTF-8 or a subset of it.
fn is_utf8(encoding: &str) -> bool {
    ["utf-8", "utf8", "us-ascii", "ascii"]
        .iter()
        .any(|name| encoding.eq_ignore_ascii_case(name))
}

/// Returns a name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Removes control characters, which exports may contain although XML does not allow them.
fn without_controls(mut text: String) -> String {
    text.retain(|sign| !sign.is_control() || matches!(sign, '\n' | '\t'));
    text
}

fn started(start: &BytesStart<'_>) -> Result<Token, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| error.to_string())?.into_owned();
        attributes.push([name(attribute.key.as_ref()), value]);
    }
    Ok(Token::Start(name(start.name().as_ref()), attributes))
}

fn name(name: impl AsRef<str>) -> String {
    name.as_ref().to_owned()
}

/// A reader that counts lines and limits tokens to [`MAX_TOKEN`].
struct Counted<R> {
    file: R,
    lines: usize,
    left: usize,
}

impl<R> Counted<R> {
    fn new(file: R) -> Self {
        Self {
            file,
            lines: 0,
            left: MAX_TOKEN,
        }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let length = from.len().min(into.len());
        into[..length].copy_from_slice(&from[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::other("a text or a tag is too long"));
        }
        let buffer = self.file.fill_buf()?;
        Ok(&buffer[..buffer.len().min(self.left)])
    }

    fn consume(&mut self, length: usize) {
        // The buffer is not yet consumed, so this does not read from the file.
        if let Ok(buffer) = self.file.fill_buf() {
            let consumed = &buffer[..length.min(buffer.len())];
            self.lines += consumed.split(|byte| *byte == b'\n').count() - 1;
        }
        self.left = self.left.saturating_sub(length);
        self.file.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(xml: &[u8]) -> Result<Vec<Token>, String> {
        let mut xml = Xml::new(xml);
        let mut all = Vec::new();
        while let Some(token) = xml.next()? {
            all.push(token);
        }
        Ok(all)
    }

    #[test]
    fn a_file_is_read_token_by_token() {
        let start = |name: &str, attributes: &[[&str; 2]]| {
            let attributes = attributes.iter().map(|pair| pair.map(str::to_owned));
            Token::Start(name.to_owned(), attributes.collect())
        };
        let text = |text: &str| Token::Text(text.to_owned());
        let xml = "<?xml version=\"1.0\"?><!DOCTYPE a><a x='1 &amp; 2'><!-- c --><b:c/>T<![CDATA[<&]]>&amp;&eacute;&#9731;</a>";
        assert_eq!(
            tokens(xml.as_bytes()).expect("valid"),
            [
                start("a", &[["x", "1 & 2"]]),
                start("b:c", &[]),
                Token::End,
                text("T"),
                text("<&"),
                text("&"),
                text("é"),
                text("☃"),
                Token::End,
            ]
        );
    }

    #[test]
    fn a_text_is_whole_and_has_its_line() {
        let mut xml =
            Xml::new("<a>\n\n<b>one <i>no</i><![CDATA[two\u{b}]]></b>\n<c/></a>".as_bytes());
        xml.next().expect("valid");
        xml.next().expect("valid");
        xml.next().expect("valid");
        assert_eq!(xml.position(), "line 3");
        assert_eq!(xml.text().expect("valid"), "one two");
    }

    #[test]
    fn markup_is_read_as_html() {
        let mut xml = Xml::new(
            "<c><x:div xmlns:x='u'><x:p class='a &quot;b'>1 &lt; 2<x:br/><a id='n'/></x:p></x:div></c>"
                .as_bytes(),
        );
        xml.next().expect("valid");
        assert_eq!(
            xml.markup().expect("valid"),
            "<div><p class=\"a &quot;b\">1 &lt; 2<br><a id=\"n\"></a></p></div>"
        );
        assert_eq!(xml.next(), Ok(None));
    }

    #[test]
    fn broken_files_and_bombs_are_refused() {
        let bomb =
            "<!DOCTYPE a [<!ENTITY b \"xxxxxxxxxx\"><!ENTITY c \"&b;&b;&b;&b;\">]><a>&c;</a>";
        let read = tokens(bomb.as_bytes()).expect("read");
        assert_eq!(read[1], Token::Text("&c;".to_owned()));
        let deep = "<a>".repeat(10_000);
        let long = format!("<a>{}</a>", "x".repeat(MAX_TOKEN + 1));
        for (xml, why) in [
            (deep.as_bytes(), "nested more than 64 deep"),
            (long.as_bytes(), "too long"),
            (b"<a><b></a>", "broken near line 1"),
            (b"<a>\n<b", "broken near line 2"),
            (b"<a>\n", "breaks off"),
            (b"<a>\xff</a>", "broken near line 1"),
            (b"<a x=1></a>", "broken near line 1"),
            (
                b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>",
                "its encoding is \"ISO-8859-1\", and only UTF-8 is read",
            ),
        ] {
            let error = tokens(xml).err();
            assert!(
                error.as_ref().is_some_and(|error| error.contains(why)),
                "{why}: {error:?}"
            );
        }
    }
}
