//! Shortcodes: bracketed names that WordPress and its plug-ins replace.

/// A shortcode in a text: `[caption id="7"]…[/caption]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shortcode<'a> {
    pub(super) name: &'a str,
    attributes: &'a str,
    /// Content between the shortcode's start and end, if it has an end.
    pub(super) inner: Option<&'a str>,
}

impl<'a> Shortcode<'a> {
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut pairs = self.words();
        let found = pairs.find(|word| {
            word.split_once('=')
                .is_some_and(|(key, _)| key.trim().eq_ignore_ascii_case(name))
        });
        let (_, value) = found?.split_once('=')?;
        Some(unquoted(value).to_owned())
    }

    /// Returns the first unnamed value: `[audio https://…]`.
    pub(super) fn value(&self) -> Option<String> {
        let first = self.words().find(|word| {
            let quoted = word.starts_with(['"', '\'']);
            // Some values look like an assignment: [youtube=https://…].
            let is_address = word.starts_with("http") || word.starts_with('=');
            quoted || is_address || !word.contains('=')
        });
        first.map(|word| unquoted(word.trim_start_matches('=')).to_owned())
    }

    /// Returns names with their values, and unnamed values.
    fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut rest = self.attributes.trim_start();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut quote = None;
            let end = rest.char_indices().find(|(_, sign)| {
                match (*sign, quote) {
                    ('"' | '\'', None) => quote = Some(*sign),
                    (sign, Some(open)) if sign == open => quote = None,
                    (sign, None) => return sign.is_whitespace(),
                    _ => {}
                }
                false
            });
            let (word, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
            rest = after.trim_start();
            Some(word)
        })
    }
}

fn unquoted(value: &str) -> &str {
    value
        .trim()
        .trim_matches(['"', '\'', '\u{201d}', '\u{2033}'])
}

/// Replaces each shortcode with the result of `replace`; without a result, it remains unchanged.
pub(super) fn replaced(
    text: &str,
    replace: &mut dyn FnMut(&Shortcode<'_>) -> Option<String>,
) -> String {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        done.push_str(&rest[..at]);
        rest = &rest[at..];
        // Doubled brackets quote a shortcode.
        if let Some(after) = rest.strip_prefix("[[")
            && let Some(end) = after.find("]]")
            && read(&rest[1..]).is_some()
        {
            done.push_str(&rest[1..end + 3]);
            rest = &after[end + 2..];
            continue;
        }
        let replacement = read(rest).and_then(|(shortcode, length)| {
            let by = replace(&shortcode)?;
            Some((by, length))
        });
        let (by, length) = replacement.unwrap_or_else(|| ("[".to_owned(), 1));
        done.push_str(&by);
        rest = &rest[length..];
    }
    done + rest
}

impl Shortcode<'_> {
    /// Whether an unknown name is probably a shortcode, and not a remark such as `[sic]`.
    pub(super) fn looks_like_one(&self) -> bool {
        self.inner.is_some()
            || self.name.contains('_')
            || self.words().any(|word| word.contains('='))
    }
}

/// Parses a shortcode at the beginning of a text. Returns it with its length.
fn read(text: &str) -> Option<(Shortcode<'_>, usize)> {
    let after = text.strip_prefix('[')?;
    let is_in_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-');
    let name_end = after.find(|sign| !is_in_name(sign))?;
    let name = &after[..name_end];
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    let mut quote = None;
    let end = after[name_end..].char_indices().find(|(_, sign)| {
        match (*sign, quote) {
            ('"', None) => quote = Some('"'),
            ('"', Some(_)) => quote = None,
            (']' | '[' | '<', None) => return true,
            _ => {}
        }
        false
    });
    let (length, closes) = end?;
    if closes != ']' {
        return None;
    }
    let attributes = &after[name_end..name_end + length];
    if !attributes.is_empty() && !attributes.starts_with([' ', '\t', '\n', '/', '=']) {
        return None;
    }
    let opened = 1 + name_end + length + 1;
    let closes_itself = attributes.trim_end().ends_with('/');
    let attributes = attributes.trim_end().trim_end_matches('/');
    let closing = format!("[/{name}]");
    let inner = Some(&text[opened..]).filter(|_| !closes_itself);
    let inner = inner.and_then(|rest| Some(&rest[..rest.find(&closing)?]));
    let length = inner.map_or(opened, |inner| opened + inner.len() + closing.len());
    let shortcode = Shortcode {
        name,
        attributes,
        inner,
    };
    Some((shortcode, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortcode_has_attributes_a_value_and_what_it_encloses() {
        let (shortcode, length) =
            read("[caption id='a_7' caption=\"A ] b\" width=300] z").expect("one");
        assert_eq!((shortcode.name, shortcode.inner), ("caption", None));
        assert_eq!(length, 44);
        assert_eq!(shortcode.attribute("caption").as_deref(), Some("A ] b"));
        let (shortcode, _) =
            read("[caption id=\"a_7\" align=\"x\" WIDTH=300]x [b] y[/caption] z").expect("one");
        assert_eq!(shortcode.inner, Some("x [b] y"));
        assert_eq!(shortcode.attribute("width").as_deref(), Some("300"));
        assert_eq!(shortcode.attribute("id").as_deref(), Some("a_7"));
        assert_eq!(shortcode.attribute("none"), None);
        let (shortcode, _) = read("[audio https://a.example/x.mp3?a=b /]").expect("one");
        assert_eq!(
            shortcode.value().as_deref(),
            Some("https://a.example/x.mp3?a=b")
        );
        let (shortcode, _) = read("[embed width=\"1\"]u[/embed]").expect("one");
        assert_eq!((shortcode.value(), shortcode.inner), (None, Some("u")));
    }

    #[test]
    fn what_is_no_shortcode_stays() {
        let mut replace = |shortcode: &Shortcode<'_>| {
            (shortcode.name == "x").then(|| format!("<{}>", shortcode.inner.unwrap_or("-")))
        };
        for (text, expected) in [
            ("a [x] b [x /] c", "a <-> b <-> c"),
            // As in WordPress, the first shortcode is closed.
            ("a [x] b [x]c[/x] d", "a < b [x]c> d"),
            ("[sic] [1] [] [ x] [x", "[sic] [1] [] [ x] [x"),
            ("[[x]] [[y", "[x] [[y"),
            ("[x a=\"]\"]", "<->"),
            ("[y][x][/y]", "[y]<->[/y]"),
            ("[x<b>]", "[x<b>]"),
        ] {
            assert_eq!(replaced(text, &mut replace), expected, "{text}");
        }
    }
}
