//! Elements of an XML feed, with names that do not depend on the file's namespace prefixes.

use std::io::BufRead;

use super::super::xml::{Token, Xml};

/// Supported namespaces and the prefixes that this module uses for them.
const KNOWN: [(&str, &str); 9] = [
    ("http://www.w3.org/2005/Atom", "atom"),
    ("http://purl.org/rss/1.0/modules/content/", "content"),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://search.yahoo.com/mrss/", "media"),
    ("http://search.yahoo.com/mrss", "media"),
    ("http://www.w3.org/2007/app", "app"),
    ("http://purl.org/atom/app#", "app"),
    ("http://schemas.google.com/blogger/2018", "blogger"),
    // RSS has no namespace, but some files declare this one.
    ("http://backend.userland.com/rss2", ""),
];
/// Maximum number of namespaces that an element may declare.
const MAX_DECLARED: usize = 100;

pub(super) type Attributes = Vec<[String; 2]>;

/// A feed that is read element by element.
pub(super) struct Elements<R> {
    xml: Xml<R>,
    /// Prefixes and namespaces declared by each open element.
    scopes: Vec<Vec<(String, String)>>,
}

impl<R: BufRead> Elements<R> {
    pub(super) fn new(file: R) -> Self {
        Self {
            xml: Xml::new(file),
            scopes: Vec::new(),
        }
    }

    /// Returns the current line.
    pub(super) fn position(&mut self) -> String {
        self.xml.position()
    }

    /// Starts the next element within the open element, or at the top level; `None` at its end.
    pub(super) fn child(&mut self) -> Result<Option<(String, Attributes)>, String> {
        loop {
            match self.xml.next()? {
                Some(Token::Start(name, attributes)) => {
                    self.scopes.push(declared(&attributes));
                    return Ok(Some((self.known(&name), attributes)));
                }
                Some(Token::End) => {
                    self.scopes.pop();
                    return Ok(None);
                }
                Some(Token::Text(_)) => {}
                None => return Ok(None),
            }
        }
    }

    /// Reads the text of the current element, up to its end.
    pub(super) fn text(&mut self) -> Result<String, String> {
        self.scopes.pop();
        self.xml.text()
    }

    /// Reads the content of the current element as HTML, up to its end.
    pub(super) fn markup(&mut self) -> Result<String, String> {
        self.scopes.pop();
        self.xml.markup()
    }

    /// Skips the rest of the open element.
    pub(super) fn skip(&mut self) -> Result<(), String> {
        let outside = self.scopes.len() - 1;
        while self.scopes.len() > outside {
            self.child()?;
        }
        Ok(())
    }

    /// Returns a name with this module's prefix for its namespace. Unsupported namespaces get a prefix that is never
    /// read. An undeclared prefix has its usual meaning.
    fn known(&self, name: &str) -> String {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let scopes = self.scopes.iter().rev();
        let mut declared = scopes.flat_map(|scope| scope.iter());
        let namespace = declared.find(|(declared, _)| declared == prefix);
        let prefix = match namespace {
            None => prefix,
            Some((_, namespace)) => {
                let known = KNOWN.iter().find(|(known, _)| known == namespace);
                known.map_or("?", |(_, prefix)| prefix)
            }
        };
        if prefix.is_empty() {
            local.to_owned()
        } else {
            format!("{prefix}:{local}")
        }
    }
}

fn declared(attributes: &Attributes) -> Vec<(String, String)> {
    let declared = attributes.iter().filter_map(|[name, namespace]| {
        let prefix = name.strip_prefix("xmlns")?;
        let prefix = match prefix.strip_prefix(':') {
            Some(prefix) => prefix,
            None if prefix.is_empty() => "",
            None => return None,
        };
        Some((prefix.to_owned(), namespace.trim().to_owned()))
    });
    declared.take(MAX_DECLARED).collect()
}

/// Returns the value of an attribute; empty if it is missing.
pub(super) fn attribute<'a>(attributes: &'a Attributes, wanted: &str) -> &'a str {
    let found = attributes.iter().find(|[name, _]| name == wanted);
    found.map_or("", |[_, value]| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_by_its_namespace_and_else_by_its_prefix() {
        let xml = "<rss xmlns:c='http://purl.org/dc/elements/1.1/' xmlns:media='http://else.example/'>\
            <c:creator>Ada</c:creator><content:encoded/><media:content/><item xmlns='http://www.w3.org/2005/Atom'><id/></item>\
            <title/></rss>";
        let mut elements = Elements::new(xml.as_bytes());
        let mut names = Vec::new();
        let mut read = |elements: &mut Elements<&[u8]>| {
            let name = elements.child().expect("valid").map(|(name, _)| name);
            names.push(name.unwrap_or_default());
        };
        read(&mut elements);
        read(&mut elements);
        assert_eq!(elements.text().expect("valid"), "Ada");
        for _ in 0..2 {
            read(&mut elements);
            elements.skip().expect("valid");
        }
        read(&mut elements);
        read(&mut elements);
        elements.skip().expect("valid");
        read(&mut elements);
        read(&mut elements);
        elements.skip().expect("valid");
        read(&mut elements);
        assert_eq!(
            names,
            [
                "rss",
                "dc:creator",
                "content:encoded",
                "?:content",
                "atom:item",
                "atom:id",
                "",
                "title",
                ""
            ]
        );
    }
}
