//! The chassis's attribute macro.

use proc_macro::{TokenStream, TokenTree};

/// `#[sql("listings.find")]`: gives the function a database client span with this name.
///
/// The attributes are OpenTelemetry's semantic conventions for database spans. Arguments are never recorded: they
/// contain readers' input.
#[proc_macro_attribute]
pub fn sql(name: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens = name.into_iter();
    let (Some(TokenTree::Literal(name)), None) = (tokens.next(), tokens.next()) else {
        return error("name the statement: #[sql(\"table.what\")]", function);
    };
    let attribute = format!(
        r#"#[::tracing::instrument(name = "sql", skip_all, fields(
            otel.name = {name}, otel.kind = "client", db.system.name = "postgresql"
        ))]"#
    );
    match attribute.parse::<TokenStream>() {
        Ok(mut instrumented) => {
            instrumented.extend(function);
            instrumented
        }
        Err(_) => error("the statement's name is a string", function),
    }
}

fn error(message: &str, function: TokenStream) -> TokenStream {
    let mut tokens: TokenStream = format!("compile_error!({message:?});")
        .parse()
        .unwrap_or_default();
    tokens.extend(function);
    tokens
}
