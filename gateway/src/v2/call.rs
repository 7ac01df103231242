//! In-process calls of public resources, made by pages.

use std::marker::PhantomData;

/// A `GET` of a public resource, with its response type. Resources construct the calls of their own paths, so that path
/// and type are combined in a single file.
#[derive(Debug)]
pub(crate) struct PublicCall<T> {
    address: String,
    answer: PhantomData<fn() -> T>,
}

impl<T> PublicCall<T> {
    /// A call without empty parameters. Parameters are sorted by name, as in the application's requests.
    pub(super) fn new(path: &str, query: &[(&str, &str)]) -> Self {
        let mut query: Vec<_> = query
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .collect();
        query.sort_unstable();
        let mut text = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &query {
            text.append_pair(name, value);
        }
        let address = match text.finish() {
            text if text.is_empty() => path.to_owned(),
            text => format!("{path}?{text}"),
        };
        Self {
            address,
            answer: PhantomData,
        }
    }

    /// Returns the path and query.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_written_as_the_application_writes_it() {
        let address = |query| {
            let call = PublicCall::<()>::new("/api/v2/resolve/", query);
            call.address().to_owned()
        };
        assert_eq!(
            address(&[("path", "/news/a b/"), ("a", "1"), ("none", "")]),
            "/api/v2/resolve/?a=1&path=%2Fnews%2Fa+b%2F"
        );
        assert_eq!(address(&[]), "/api/v2/resolve/");
    }
}
