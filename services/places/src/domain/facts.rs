//! The facts of a place, shown to readers as their publisher wrote them.

use chassis::text::optional_line;

/// Calls a macro with the list of facts after the given tokens. The columns of `listings` and the fields of the
/// service's messages are generated from this list.
///
/// Each fact has a field name, which is the same everywhere; a type; a name for publishers; and a validation function.
macro_rules! with_facts {
    ($macro:ident! { $($tokens:tt)* }) => {
        $macro! {
            $($tokens)*
            address: Option<String>, "address", text;
            phone: Option<String>, "phone", text;
            website: Option<String>, "website", web_address;
            is_closed: bool, "is_closed", any;
            image_url: Option<String>, "picture", text;
            dinesafe_establishment_id: Option<String>, "dinesafe_establishment_id", text;
            wheelchair: Option<String>, "wheelchair", wheelchair;
            line: Option<String>, "line", text;
        }
    };
}
pub(crate) use with_facts;

macro_rules! define {
    ($($fact:ident: $type:ty, $name:literal, $check:ident;)+) => {
        #[derive(Debug, Clone, Default, PartialEq)]
        pub(crate) struct Facts {
            $(pub(crate) $fact: $type),+
        }

        impl Facts {
            /// Validates every fact; the error is the reason for a rejection.
            pub(crate) fn checked(self) -> Result<Self, String> {
                Ok(Self {
                    $($fact: $check($name, self.$fact)?),+
                })
            }
        }
    };
}
with_facts!(define! {});

fn text(name: &str, value: Option<String>) -> Result<Option<String>, String> {
    value.map_or(Ok(None), |value| optional_line(name, Some(&value)))
}

fn wheelchair(name: &str, value: Option<String>) -> Result<Option<String>, String> {
    match value.as_deref() {
        None | Some("yes" | "limited" | "no") => Ok(value),
        Some(other) => Err(format!(
            "the {name} {other:?} is not known: expected yes, limited or no"
        )),
    }
}

fn web_address(name: &str, value: Option<String>) -> Result<Option<String>, String> {
    if let Some(address) = &value
        && !(address.starts_with("https://") || address.starts_with("http://"))
    {
        return Err(format!("the {name} {address:?} is no http(s) address"));
    }
    text(name, value)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "every fact is checked by a function of this shape"
)]
fn any<T>(_: &str, value: T) -> Result<T, String> {
    Ok(value)
}
